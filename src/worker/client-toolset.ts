// A toolset on the page: definitions are held here, calls go over. It belongs to the worker it was opened in and ends with it.

import { AnchorageError } from '../core/errors.ts'
import { defaultLimits, type Limits } from '../core/limits.ts'
import type { CallContext, CloseOptions, SessionState, ToolDefinition, ToolResult, Toolset, ToolUpdate } from '../core/tool.ts'
import type { ToolsetOptions } from '../session/toolset.ts'
import type { ToolsetName } from '../workspace/workspace.ts'
import type { Connection } from './connection.ts'
import type { Supervisor } from './supervisor.ts'

export async function clientToolset(
  supervisor: Supervisor,
  name: ToolsetName,
  options: ToolsetOptions | undefined,
  workspaceLimits: Partial<Limits> | undefined,
): Promise<Toolset> {
  if (options?.edit?.blocks !== undefined) {
    throw new AnchorageError(
      'toolset-options',
      'edit.blocks is a function and cannot be sent to a worker. Next: leave it out, or open the workspace where the function lives.',
    )
  }
  if (options?.bashInterceptor?.handler !== undefined) {
    throw new AnchorageError(
      'toolset-options',
      'bashInterceptor.handler is a function and cannot be sent to a worker. Next: use rules, or open the workspace where the function lives.',
    )
  }
  const connection: Connection = await supervisor.current()
  const { toolsetId, tools } = await connection.request('openToolset', [name, options], { label: `toolset ${name}` })
  const limits: Limits = { ...defaultLimits, ...workspaceLimits, ...options?.limits }
  return {
    tools,
    async call(tool: string, args: unknown, context: CallContext = {}): Promise<ToolResult> {
      context.signal?.throwIfAborted()
      const lost = supervisor.sessionError(connection)
      if (lost !== undefined) throw lost
      const { onUpdate } = context
      return await connection.request('call', [toolsetId, tool, args, context.callId], {
        signal: context.signal,
        // What comes over the port is what the tool passed to the worker's `onUpdate`.
        onUpdate: onUpdate === undefined ? undefined : update => onUpdate(update as ToolUpdate),
        ownTimeMs: ownTimeMs(tools, tool, args, limits),
        label: tool,
      })
    },
    async state(): Promise<SessionState> {
      const lost = supervisor.sessionError(connection)
      if (lost !== undefined) throw lost
      return await connection.request('toolsetState', [toolsetId], { label: `state of ${name}` })
    },
    async close({ forget = false }: CloseOptions = {}): Promise<void> {
      // A lost worker closed it in its own way.
      if (connection.ended === undefined) await connection.request('closeToolset', [toolsetId, forget])
    },
  }
}

/**
 * How long a tool may keep the worker's thread to itself. A tool with a `timeout` (seconds, in every toolset) may take all of it: a
 * tight loop in a shell leaves no room for an answer. Every other tool is bounded by the longest bound there is, a search's.
 */
export function ownTimeMs(tools: readonly ToolDefinition[], name: string, args: unknown, limits: Limits): number {
  const properties = tools.find(tool => tool.name === name)?.inputSchema['properties']
  if (!hasKey(properties, 'timeout')) return limits.searchTimeoutMs
  const asked = hasKey(args, 'timeout') ? Number(args['timeout']) * 1000 : Number.NaN
  const timeoutMs = Number.isFinite(asked) && asked > 0 ? asked : limits.bashTimeoutMs
  return Math.max(limits.searchTimeoutMs, Math.min(timeoutMs, limits.bashMaxTimeoutMs))
}

function hasKey<K extends string>(value: unknown, key: K): value is Record<K, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
}
