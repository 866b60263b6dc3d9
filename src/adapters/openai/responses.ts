// The Responses API: function tools, and custom tools for edit scripts, whose input can be constrained by a grammar.

import { checkMember } from '../../core/errors.ts'
import {
  adapterOptions,
  callAdapted,
  parseJsonArguments,
  resultAsBlocks,
  toolsOf,
  type AdapterOptions,
} from '../../core/adapted-call.ts'
import { isRecord } from '../../core/record.ts'
import type { JsonSchema, ToolDefinition, ToolResult, Toolset } from '../../core/tool.ts'

/** A tool for `responses.create({ tools })`. */
export type ResponseTool =
  | { type: 'function'; name: string; description: string; parameters: JsonSchema; strict: false }
  | {
      type: 'custom'
      name: string
      description: string
      format: { type: 'text' } | { type: 'grammar'; syntax: 'lark'; definition: string }
    }

/** Options of `responseTools`. */
export interface ResponseToolOptions {
  /**
   * Names of tools whose only required argument is a string: the model then writes the string directly, without JSON around it.
   * The value is `true` for any text, or a grammar in Lark's notation, such as `hashlineGrammar` for atomic's `edit`.
   */
  readonly freeform?: Readonly<Record<string, true | string>> | undefined
}

/** A block of an answer with images. */
export type ResponseContent = { type: 'input_text'; text: string } | { type: 'input_image'; image_url: string; detail: 'auto' }

/** The item that answers a call. */
export type ResponseCallOutput =
  | { type: 'function_call_output'; call_id: string; output: string | ResponseContent[] }
  | { type: 'custom_tool_call_output'; call_id: string; output: string | ResponseContent[] }

/**
 * Tools for `client.responses.create({ tools })`; `answerResponseCalls` runs the model's calls.
 *
 * Throws a `TypeError` if `freeform` names a missing tool, or a tool that requires more than one string.
 *
 * @example
 * import { createWorkspace, hashlineGrammar } from 'anchorage'
 * import { responseTools } from 'anchorage/adapters/openai'
 * import { memory } from 'anchorage/fs/memory'
 *
 * const workspace = await createWorkspace({ fs: memory({}) })
 * const tools = responseTools(await workspace.toolset('atomic'), { freeform: { edit: hashlineGrammar } })
 * // client.responses.create({ model, input, tools })
 */
export function responseTools(tools: Toolset, options: ResponseToolOptions = {}): ResponseTool[] {
  const definitions = toolsOf('responseTools', tools, options, { freeform: 1 })
  const { freeform = {} } = options
  for (const name of Object.keys(freeform)) {
    const definition = definitions.find(tool => tool.name === name)
    if (definition === undefined || textArgumentOf(definition) === undefined)
      throw new TypeError(`freeform: "${name}" is not a tool of this toolset whose only required argument is a text.`)
  }
  return definitions.map(({ name, description, inputSchema }): ResponseTool => {
    const format = Object.hasOwn(freeform, name) ? freeform[name] : undefined
    if (format === undefined) return { type: 'function', name, description, parameters: inputSchema, strict: false }
    return {
      type: 'custom',
      name,
      description,
      format: format === true ? { type: 'text' } : { type: 'grammar', syntax: 'lark', definition: format },
    }
  })
}

/**
 * Runs all calls of a response concurrently and returns the items that answer them, for the `input` of the next request.
 *
 * @example
 * import { createWorkspace } from 'anchorage'
 * import { answerResponseCalls } from 'anchorage/adapters/openai'
 * import { memory } from 'anchorage/fs/memory'
 *
 * const workspace = await createWorkspace({ fs: memory({ 'a.txt': 'hello\n' }) })
 * const response = { output: [{ type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"path":"a.txt"}' }] }
 * const input = await answerResponseCalls(await workspace.toolset('atomic'), response)
 * // client.responses.create({ model, previous_response_id: response.id, input, tools })
 */
export async function answerResponseCalls(
  tools: Toolset,
  response: { readonly output: readonly unknown[] },
  given: AdapterOptions & { readonly signal?: AbortSignal | undefined } = {},
): Promise<ResponseCallOutput[]> {
  toolsOf('answerResponseCalls', tools, given, { ...adapterOptions, signal: 1 })
  checkMember('answerResponseCalls', response, 'output', 'the response of the model')
  const { signal, ...options } = given
  const calls = response.output.flatMap(item => readCall(item, tools))
  return await Promise.all(
    calls.map(async ({ type, name, callId, args }): Promise<ResponseCallOutput> => {
      const result = await callAdapted(tools, name, args, { signal, callId }, options)
      return { type, call_id: callId, output: outputOf(result) }
    }),
  )
}

interface ResponseCall {
  readonly type: ResponseCallOutput['type']
  readonly name: string
  readonly callId: string
  readonly args: unknown
}

function readCall(item: unknown, tools: Toolset): readonly ResponseCall[] {
  if (!isRecord(item)) return []
  const { type, name, call_id: callId, arguments: json, input } = item
  if (typeof name !== 'string' || typeof callId !== 'string') return []
  if (type === 'function_call' && typeof json === 'string')
    return [{ type: 'function_call_output', name, callId, args: parseJsonArguments(json) }]
  if (type === 'custom_tool_call' && typeof input === 'string') {
    const definition = tools.tools.find(tool => tool.name === name)
    const argument = definition && textArgumentOf(definition)
    return [{ type: 'custom_tool_call_output', name, callId, args: argument === undefined ? input : { [argument]: input } }]
  }
  return []
}

/** The argument that a freeform text replaces: the only required one, if it is a string. */
function textArgumentOf({ inputSchema }: ToolDefinition): string | undefined {
  const { required, properties } = inputSchema
  if (!Array.isArray(required) || required.length !== 1 || !isRecord(properties)) return undefined
  const name = String(required[0])
  const schema = properties[name]
  return isRecord(schema) && schema['type'] === 'string' ? name : undefined
}

function outputOf(result: ToolResult): string | ResponseContent[] {
  return resultAsBlocks<ResponseContent>(result, block =>
    block.type === 'text'
      ? { type: 'input_text', text: block.text }
      : { type: 'input_image', image_url: `data:${block.mimeType};base64,${block.data}`, detail: 'auto' },
  )
}
