// Registers tools on an `McpServer` of the host, in addition to its other tools.

import { checkMember } from '../../core/errors.ts'
import { adapterOptions, callAdapted, progressText, toolsOf, type AdapterOptions } from '../../core/adapted-call.ts'
import { isRecord } from '../../core/record.ts'
import { standardSchema, type StandardToolSchema } from '../../core/standard-schema.ts'
import type { JsonSchema, ToolAnnotations, ToolResult, Toolset } from '../../core/tool.ts'

/** The required part of an `McpServer`: its `registerTool`, in SDK 1.x as in 2.x. */
export interface McpServerLike {
  // The signatures of both versions are generic over their own schema types. Our arguments fit both, as the tests with the real SDKs show.
  registerTool(...parameters: never[]): unknown
}

type RegisterTool = (
  name: string,
  config: { description: string; inputSchema: McpInputSchema; annotations: ToolAnnotations },
  handler: (args: unknown, context: unknown) => Promise<McpToolResult>,
) => unknown

interface McpToolResult {
  readonly isError: boolean
  readonly content: ToolResult['content']
  readonly structuredContent?: Record<string, unknown>
}

interface ProgressNotification {
  readonly method: 'notifications/progress'
  readonly params: { readonly progressToken: string | number; readonly progress: number; readonly message: string }
}

/** The handler's context in both versions, in one form. */
interface McpCall {
  readonly signal: AbortSignal | undefined
  readonly callId: string | undefined
  readonly progressToken: string | number | undefined
  readonly notify: ((notification: ProgressNotification) => Promise<void>) | undefined
}

/**
 * Registers every tool of a toolset on an MCP server. Descriptions, schemas, annotations, images, `structuredContent` and errors
 * are passed unchanged. A call that requests progress receives it as notifications; a cancelled request aborts the call. Returns
 * a function that removes the tools.
 *
 * @example
 * import { createWorkspace } from 'anchorage'
 * import { registerTools } from 'anchorage/adapters/mcp'
 * import { memory } from 'anchorage/fs/memory'
 *
 * const workspace = await createWorkspace({ fs: memory({}) })
 * const server = { registerTool: (name: string) => console.log(name) } // new McpServer({ name: 'files', version: '1.0.0' })
 * registerTools(server, await workspace.toolset('atomic'))
 */
export function registerTools(server: McpServerLike, tools: Toolset, options: AdapterOptions = {}): () => void {
  checkMember('registerTools', server, 'registerTool', 'an McpServer')
  const register = server.registerTool.bind(server) as RegisterTool
  const registered = toolsOf('registerTools', tools, options, adapterOptions).map(
    ({ name, description, inputSchema, annotations }) => {
      const handler = async (args: unknown, context: unknown): Promise<McpToolResult> => {
        const { signal, callId, progressToken, notify } = readContext(context)
        let progress = 0
        const onUpdate =
          progressToken === undefined || notify === undefined
            ? undefined
            : (update: Pick<ToolResult, 'content'>): void => {
                const params = { progressToken, progress: ++progress, message: progressText(update) }
                // A disconnected client receives no progress; its call ends by its signal.
                notify({ method: 'notifications/progress', params }).catch(() => {})
              }
        const result = await callAdapted(tools, name, args, { signal, callId, onUpdate }, options)
        const { isError, content, structuredContent } = result
        return { isError, content, ...(structuredContent === undefined ? {} : { structuredContent }) }
      }
      return register(name, { description, inputSchema: inputSchemaOf(inputSchema), annotations }, handler)
    },
  )
  return () => {
    for (const tool of registered) {
      if (isRecord(tool) && typeof tool['remove'] === 'function') tool['remove']()
    }
  }
}

/** Version 2 has the request in `mcpReq`; version 1 has the same fields at the top level. */
function readContext(context: unknown): McpCall {
  if (!isRecord(context)) return { signal: undefined, callId: undefined, progressToken: undefined, notify: undefined }
  const request = isRecord(context['mcpReq']) ? context['mcpReq'] : context
  const { signal, id, requestId, _meta: meta, notify, sendNotification } = request
  const token = isRecord(meta) ? meta['progressToken'] : undefined
  const callId = id ?? requestId
  const send = notify ?? sendNotification
  return {
    signal: signal instanceof AbortSignal ? signal : undefined,
    callId: typeof callId === 'string' || typeof callId === 'number' ? String(callId) : undefined,
    progressToken: typeof token === 'string' || typeof token === 'number' ? token : undefined,
    notify: typeof send === 'function' ? async notification => await send.call(request, notification) : undefined,
  }
}

/**
 * A schema for both versions: 2.x reads `~standard`, and 1.x accepts only Zod schemas. 1.x reads these three members, which Zod
 * documents for other libraries. Both accept every value, because the toolset parses the arguments itself.
 */
interface McpInputSchema extends StandardToolSchema {
  readonly _zod: {
    readonly def: { readonly type: 'object'; readonly shape: Readonly<Record<string, never>> }
    readonly run: <T>(payload: T) => T
    readonly toJSONSchema: () => Record<string, unknown>
  }
}

function inputSchemaOf(schema: JsonSchema): McpInputSchema {
  return {
    ...standardSchema(schema),
    _zod: {
      def: { type: 'object', shape: {} },
      run: payload => payload,
      toJSONSchema: () => structuredClone(schema),
    },
  }
}
