// Anthropic's SDK over a fetch that answers as the script says: the tool runner, and a loop of one's own.

import Anthropic from '@anthropic-ai/sdk'
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError'
import { answerToolUses, anthropicTools } from 'anchorage/adapters/anthropic'
import type { Driver, Script, Told } from './scenarios.ts'

interface Block {
  readonly type: string
  readonly text?: string
  readonly content?: string | readonly Block[]
  readonly is_error?: boolean
  readonly tool_use_id?: string
}

interface Request {
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[]
}

const request = { model: 'scripted', max_tokens: 1000, messages: [{ role: 'user' as const, content: 'Go' }] }

/** A client whose model is the script, and what that was told. */
function scriptedClient(script: Script): { readonly client: Anthropic; readonly told: () => readonly Told[] } {
  // The tool runner sends a result once; a loop of one's own sends all of them each time.
  const told = new Map<string, Told>()
  let id = 0
  const fetch = (_url: unknown, init?: RequestInit): Promise<Response> => {
    const { messages } = JSON.parse(init?.body as string) as Request
    for (const { content: blocks } of messages) {
      for (const block of typeof blocks === 'string' ? [] : blocks) {
        if (block.type === 'tool_result') told.set(String(block.tool_use_id), toldOf(block))
      }
    }
    const calls = script([...told.values()])
    const content =
      calls.length === 0
        ? [{ type: 'text', text: 'Done.', citations: null }]
        : calls.map(({ name, args }) => ({ type: 'tool_use', id: `toolu_${++id}`, name, input: args }))
    const message = {
      id: `msg_${++id}`,
      type: 'message',
      role: 'assistant',
      model: 'scripted',
      content,
      stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    }
    return Promise.resolve(Response.json(message))
  }
  return { client: new Anthropic({ apiKey: 'none', fetch, dangerouslyAllowBrowser: true }), told: () => [...told.values()] }
}

function toldOf({ content = '', is_error: isError = false }: Block): Told {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return {
    isError,
    text: blocks.map(({ text = '' }) => text).join('\n'),
    images: blocks.filter(({ type }) => type === 'image').length,
  }
}

const anthropic = { hasProgress: false, showsImages: true, flagsErrors: true, abort: 'rejects', hasCallIds: true } as const

export const anthropicRunner: Driver = {
  ...anthropic,
  name: 'Anthropic tool runner',
  glue: ["import { anthropicTools } from 'anchorage/adapters/anthropic'", 'tools: anthropicTools(tools)'],
  async run({ tools, script, signal, options }) {
    const { client, told } = scriptedClient(script)
    await client.beta.messages.toolRunner({ ...request, tools: anthropicTools(tools, { ToolError, ...options }) }, { signal })
    signal.throwIfAborted()
    return told()
  },
}

export const anthropicLoop: Driver = {
  ...anthropic,
  name: 'Anthropic, own loop',
  glue: [
    "import { anthropicTools, answerToolUses } from 'anchorage/adapters/anthropic'",
    'tools: anthropicTools(tools)',
    'const answer = await answerToolUses(tools, message, { signal })',
  ],
  async run({ tools, script, signal, options }) {
    const { client, told } = scriptedClient(script)
    const messages: Anthropic.MessageParam[] = [...request.messages]
    for (;;) {
      const message = await client.messages.create({ ...request, messages, tools: anthropicTools(tools) }, { signal })
      const answer = await answerToolUses(tools, message, { signal, ...options })
      if (answer === undefined) return told()
      messages.push({ role: 'assistant', content: message.content }, answer)
    }
  },
}
