// The open buffers of a workspace: how its tools, its commands and its host see them. Loaded once there are any.

import { checkActor, type Attribution } from '../core/actor.ts'
import { checkArguments } from '../core/argument.ts'
import { AnchorageError } from '../core/errors.ts'
import { displayPath, rootPath, type VfsPath } from '../core/path.ts'
import type { ToolResult } from '../core/tool.ts'
import type { BufferRules, WorkspaceBuffers } from '../buffers/buffer.ts'
import { BufferHub } from '../buffers/hub.ts'
import { openReplica } from '../buffers/replica.ts'
import { beforeCommand, bufferedShell, sameCall } from '../buffers/shell.ts'
import { bufferedBackend, type BufferTraces } from '../buffers/view.ts'
import type { Shell } from '../shell/shell.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import { attributed } from '../vfs/origin.ts'

export interface BufferAccess {
  readonly api: WorkspaceBuffers
  /** `backend` as the tools of one call see it. */
  readonly view: (backend: VfsBackend, origin: string) => VfsBackend
  readonly shell: (shell: Shell) => Shell
  /** See `ShellSessionOptions.before`. */
  readonly beforeLine: () => Promise<string | undefined> | undefined
  /** Throws `ToolError` `unsaved-files` if a command must not run. */
  readonly beforeCommand: (origin: string) => Promise<void>
  /** Adds to a result which unsaved texts the call has seen. */
  readonly annotate: (result: ToolResult) => ToolResult
  readonly close: () => void
}

type Traces = BufferTraces & { readonly told: Set<VfsPath> }

/** Calls whose results are not finished yet. Aborted calls have none, so the oldest are forgotten. */
const maxTraces = 1_000

export interface BufferGround {
  readonly backend: VfsBackend
  readonly root: VfsPath
  readonly clock: () => number
  readonly maxBytes: number
  readonly rules: BufferRules | undefined
}

export function openBufferAccess({ rules, ...ground }: BufferGround): BufferAccess {
  const { root } = ground
  const { edits = 'save-clean', commands = 'save' } = rules ?? {}
  const hub = new BufferHub({ ...ground, rules: { edits, commands } })
  const traces = new Map<string, Traces>()
  const tracesOf = (by: Attribution | undefined): Traces => {
    const call = by === undefined ? '' : sameCall(by)
    const known = traces.get(call) ?? { read: new Set(), changed: new Set(), told: new Set() }
    traces.delete(call)
    traces.set(call, known)
    for (const oldest of traces.keys()) {
      if (traces.size <= maxTraces) break
      traces.delete(oldest)
    }
    return known
  }
  const connect: WorkspaceBuffers['connect'] = async (path, options, listener) => {
    checkArguments('buffers', [path, options, listener], ['text', ['actor', 'create', 'unsaved'], 'function'])
    if (options?.actor !== undefined) checkActor(options.actor)
    return await hub.open(path, options ?? {}, listener)
  }
  return {
    api: {
      connect,
      open: (path, options = {}) => openReplica(listener => connect(path, options, listener)),
      list: async () => hub.list(),
      saveAll: () => hub.saveAll(),
    },
    view(backend, origin) {
      const by = byOf(origin)
      return bufferedBackend(backend, hub, tracesOf(by), by)
    },
    shell: shell => bufferedShell(shell, hub, root, origin => tracesOf(byOf(origin))),
    beforeLine: () => (hub.unsaved().length === 0 ? undefined : beforeLine(hub, root)),
    beforeCommand: origin => beforeCommand(hub, root, tracesOf(byOf(origin))),
    annotate(result) {
      const by = result.details['by'] as Attribution | undefined
      const call = by === undefined ? '' : sameCall(by)
      const found = traces.get(call)
      traces.delete(call)
      return found === undefined ? result : withNotes(result, found, hub, root)
    },
    close: () => hub.close(),
  }
}

async function beforeLine(hub: BufferHub, root: VfsPath): Promise<string | undefined> {
  const told = new Set<VfsPath>()
  await beforeCommand(hub, root, { told })
  return note([...told], root, 'The command sees what is on disk')[0]
}

/** Throws `AnchorageError` `workspace-options` for unknown rules. */
export function checkBufferRules(rules: BufferRules): void {
  const known: Readonly<Record<string, readonly unknown[]>> = {
    edits: ['save-clean', 'save', 'leave', undefined],
    commands: ['save', 'refuse', 'tell', undefined],
  }
  for (const [name, value] of Object.entries(rules)) {
    const values = Object.hasOwn(known, name) ? known[name] : undefined
    if (values?.includes(value) === true) continue
    const wrong =
      values === undefined ? `"${name}" is not one of edits, commands` : `${name} must be one of ${values.slice(0, 3).join(', ')}`
    throw new AnchorageError('workspace-options', `buffers: ${wrong}.`)
  }
}

function withNotes(result: ToolResult, { read, changed, told }: Traces, hub: BufferHub, root: VfsPath): ToolResult {
  const isUnsaved = (path: VfsPath): boolean => hub.at(path)?.isDirty === true
  const left = [...changed].filter(isUnsaved)
  const seen = [...read].filter(path => !left.includes(path) && isUnsaved(path))
  const notes = [
    ...note(left, root, 'The edit is in the editor and not on disk'),
    ...note(seen, root, 'This is the text in the editor, not on disk'),
    ...note([...told].filter(isUnsaved), root, 'The command saw what is on disk'),
  ]
  if (notes.length === 0) return result
  const unsaved = [...new Set([...left, ...seen, ...told])].map(path => displayPath(path, root)).sort()
  return {
    ...result,
    content: [...result.content, { type: 'text', text: notes.join('\n') }],
    details: { ...result.details, unsaved },
  }
}

const maxNamed = 20

function note(paths: readonly VfsPath[], root: VfsPath, what: string): readonly string[] {
  if (paths.length === 0) return []
  const names = paths.slice(0, maxNamed).map(path => displayPath(path, root))
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : ''
  return [`Note: unsaved: ${names.join(', ')}${more}. ${what}.`]
}

function byOf(origin: string | undefined): Attribution | undefined {
  if (origin === undefined) return undefined
  return attributed({ seq: 0, type: 'modify', path: rootPath, kind: 'file', rev: 0, origin }).by
}
