// A workspace whose tools do on purpose what real ones do by accident: fail in every way, wait, report, and block the thread. With it, the
// wire can be tested without any toolset.

import { AnchorageError } from '../../core/errors.ts'
import { isRecord } from '../../core/record.ts'
import type { CallContext, ToolDefinition, ToolResult, Toolset } from '../../core/tool.ts'
import { historyApi } from '../../history/history-api.ts'
import { memory, type MemoryFiles } from '../../backends/memory/index.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { actingAs, originOf } from '../../vfs/origin.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { failures } from './failures.ts'

export interface ScriptedWorkspace extends Workspace {
  /** The events, in order: `open`, `aborted: <reason>`, `closed`, `disposed`. */
  readonly events: string[]
}

function definition(name: string, properties: Record<string, unknown> = {}): ToolDefinition {
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', properties },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    executionMode: 'parallel',
    // As short as a test's time-out; only `bounded` sets its own time.
    busy: { defaultMs: 50, minMs: 50, argument: { name: 'timeout', unitMs: 1000, maxMs: 60_000 } },
  }
}

const tools: readonly ToolDefinition[] = [
  definition('echo'),
  definition('report'),
  definition('fail'),
  definition('wait'),
  definition('block'),
  definition('bounded', { timeout: { type: 'number' } }),
]

const refuse = (): Promise<never> => Promise.reject(new AnchorageError('history-off', 'This workspace keeps no history.'))

export function createScriptedWorkspace(files: MemoryFiles = {}): ScriptedWorkspace {
  const events: string[] = []
  const backend = memory(files)
  const fs = createVfs(backend)
  return {
    events,
    fs,
    root: '/workspace',
    history: historyApi({
      ...{
        caps: refuse,
        list: refuse,
        changes: refuse,
        checkpoint: refuse,
        checkpoints: refuse,
        beginTurn: refuse,
        endTurn: refuse,
      },
      ...{ undo: refuse, redo: refuse, restore: refuse, toCommit: refuse },
    }),
    shell: { open: () => Promise.reject(new AnchorageError('no-shell', 'This workspace has no shell.')) },
    fork: refuse,
    buffers: { open: refuse, connect: refuse, list: refuse, saveAll: refuse },
    as: actor => ({ actor, fs: createVfs(actingAs(backend, originOf({ actor }))) }),
    async toolset(name): Promise<Toolset> {
      if (name !== 'atomic') throw new AnchorageError('unknown-toolset', `There is no toolset ${JSON.stringify(name)}.`)
      events.push('open')
      let isClosed = false
      return {
        tools,
        async call(tool, args, context = {}) {
          if (isClosed) throw new AnchorageError('session-closed', 'This session is closed.')
          return await run(tool, isRecord(args) ? args : {}, context, events)
        },
        preview: async (tool, args) => ({ kind: 'unavailable', reason: `${tool} ${JSON.stringify(args)}` }),
        state: async () => ({ version: 1, seen: [['/a', 'seen']], tags: [] }),
        async close() {
          isClosed = true
          events.push('closed')
        },
      }
    },
    idle: async () => void events.push('idle'),
    async dispose() {
      events.push('disposed')
      await backend.close()
    },
  }
}

async function run(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  context: CallContext,
  events: string[],
): Promise<ToolResult> {
  switch (tool) {
    case 'echo':
      return result({
        args,
        callId: context.callId,
        hasSignal: context.signal !== undefined,
        hasUpdate: context.onUpdate !== undefined,
      })
    case 'report': {
      const count = Number(args['count'])
      for (let index = 0; index < count; index += 1) context.onUpdate?.(result({ index }))
      return result({ count })
    }
    case 'fail':
      throw failures[String(args['how'])]
    case 'wait':
      return await new Promise((_resolve, reject) => {
        events.push('waiting')
        context.signal?.addEventListener('abort', () => {
          events.push(`aborted: ${String(context.signal?.reason)}`)
          reject(context.signal?.reason)
        })
      })
    case 'block':
    case 'bounded': {
      const end = performance.now() + Number(args['blockMs'])
      while (performance.now() < end) Math.sqrt(end)
      return result({ blocked: true })
    }
    default:
      return { isError: true, content: [{ type: 'text', text: `no tool ${tool}` }], details: {} }
  }
}

function result(details: Record<string, unknown>): ToolResult {
  return { isError: false, content: [{ type: 'text', text: 'done' }], details }
}
