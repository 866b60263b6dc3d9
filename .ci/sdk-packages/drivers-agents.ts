// OpenAI's Agents SDK with a scripted model.

import { Agent, Runner, Usage, type Model, type ModelRequest, type ModelResponse } from '@openai/agents'
import { agentTools } from 'anchorage/adapters/openai-agents'
import type { Driver, Script, Told } from './scenarios.ts'

export class ScriptedModel implements Model {
  told: readonly Told[] = []
  #id = 0
  readonly #script: Script

  constructor(script: Script) {
    this.#script = script
  }

  getResponse({ input }: ModelRequest): Promise<ModelResponse> {
    this.told =
      typeof input === 'string' ? [] : input.flatMap(item => (item.type === 'function_call_result' ? [toldOf(item.output)] : []))
    const calls = this.#script(this.told)
    const output: ModelResponse['output'] =
      calls.length === 0
        ? [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Done.' }] }]
        : calls.map(({ name, args }) => ({
            type: 'function_call',
            callId: `call_${++this.#id}`,
            name,
            status: 'completed',
            arguments: JSON.stringify(args),
          }))
    return Promise.resolve({ usage: new Usage(), output })
  }

  getStreamedResponse(): never {
    throw new Error('The tests do not stream.')
  }
}

function toldOf(output: unknown): Told {
  if (typeof output === 'string') return { text: output, isError: undefined, images: 0 }
  const parts = (Array.isArray(output) ? output : [output]) as readonly { readonly type: string; readonly text?: string }[]
  return {
    text: parts.map(({ text = '' }) => text).join('\n'),
    isError: undefined,
    images: parts.filter(({ type }) => type.endsWith('image')).length,
  }
}

export const openaiAgents: Driver = {
  name: 'OpenAI Agents',
  glue: ["import { agentTools } from 'anchorage/adapters/openai-agents'", 'tools: agentTools(tools)'],
  hasProgress: false,
  showsImages: true,
  flagsErrors: false,
  abort: 'rejects',
  hasCallIds: true,
  async run({ tools, script, signal, options }) {
    const model = new ScriptedModel(script)
    const runner = new Runner({ modelProvider: { getModel: () => model }, tracingDisabled: true })
    await runner.run(new Agent({ name: 'Scripted', tools: agentTools(tools, options) }), 'Go', { signal, maxTurns: 20 })
    return model.told
  },
}
