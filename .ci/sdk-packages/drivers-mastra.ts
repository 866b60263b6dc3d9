// Mastra's agent with the AI SDK's mock model.

import { Agent } from '@mastra/core/agent'

import { convertArrayToReadableStream, MockLanguageModelV3 } from 'ai-6/test'
import { mastraTools } from 'anchorage/adapters/mastra'
import { parts, toldIn } from './drivers-ai.ts'
import type { Driver, Told } from './scenarios.ts'

export const mastra: Driver = {
  name: 'Mastra',
  glue: ["import { mastraTools } from 'anchorage/adapters/mastra'", 'tools: mastraTools(tools)'],
  hasProgress: false,
  showsImages: true,
  flagsErrors: true,
  abort: 'ends',
  hasCallIds: true,
  async run({ tools, script, signal, options }) {
    let told: readonly Told[] = []
    let step = 0
    const model = new MockLanguageModelV3({
      doStream({ prompt }) {
        told = toldIn(prompt)
        return Promise.resolve({ stream: convertArrayToReadableStream(parts(script(told), step++)) })
      },
    })
    const agent = new Agent({
      id: 'scripted',
      name: 'Scripted',
      instructions: 'None.',
      model,
      tools: mastraTools(tools, options),
    })
    const result = await agent.stream('Go', { abortSignal: signal, maxSteps: 10 })
    await result.consumeStream()
    return told
  },
}
