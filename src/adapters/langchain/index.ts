// `anchorage/adapters/langchain`: tools for LangChain and LangGraph agents. Nothing of the SDK is imported: an agent requires
// only `lc_runnable`, a schema and `invoke`.

import {
  adapterOptions,
  callAdapted,
  nonEmptyContent,
  resultAsText,
  toolsOf,
  type AdapterOptions,
} from '../../core/adapted-call.ts'
import { isRecord } from '../../core/record.ts'
import type { ContentBlock, JsonSchema, ToolResult, Toolset } from '../../core/tool.ts'

export type { AdaptedCall, AdapterOptions } from '../../core/adapted-call.ts'

/** A block of a tool message. */
export type LangchainContent = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

/** The data from which an agent creates a `ToolMessage`. */
export interface LangchainToolMessage {
  type: 'tool'
  /** Makes LangChain use the message unchanged. */
  lc_direct_tool_output: true
  content: string | LangchainContent[]
  tool_call_id: string
  name: string
  status: 'success' | 'error'
  /** The whole result, for the host; it is not sent to the model. */
  artifact: ToolResult
}

/** A tool for `createAgent({ tools })`, `ToolNode` and `model.bindTools`. */
export interface LangchainTool {
  lc_runnable: true
  lc_namespace: string[]
  name: string
  description: string
  schema: JsonSchema
  returnDirect: false
  /** For a tool call, returns a message; for bare arguments, the text of the result. */
  invoke(input: unknown, config?: unknown): Promise<LangchainToolMessage | string>
  [key: string]: unknown
}

/**
 * Tools for LangChain's `createAgent({ tools })` and LangGraph's `ToolNode`. Arguments reach the toolset as the model wrote them,
 * so its repairs and error texts apply. The message of a failed call has `status: 'error'`; its `artifact` is the whole
 * `ToolResult`.
 *
 * @example
 * import { createWorkspace } from 'anchorage'
 * import { langchainTools } from 'anchorage/adapters/langchain'
 * import { memory } from 'anchorage/fs/memory'
 *
 * const workspace = await createWorkspace({ fs: memory({}) })
 * const tools = langchainTools(await workspace.toolset('atomic'))
 * // createAgent({ model, tools })
 */
export function langchainTools(tools: Toolset, options: AdapterOptions = {}): LangchainTool[] {
  return toolsOf('langchainTools', tools, options, adapterOptions).map(({ name, description, inputSchema }) => ({
    lc_runnable: true,
    lc_namespace: ['anchorage', 'tools'],
    name,
    description,
    schema: inputSchema,
    returnDirect: false,
    async invoke(input, config) {
      const { args, callId } = readInput(input)
      const result = await callAdapted(tools, name, args, { signal: signalOf(config), callId }, options)
      if (callId === undefined) return resultAsText(result)
      return {
        ...messageBrand,
        type: 'tool',
        lc_direct_tool_output: true,
        content: contentOf(result),
        tool_call_id: callId,
        name,
        status: result.isError ? 'error' : 'success',
        artifact: result,
      }
    },
  }))
}

/** LangChain recognises a message by this symbol, whichever copy of the SDK created it, and converts it to its own class. */
const messageBrand = { [Symbol.for('langchain.message')]: true }

function readInput(input: unknown): { readonly args: unknown; readonly callId: string | undefined } {
  if (!isRecord(input) || input['type'] !== 'tool_call') return { args: input, callId: undefined }
  return { args: input['args'], callId: typeof input['id'] === 'string' ? input['id'] : '' }
}

function signalOf(config: unknown): AbortSignal | undefined {
  const signal = isRecord(config) ? config['signal'] : undefined
  return signal instanceof AbortSignal ? signal : undefined
}

function contentOf({ content }: ToolResult): string | LangchainContent[] {
  const blocks = nonEmptyContent(content)
  if (blocks.every(({ type }) => type === 'text')) return resultAsText({ isError: false, content })
  return blocks.map(block => contentBlock(block))
}

function contentBlock(block: ContentBlock): LangchainContent {
  if (block.type === 'text') return { type: 'text', text: block.text }
  return { type: 'image_url', image_url: { url: `data:${block.mimeType};base64,${block.data}` } }
}
