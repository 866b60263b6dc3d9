// OpenAI's SDK over a fetch that answers as the script says: Chat Completions with runTools, and the Responses API.

import { hashlineGrammar } from 'anchorage'
import { answerResponseCalls, openaiTools, responseTools } from 'anchorage/adapters/openai'
import OpenAI from 'openai'
import type { Driver, Script, Told } from './scenarios.ts'

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

interface ResponsesRequest {
  readonly input: string | readonly { readonly type?: string; readonly output?: string | readonly { readonly type: string }[] }[]
}

const clientOver = (answer: (body: unknown) => unknown): OpenAI =>
  new OpenAI({
    apiKey: 'none',
    dangerouslyAllowBrowser: true,
    fetch: (_url, init) => Promise.resolve(Response.json(answer(JSON.parse(init?.body as string)))),
  })

function chatClient(script: Script): { readonly client: OpenAI; readonly told: () => readonly Told[] } {
  let told: readonly Told[] = []
  let id = 0
  const client = clientOver(body => {
    const { messages } = body as ChatRequest
    told = messages.filter(({ role }) => role === 'tool').map(({ content }) => ({ text: content, isError: undefined, images: 0 }))
    const calls = script(told)
    const message =
      calls.length === 0
        ? { role: 'assistant', content: 'Done.', refusal: null }
        : {
            role: 'assistant',
            content: null,
            refusal: null,
            tool_calls: calls.map(({ name, args }) => ({
              id: `call_${++id}`,
              type: 'function',
              function: { name, arguments: JSON.stringify(args) },
            })),
          }
    const choice = { index: 0, message, finish_reason: calls.length === 0 ? 'stop' : 'tool_calls', logprobs: null }
    return { id: `chat_${++id}`, object: 'chat.completion', created: 0, model: 'scripted', choices: [choice] }
  })
  return { client, told: () => told }
}

export const openaiChat: Driver = {
  name: 'OpenAI runTools',
  glue: ["import { openaiTools } from 'anchorage/adapters/openai'", 'tools: openaiTools(tools)'],
  hasProgress: false,
  showsImages: false,
  flagsErrors: false,
  abort: 'rejects',
  hasCallIds: false,
  async run({ tools, script, signal, options }) {
    const { client, told } = chatClient(script)
    const messages = [{ role: 'user' as const, content: 'Go' }]
    await client.chat.completions
      .runTools({ model: 'scripted', messages, tools: openaiTools(tools, options) }, { signal })
      .finalContent()
    return told()
  },
}

export const openaiResponses: Driver = {
  name: 'OpenAI Responses',
  glue: [
    "import { answerResponseCalls, responseTools } from 'anchorage/adapters/openai'",
    'tools: responseTools(tools)',
    'const input = await answerResponseCalls(tools, response, { signal })',
  ],
  hasProgress: false,
  showsImages: true,
  flagsErrors: false,
  abort: 'rejects',
  hasCallIds: true,
  async run({ tools, script, signal, options }) {
    let told: readonly Told[] = []
    let id = 0
    const isAtomic = tools.tools.some(({ name }) => name === 'edit')
    const client = clientOver(body => {
      const { input } = body as ResponsesRequest
      const outputs = typeof input === 'string' ? [] : input.filter(({ type = '' }) => type.endsWith('_output'))
      told = [...told, ...outputs.map(({ output = '' }) => toldOf(output))]
      const calls = script(told)
      const output = calls.map(({ name, args }) =>
        // The custom tool's input is the text itself.
        isAtomic && name === 'edit'
          ? { type: 'custom_tool_call', id: `ctc_${++id}`, call_id: `call_${id}`, name, input: args['input'] }
          : {
              type: 'function_call',
              id: `fc_${++id}`,
              call_id: `call_${id}`,
              name,
              arguments: JSON.stringify(args),
              status: 'completed',
            },
      )
      return { id: `resp_${++id}`, object: 'response', created_at: 0, model: 'scripted', status: 'completed', output }
    })
    const definitions = responseTools(tools, isAtomic ? { freeform: { edit: hashlineGrammar } } : {})
    let response = await client.responses.create({ model: 'scripted', input: 'Go', tools: definitions }, { signal })
    for (;;) {
      const input = await answerResponseCalls(tools, response, { signal, ...options })
      if (input.length === 0) return told
      const next = { model: 'scripted', previous_response_id: response.id, input, tools: definitions }
      response = await client.responses.create(next, { signal })
    }
  },
}

function toldOf(output: string | readonly { readonly type: string; readonly text?: string }[]): Told {
  if (typeof output === 'string') return { text: output, isError: undefined, images: 0 }
  return {
    text: output.map(({ text = '' }) => text).join('\n'),
    isError: undefined,
    images: output.filter(({ type }) => type === 'input_image').length,
  }
}
