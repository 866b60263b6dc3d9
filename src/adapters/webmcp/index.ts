// `anchorage/adapters/webmcp`: tools for the browser's own agents, through WebMCP (`document.modelContext`).

import { checkMember } from '../../core/errors.ts'
import { joinSignals } from '../../core/abort.ts'
import { adapterOptions, callAdapted, nonEmptyContent, toolsOf, type AdapterOptions } from '../../core/adapted-call.ts'
import { isRecord } from '../../core/record.ts'
import type { JsonSchema, ToolAnnotations, ToolResult, Toolset } from '../../core/tool.ts'

export type { AdaptedCall, AdapterOptions } from '../../core/adapted-call.ts'

/** Options of `registerWebMcp`. */
export interface WebMcpOptions extends AdapterOptions {
  /** Aborting it removes the tools. */
  readonly signal?: AbortSignal | undefined
}

/** A tool in WebMCP's form. */
export interface WebMcpTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly annotations: ToolAnnotations & { readonly untrustedContentHint: boolean }
  /** @param client has the `signal` of this call, in browsers that let an agent cancel one */
  execute(input: unknown, client?: unknown): Promise<Pick<ToolResult, 'isError' | 'content' | 'structuredContent'>>
}

interface ModelContext {
  registerTool(tool: WebMcpTool, options: { readonly signal: AbortSignal }): unknown
  /** Used in earlier drafts, which have no `signal`. */
  unregisterTool?(name: string): unknown
}

/**
 * Registers the tools with the agent of the browser. If the browser has no WebMCP, or does not allow it in a frame, it does
 * nothing and resolves to false: WebMCP is experimental, so a page must not depend on it. Only pages have WebMCP; a workspace of
 * `connectWorkspace` forwards each call to its worker. Rejects if the page already has a tool of the same name, and then
 * registers none.
 *
 * The page does not control the content of files, so every tool declares its content as untrusted.
 *
 * @example
 * import { createWorkspace } from 'anchorage'
 * import { registerWebMcp } from 'anchorage/adapters/webmcp'
 * import { memory } from 'anchorage/fs/memory'
 *
 * const workspace = await createWorkspace({ fs: memory({}) })
 * const isOffered = await registerWebMcp(globalThis.document, await workspace.toolset('atomic'))
 */
export async function registerWebMcp(document: object | undefined, tools: Toolset, given: WebMcpOptions = {}): Promise<boolean> {
  if (document !== undefined) checkMember('registerWebMcp', document, 'constructor', 'globalThis.document')
  const definitions = toolsOf('registerWebMcp', tools, given, { ...adapterOptions, signal: 1 })
  const { signal, ...options } = given
  const context = modelContextOf(document)
  if (context === undefined || signal?.aborted === true) return false
  const failed = new AbortController()
  const { signal: until } = joinSignals([signal, failed.signal])
  const offered = definitions.map(async ({ name, description, inputSchema, annotations }) => {
    const tool: WebMcpTool = {
      name,
      description,
      inputSchema,
      annotations: { ...annotations, untrustedContentHint: true },
      async execute(input, client) {
        const { signal: ofCall, release } = joinSignals([until, signalOf(client)])
        try {
          const { isError, content, structuredContent } = await callAdapted(tools, name, input, { signal: ofCall }, options)
          return { isError, content: nonEmptyContent(content), ...(structuredContent === undefined ? {} : { structuredContent }) }
        } finally {
          release()
        }
      },
    }
    await offer(context, tool, until)
  })
  try {
    await Promise.all(offered)
    return true
  } catch (error) {
    const isTakenBack = until.aborted
    failed.abort()
    if (isTakenBack || isForbidden(error)) return false
    throw error
  }
}

async function offer(context: ModelContext, tool: WebMcpTool, until: AbortSignal): Promise<void> {
  await context.registerTool(tool, { signal: until })
  if (typeof context.unregisterTool !== 'function') return
  const takeBack = (): void => {
    try {
      context.unregisterTool?.(tool.name)
    } catch {
      // A browser that supports `signal` has already removed it.
    }
  }
  if (until.aborted) takeBack()
  else until.addEventListener('abort', takeBack, { once: true })
}

/** Returns `document.modelContext`, which Firefox and the first experimental versions of Chrome have in `navigator`. */
function modelContextOf(document: object | undefined): ModelContext | undefined {
  if (document === undefined) return undefined
  const view: unknown = Reflect.get(document, 'defaultView')
  const navigator: unknown = isRecord(view) ? view['navigator'] : undefined
  const places = [document, navigator].filter(isRecord)
  const context = places.map(place => place['modelContext']).find(isRecord)
  return typeof context?.['registerTool'] === 'function' ? (context as unknown as ModelContext) : undefined
}

/** Firefox supports WebMCP only in the top window, and a page may disallow it in a frame. */
function isForbidden(error: unknown): boolean {
  return isRecord(error) && error['name'] === 'NotAllowedError'
}

function signalOf(client: unknown): AbortSignal | undefined {
  const signal = isRecord(client) ? client['signal'] : undefined
  // Not `instanceof`, because the document may belong to another frame.
  return isRecord(signal) && typeof signal['aborted'] === 'boolean' ? (signal as unknown as AbortSignal) : undefined
}
