// `anchorage/adapters/webmcp`: tools for the browser's own agents, through WebMCP (`document.modelContext`).

import { callAdapted, nonEmptyContent, type AdapterOptions } from '../../core/adapted-call.ts'
import { isRecord } from '../../core/record.ts'
import type { JsonSchema, ToolAnnotations, ToolResult, Toolset } from '../../core/tool.ts'

export type { AdaptedCall, AdapterOptions } from '../../core/adapted-call.ts'

/** Options of `registerWebMcp`. */
export interface WebMcpOptions extends AdapterOptions {
  /** Aborting it takes the tools back. */
  readonly signal?: AbortSignal | undefined
}

/** A tool as WebMCP takes it. */
export interface WebMcpTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly annotations: ToolAnnotations & { readonly untrustedContentHint: boolean }
  execute(input: unknown, client?: unknown): Promise<Pick<ToolResult, 'isError' | 'content' | 'structuredContent'>>
}

interface ModelContext {
  registerTool(tool: WebMcpTool, options?: { readonly signal?: AbortSignal }): unknown
}

/**
 * Offers the tools to the agent of the browser. Returns false, and does nothing, where the browser has no WebMCP: it is on trial, so a page
 * must not depend on it. Only a page has it; a workspace of `connectWorkspace` forwards each call to its worker.
 *
 * What a file holds is not the page's own word, so every tool says that its content is not to be trusted.
 *
 * @example
 * import { createWorkspace } from 'anchorage'
 * import { registerWebMcp } from 'anchorage/adapters/webmcp'
 * import { memory } from 'anchorage/fs/memory'
 *
 * const workspace = await createWorkspace({ fs: memory({}) })
 * const isOffered = registerWebMcp(globalThis.document, await workspace.toolset('atomic'))
 */
export function registerWebMcp(
  document: object | undefined,
  tools: Toolset,
  { signal, ...options }: WebMcpOptions = {},
): boolean {
  const context = modelContextOf(document)
  if (context === undefined || signal?.aborted === true) return false
  for (const { name, description, inputSchema, annotations } of tools.tools) {
    const tool: WebMcpTool = {
      name,
      description,
      inputSchema,
      annotations: { ...annotations, untrustedContentHint: true },
      async execute(input) {
        const { isError, content, structuredContent } = await callAdapted(tools, name, input, { signal }, options)
        return { isError, content: nonEmptyContent(content), ...(structuredContent === undefined ? {} : { structuredContent }) }
      },
    }
    context.registerTool(tool, signal === undefined ? {} : { signal })
  }
  return true
}

function modelContextOf(document: object | undefined): ModelContext | undefined {
  const context: unknown = document === undefined ? undefined : Reflect.get(document, 'modelContext')
  return isRecord(context) && typeof context['registerTool'] === 'function' ? (context as unknown as ModelContext) : undefined
}
