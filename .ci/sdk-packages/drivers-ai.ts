// The AI SDK, version 7 and version 6, with its own mock model.

import { aiSdkTools, type AiSdkModelOutput } from 'anchorage/adapters/ai-sdk'
import { stepCountIs, streamText } from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'
import { stepCountIs as stepCountIs6, streamText as streamText6 } from 'ai-6'
import { MockLanguageModelV3 } from 'ai-6/test'
import type { Driver, ScriptedCall, Told } from './scenarios.ts'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}
const finish = (hasCalls: boolean) => ({ unified: hasCalls ? ('tool-calls' as const) : ('stop' as const), raw: undefined })

/** What a model of the AI SDK streams for one turn. */
export const parts = (calls: readonly ScriptedCall[], step: number) => [
  { type: 'stream-start' as const, warnings: [] },
  ...(calls.length === 0
    ? [
        { type: 'text-start' as const, id: '1' },
        { type: 'text-delta' as const, id: '1', delta: 'Done.' },
        { type: 'text-end' as const, id: '1' },
      ]
    : calls.map(({ name, args }, index) => ({
        type: 'tool-call' as const,
        toolCallId: `call-${step}-${index}`,
        toolName: name,
        input: JSON.stringify(args),
      }))),
  { type: 'finish' as const, finishReason: finish(calls.length > 0), usage },
]

/** The tool results in a prompt, as the model is sent them. */
export function toldIn(prompt: readonly { readonly role: string; readonly content: unknown }[]): readonly Told[] {
  return prompt
    .filter(({ role }) => role === 'tool')
    .flatMap(({ content }) => content as readonly { readonly output: unknown }[])
    .map(({ output }) => readOutput(output as AiSdkModelOutput))
}

type Parts = readonly { readonly type: string; readonly text?: string }[]

function readOutput(output: AiSdkModelOutput): Told {
  if (output.type !== 'content') return { text: output.value, isError: output.type === 'error-text', images: 0 }
  const value: Parts = output.value
  return {
    text: value.map(({ text = '' }) => text).join(''),
    isError: false,
    images: value.filter(({ type }) => /^(file|image|media)/.test(type)).length,
  }
}

export const aiSdk7: Driver = {
  name: 'AI SDK 7',
  glue: ["import { aiSdkTools } from 'anchorage/adapters/ai-sdk'", 'tools: aiSdkTools(tools)'],
  hasProgress: true,
  showsImages: true,
  flagsErrors: true,
  abort: 'ends',
  hasCallIds: true,
  async run({ tools, script, signal, onProgress, options }) {
    let told: readonly Told[] = []
    let step = 0
    const model = new MockLanguageModelV4({
      doStream({ prompt }) {
        told = toldIn(prompt)
        return Promise.resolve({ stream: convertArrayToReadableStream(parts(script(told), step++)) })
      },
    })
    const result = streamText({
      model,
      tools: aiSdkTools(tools, options),
      prompt: 'Go',
      stopWhen: stepCountIs(10),
      abortSignal: signal,
    })
    for await (const part of result.fullStream) {
      if (part.type === 'tool-result' && part.preliminary === true) onProgress(JSON.stringify(part.output))
      if (part.type === 'error') throw part.error
    }
    return told
  },
}

export const aiSdk6: Driver = {
  ...aiSdk7,
  name: 'AI SDK 6',
  async run({ tools, script, signal, onProgress, options }) {
    let told: readonly Told[] = []
    let step = 0
    const model = new MockLanguageModelV3({
      doStream({ prompt }) {
        told = toldIn(prompt)
        return Promise.resolve({ stream: convertArrayToReadableStream(parts(script(told), step++)) })
      },
    })
    const result = streamText6({
      model,
      tools: aiSdkTools(tools, options),
      prompt: 'Go',
      stopWhen: stepCountIs6(10),
      abortSignal: signal,
    })
    for await (const part of result.fullStream) {
      if (part.type === 'tool-result' && part.preliminary === true) onProgress(JSON.stringify(part.output))
      if (part.type === 'error') throw part.error
    }
    return told
  },
}
