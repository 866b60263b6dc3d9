// `anchorage/adapters/anthropic`: tools for the Messages API, with the tool runner of Anthropic's SDK or with your own loop.
// Nothing of the SDK is imported.

import { checkMember } from '../../core/errors.ts'
import { adapterOptions, callAdapted, nonEmptyContent, toolsOf, type AdapterOptions } from '../../core/adapted-call.ts'
import { isRecord } from '../../core/record.ts'
import { textOf } from '../../core/text-of.ts'
import type { ContentBlock, JsonSchema, ToolResult, Toolset } from '../../core/tool.ts'

export type { AdaptedCall, AdapterOptions } from '../../core/adapted-call.ts'

/** The media types that the Messages API accepts. */
type AnthropicImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'

/** A block of a `tool_result`. */
export type AnthropicContent =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: AnthropicImageType; data: string } }

/** A call as the model writes it. */
export interface AnthropicToolUse {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/** The answer to a call. */
export interface AnthropicToolResult {
  type: 'tool_result'
  tool_use_id: string
  content: AnthropicContent[]
  is_error: boolean
}

/** The tool runner's context of a call; older releases name the call `toolUseBlock`. */
export interface AnthropicRunContext {
  readonly toolUse?: { readonly id: string }
  readonly toolUseBlock?: { readonly id: string }
  readonly signal?: AbortSignal | null | undefined
}

/** A tool for `messages.create` and for `toolRunner`. Its functions are not sent to the API. */
export interface AnthropicTool {
  name: string
  description: string
  input_schema: JsonSchema & { type: 'object' }
  run(input: unknown, context?: AnthropicRunContext): Promise<AnthropicContent[]>
  parse(content: unknown): unknown
}

/** Options of `anthropicTools`. */
export interface AnthropicOptions extends AdapterOptions {
  /**
   * The SDK's class `ToolError`. With it, the model receives a tool's error unchanged; without it, the tool runner adds the
   * prefix `Error: ` and drops images.
   */
  readonly ToolError?: (new (content: AnthropicContent[]) => Error) | undefined
}

/**
 * Tools for `client.beta.messages.toolRunner({ tools })`, and for `client.messages.create({ tools })` together with
 * `answerToolUses`.
 *
 * If a result is an error, `run` throws, because that is how the tool runner detects errors: it answers with `is_error: true`.
 *
 * @example
 * import { createWorkspace } from 'anchorage'
 * import { anthropicTools } from 'anchorage/adapters/anthropic'
 * import { memory } from 'anchorage/fs/memory'
 *
 * const workspace = await createWorkspace({ fs: memory({}) })
 * const tools = anthropicTools(await workspace.toolset('atomic'))
 * // client.beta.messages.toolRunner({ model, max_tokens, messages, tools })
 */
export function anthropicTools(tools: Toolset, options: AnthropicOptions = {}): AnthropicTool[] {
  return toolsOf('anthropicTools', tools, options, { ...adapterOptions, ToolError: 1 }).map(
    ({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema,
      parse: content => content,
      async run(input, { toolUse, toolUseBlock, signal } = {}) {
        const callId = (toolUse ?? toolUseBlock)?.id
        const result = await callAdapted(tools, name, input, { signal, callId }, options)
        const content = contentOf(result)
        if (!result.isError) return content
        throw options.ToolError === undefined
          ? new Error(textOf({ content: nonEmptyContent(result.content) }))
          : new options.ToolError(content)
      },
    }),
  )
}

/**
 * Runs all tool calls of an assistant's message concurrently and returns the user's message that answers them; `undefined` if
 * there are no calls. For a tool that the toolset does not have, the answer is an error.
 *
 * @example
 * import { createWorkspace } from 'anchorage'
 * import { answerToolUses } from 'anchorage/adapters/anthropic'
 * import { memory } from 'anchorage/fs/memory'
 *
 * const workspace = await createWorkspace({ fs: memory({ 'a.txt': 'hello\n' }) })
 * const message = { content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a.txt' } }] }
 * const answer = await answerToolUses(await workspace.toolset('atomic'), message)
 * // messages.push({ role: 'assistant', content: message.content }, answer)
 */
export async function answerToolUses(
  tools: Toolset,
  message: { readonly content: readonly unknown[] },
  given: AdapterOptions & { readonly signal?: AbortSignal | undefined } = {},
): Promise<{ role: 'user'; content: AnthropicToolResult[] } | undefined> {
  toolsOf('answerToolUses', tools, given, { ...adapterOptions, signal: 1 })
  const { signal, ...options } = given
  checkMember('answerToolUses', message, 'content', 'the message of the model')
  const uses = message.content.filter(isToolUse)
  if (uses.length === 0) return undefined
  const content = await Promise.all(
    uses.map(async ({ id, name, input }): Promise<AnthropicToolResult> => {
      const result = await callAdapted(tools, name, input, { signal, callId: id }, options)
      return { type: 'tool_result', tool_use_id: id, content: contentOf(result), is_error: result.isError }
    }),
  )
  return { role: 'user', content }
}

function isToolUse(block: unknown): block is AnthropicToolUse {
  return isRecord(block) && block['type'] === 'tool_use' && typeof block['id'] === 'string' && typeof block['name'] === 'string'
}

function contentOf({ content }: ToolResult): AnthropicContent[] {
  return nonEmptyContent(content).map(block => contentBlock(block))
}

function contentBlock(block: ContentBlock): AnthropicContent {
  if (block.type === 'text') return { type: 'text', text: block.text }
  // The API refuses the whole request if it contains one unsupported image.
  if (!isAnthropicImageType(block.mimeType))
    return { type: 'text', text: `(an image, ${block.mimeType}, which cannot be shown here)` }
  return { type: 'image', source: { type: 'base64', media_type: block.mimeType, data: block.data } }
}

function isAnthropicImageType(mimeType: string): mimeType is AnthropicImageType {
  return /^image\/(jpeg|png|gif|webp)$/.test(mimeType)
}
