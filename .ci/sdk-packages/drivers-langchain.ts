// LangChain's agent with a scripted chat model.

import { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { langchainTools } from 'anchorage/adapters/langchain'
import { createAgent } from 'langchain'
import type { Driver, Script, Told } from './scenarios.ts'

export class ScriptedModel extends BaseChatModel {
  told: readonly Told[] = []
  #id = 0
  readonly #script: Script

  constructor(script: Script) {
    super({})
    this.#script = script
  }

  _llmType(): string {
    return 'scripted'
  }

  override bindTools(tools: readonly unknown[]): this {
    // What a provider's package does with them.
    for (const tool of tools) convertToOpenAITool(tool as never)
    return this
  }

  _generate(messages: BaseMessage[], _options: unknown, _manager?: CallbackManagerForLLMRun): Promise<ChatResult> {
    this.told = messages.flatMap(message => (ToolMessage.isInstance(message) ? [toldOf(message)] : []))
    const calls = this.#script(this.told)
    const message =
      calls.length === 0
        ? new AIMessage('Done.')
        : new AIMessage({
            content: '',
            tool_calls: calls.map(({ name, args }) => ({ id: `call_${++this.#id}`, name, args, type: 'tool_call' })),
          })
    return Promise.resolve({ generations: [{ text: '', message }] })
  }
}

function toldOf({ content, status }: ToolMessage): Told {
  const isError = status === 'error'
  if (typeof content === 'string') return { text: content, isError, images: 0 }
  return {
    isError,
    text: content.map(block => ('text' in block ? String(block.text) : '')).join('\n'),
    images: content.filter(({ type }) => type === 'image_url').length,
  }
}

export const langchain: Driver = {
  name: 'LangChain',
  glue: ["import { langchainTools } from 'anchorage/adapters/langchain'", 'tools: langchainTools(tools)'],
  hasProgress: false,
  showsImages: true,
  flagsErrors: true,
  abort: 'rejects',
  hasCallIds: true,
  async run({ tools, script, signal, options }) {
    const model = new ScriptedModel(script)
    const agent = createAgent({ model, tools: langchainTools(tools, options) })
    await agent.invoke({ messages: [{ role: 'user', content: 'Go' }] }, { signal })
    return model.told
  },
}
