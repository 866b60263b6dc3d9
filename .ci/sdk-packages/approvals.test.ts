// The approvals of the SDKs themselves: they ask before a tool that can change something, and a denied call has changed nothing.

import { Agent, Runner } from '@openai/agents'
import { createWorkspace, type Toolset, type Workspace } from 'anchorage'
import { aiSdkTools, toolApproval } from 'anchorage/adapters/ai-sdk'
import { agentTools } from 'anchorage/adapters/openai-agents'
import { memory } from 'anchorage/fs/memory'
import { generateText, stepCountIs, type ModelMessage } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { generateText as generateText6, stepCountIs as stepCountIs6, type ModelMessage as ModelMessage6 } from 'ai-6'
import { MockLanguageModelV3 } from 'ai-6/test'
import { describe, expect, it } from 'vitest'
import { ScriptedModel } from './drivers-agents.ts'
import { toldIn } from './drivers-ai.ts'
import type { ScriptedCall, Told } from './scenarios.ts'

/** A read, which nobody is asked about, and a write. */
const calls: readonly ScriptedCall[] = [
  { name: 'read', args: { path: 'a.txt' } },
  { name: 'write', args: { path: 'new.txt', content: 'x\n' } },
]

/** Runs the two calls, answers each question, and says who was asked about and what the model was told of the calls. */
type Asking = (
  tools: Toolset,
  isAllowed: boolean,
) => Promise<{ readonly asked: readonly string[]; readonly told: readonly Told[] }>

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}

/** What a model of the AI SDK answers: the calls, then an end. */
function generated(step: number): object {
  const content =
    step > 0
      ? [{ type: 'text', text: 'Done.' }]
      : calls.map(({ name, args }, index) => ({
          type: 'tool-call',
          toolCallId: `call-${index}`,
          toolName: name,
          input: JSON.stringify(args),
        }))
  return { content, finishReason: { unified: step > 0 ? 'stop' : 'tool-calls', raw: undefined }, usage, warnings: [] }
}

interface Question {
  readonly type: string
  readonly approvalId?: string
  readonly toolCall?: { readonly toolName: string }
}

const questionsIn = (content: readonly unknown[]): readonly Question[] =>
  (content as readonly Question[]).filter(({ type }) => type === 'tool-approval-request')

const answersTo = (questions: readonly Question[], approved: boolean): object => ({
  role: 'tool',
  content: questions.map(({ approvalId }) => ({ type: 'tool-approval-response', approvalId, approved })),
})

const aiSdk7: Asking = async (tools, isAllowed) => {
  let step = 0
  let told: readonly Told[] = []
  const model = new MockLanguageModelV4({
    doGenerate({ prompt }) {
      told = toldIn(prompt)
      return Promise.resolve(generated(step++) as never)
    },
  })
  const options = { model, tools: aiSdkTools(tools), toolApproval: toolApproval(tools), stopWhen: stepCountIs(5) }
  const messages: ModelMessage[] = [{ role: 'user', content: 'Go' }]
  const first = await generateText({ ...options, messages })
  const questions = questionsIn(first.content)
  messages.push(...first.response.messages, answersTo(questions, isAllowed) as ModelMessage)
  await generateText({ ...options, messages })
  return { asked: questions.map(({ toolCall }) => toolCall?.toolName ?? ''), told }
}

const aiSdk6: Asking = async (tools, isAllowed) => {
  let step = 0
  let told: readonly Told[] = []
  const model = new MockLanguageModelV3({
    doGenerate({ prompt }) {
      told = toldIn(prompt)
      return Promise.resolve(generated(step++) as never)
    },
  })
  const options = { model, tools: aiSdkTools(tools, { needsApproval: true }), stopWhen: stepCountIs6(5) }
  const messages: ModelMessage6[] = [{ role: 'user', content: 'Go' }]
  const first = await generateText6({ ...options, messages })
  const questions = questionsIn(first.content)
  messages.push(...first.response.messages, answersTo(questions, isAllowed) as ModelMessage6)
  await generateText6({ ...options, messages })
  return { asked: questions.map(({ toolCall }) => toolCall?.toolName ?? ''), told }
}

const openaiAgents: Asking = async (tools, isAllowed) => {
  const model = new ScriptedModel(told => (told.length === 0 ? calls : []))
  const runner = new Runner({ modelProvider: { getModel: () => model }, tracingDisabled: true })
  const agent = new Agent({ name: 'Scripted', tools: agentTools(tools, { needsApproval: true }) })
  const first = await runner.run(agent, 'Go')
  // The list is empty once the run goes on.
  const questions = [...first.interruptions]
  for (const question of questions) {
    if (isAllowed) first.state.approve(question)
    else first.state.reject(question)
  }
  await runner.run(agent, first.state)
  return { asked: questions.map(({ rawItem }) => ('name' in rawItem ? String(rawItem.name) : '')), told: model.told }
}

describe.each<[string, Asking]>([
  ['AI SDK 7, toolApproval', aiSdk7],
  ['AI SDK 6, needsApproval', aiSdk6],
  ['OpenAI Agents, needsApproval', openaiAgents],
])('%s', (_name, ask) => {
  it.each([true, false])('answered with %s', async isAllowed => {
    const workspace: Workspace = await createWorkspace({ fs: memory({ 'a.txt': 'one\n' }) })
    const { asked, told } = await ask(await workspace.toolset('atomic'), isAllowed)
    expect(asked).toEqual(['write'])
    expect(told.map(({ text }) => text).join('\n')).toContain('1:one')
    expect(await workspace.fs.exists('/workspace/new.txt')).toBe(isAllowed)
    await workspace.dispose()
  })
})
