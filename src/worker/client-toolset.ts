// A toolset on the page: it holds the definitions, and sends the calls to the worker. It ends with the worker in which it was opened.

import { busyTimeMs } from '../core/busy-time.ts'
import { checkCallOptions } from '../core/call-options.ts'
import { AnchorageError } from '../core/errors.ts'
import type { CallContext, CloseOptions, SessionState, ToolResult, Toolset, ToolUpdate } from '../core/tool.ts'
import type { ToolPreview } from '../core/tool-preview.ts'
import type { ToolsetName, ToolsetOptions } from '../workspace/toolsets.ts'
import type { Connection } from './connection.ts'
import type { Supervisor } from './supervisor.ts'

export async function clientToolset(
  supervisor: Supervisor,
  name: ToolsetName,
  options: ToolsetOptions | undefined,
): Promise<Toolset> {
  refuseFunctions(options, '')
  if (options?.policy?.approve !== undefined) {
    throw new AnchorageError(
      'toolset-options',
      'policy.approve is a function and cannot be sent to a worker. Next: pass it to connectWorkspace; a request contains who asks (`by`).',
    )
  }
  const connection: Connection = await supervisor.current()
  const { toolsetId, tools } = await connection.request('openToolset', [name, options], { label: `toolset ${name}` })
  return {
    tools,
    async call(tool: string, args: unknown, context: CallContext = {}): Promise<ToolResult> {
      await checkCallOptions('call', context)
      context.signal?.throwIfAborted()
      const lost = supervisor.sessionError(connection)
      if (lost !== undefined) throw lost
      const { onUpdate } = context
      const busyTime = tools.find(({ name: own }) => own === tool)?.busy
      return await connection.request('call', [toolsetId, tool, args, context.callId, context.turn], {
        signal: context.signal,
        // The value from the port is what the tool passed to `onUpdate` in the worker.
        onUpdate: onUpdate === undefined ? undefined : update => onUpdate(update as ToolUpdate),
        ownTimeMs: busyTime === undefined ? 0 : busyTimeMs(busyTime, args),
        label: tool,
      })
    },
    async preview(tool: string, args: unknown, options: Pick<CallContext, 'signal'> = {}): Promise<ToolPreview> {
      await checkCallOptions('preview', options)
      const { signal } = options
      signal?.throwIfAborted()
      const lost = supervisor.sessionError(connection)
      if (lost !== undefined) throw lost
      return await connection.request('preview', [toolsetId, tool, args], { signal, label: `preview of ${tool}` })
    },
    async state(): Promise<SessionState> {
      const lost = supervisor.sessionError(connection)
      if (lost !== undefined) throw lost
      return await connection.request('toolsetState', [toolsetId], { label: `state of ${name}` })
    },
    async close(options: CloseOptions = {}): Promise<void> {
      await checkCallOptions('close', options)
      const { forget = false } = options
      // If the worker was lost, the toolset is closed already.
      if (connection.ended === undefined) await connection.request('closeToolset', [toolsetId, forget])
    },
  }
}

/** Functions cannot be sent to a worker, so an option that contains one is refused with its path. */
function refuseFunctions(value: unknown, path: string): void {
  if (typeof value === 'function') {
    throw new AnchorageError(
      'toolset-options',
      `${path} is a function and cannot be sent to a worker. Leave it out, or open the workspace in the thread that has the function.`,
    )
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, each] of Object.entries(value)) refuseFunctions(each, path === '' ? name : `${path}.${name}`)
}
