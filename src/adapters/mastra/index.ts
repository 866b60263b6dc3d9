// `anchorage/adapters/mastra`: tools for Mastra's agents. Nothing of the SDK is imported: Mastra accepts tools in the AI SDK's
// form, with a different `toModelOutput`.

import { adapterOptions, callAdapted, nonEmptyContent, toolsOf, type AdapterOptions } from '../../core/adapted-call.ts'
import { standardSchema } from '../../core/standard-schema.ts'
import { textOf } from '../../core/text-of.ts'
import type { ToolResult, Toolset } from '../../core/tool.ts'

export type { AdaptedCall, AdapterOptions } from '../../core/adapted-call.ts'

/** Mastra's context of a call. */
export interface MastraCall {
  readonly toolCallId?: string | undefined
  readonly abortSignal?: AbortSignal | undefined
}

/** The result as the model sees it. */
export type MastraModelOutput =
  | { type: 'text'; value: string }
  | { type: 'error-text'; value: string }
  | { type: 'content'; value: ({ type: 'text'; text: string } | { type: 'media'; data: string; mediaType: string })[] }

/** A tool for `new Agent({ tools })`. */
export interface MastraTool {
  description: string
  /** A Standard Schema. Mastra accepts it, although its types for tools of this form allow only Zod schemas. */
  inputSchema: never
  execute(input: unknown, call?: MastraCall): Promise<ToolResult>
  /** Mastra passes the output directly; the AI SDK wraps it in an object. */
  toModelOutput(output: unknown): MastraModelOutput
}

/**
 * Tools for Mastra's `new Agent({ tools })`, by name. The result of a call is the whole `ToolResult`, for the host; the model sees its
 * content.
 *
 * @example
 * import { createWorkspace } from 'anchorage'
 * import { mastraTools } from 'anchorage/adapters/mastra'
 * import { memory } from 'anchorage/fs/memory'
 *
 * const workspace = await createWorkspace({ fs: memory({}) })
 * const tools = mastraTools(await workspace.toolset('atomic'))
 * // new Agent({ id: 'coder', name: 'Coder', instructions, model, tools })
 */
export function mastraTools(tools: Toolset, options: AdapterOptions = {}): Record<string, MastraTool> {
  return Object.fromEntries(
    toolsOf('mastraTools', tools, options, adapterOptions).map(({ name, description, inputSchema }): [string, MastraTool] => [
      name,
      {
        description,
        inputSchema: standardSchema(inputSchema) as never,
        execute: async (input, { abortSignal, toolCallId } = {}) =>
          await callAdapted(tools, name, input, { signal: abortSignal, callId: toolCallId }, options),
        toModelOutput: output => modelOutput(output as ToolResult),
      },
    ]),
  )
}

function modelOutput({ isError, content }: ToolResult): MastraModelOutput {
  const blocks = nonEmptyContent(content)
  if (isError) return { type: 'error-text', value: textOf({ content: blocks }) }
  if (blocks.every(({ type }) => type === 'text')) return { type: 'text', value: textOf({ content: blocks }) }
  return {
    type: 'content',
    value: blocks.map(block =>
      block.type === 'text' ? { type: 'text', text: block.text } : { type: 'media', data: block.data, mediaType: block.mimeType },
    ),
  }
}
