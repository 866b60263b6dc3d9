// The changes of a command to the files, for its result. If the shell records its writes, these are used. Otherwise, all changes
// while the command ran are reported as such.

import type { VfsPath } from '../core/path.ts'
import { displayPath } from '../core/path.ts'
import type { ShellChange } from '../shell/changes.ts'
import type { Shell, ShellProcess } from '../shell/shell.ts'
import type { ChangeBatch, Unsubscribe } from '../vfs/backend.ts'
import { originOf } from '../vfs/origin.ts'
import type { Session } from './session.ts'

/** Plain data that is part of a result. */
export interface CommandChanges {
  /**
   * `exact`: the changes of this command only. `observed`: all changes while it ran. `unknown`: the changes cannot be determined,
   * and none are listed.
   */
  readonly attribution: 'exact' | 'observed' | 'unknown'
  /** Relative to the root, absolute outside it; a directory ends in '/'. */
  readonly created: readonly string[]
  readonly modified: readonly string[]
  /** A removed or moved directory includes everything that was in it. */
  readonly deleted: readonly string[]
  /** The number of changes before the list was shortened. */
  readonly total: number
  /** Whether the list was shortened. */
  readonly isCut: boolean
}

export interface WatchedShell {
  /** The shell for one command. */
  readonly shell: Shell
  /** Call it after the command has ended. Never rejects. */
  readonly changes: () => Promise<CommandChanges>
}

export const maxListedChanges = 200
const maxNamedChanges = 20
/** The limit on paths from filesystem events. */
const maxObserved = 10_000

/** Returns `shell` for one command of `session`, and a function for its changes. Watching begins when the command starts. */
export function watchShell({ vfs, root, by }: Pick<Session, 'vfs' | 'root' | 'by'>, shell: Shell): WatchedShell {
  let read: (() => Promise<CommandChanges>) | undefined
  return {
    shell: {
      capabilities: shell.capabilities,
      dispose: () => shell.dispose(),
      async start(command, options) {
        const observer = shell.capabilities.knowsChanges === true ? undefined : await observe(vfs)
        let process: ShellProcess
        try {
          process = await shell.start(command, { ...options, origin: originOf(by, 'command') })
        } catch (error) {
          observer?.stop()
          throw error
        }
        read = observer === undefined ? () => exactChanges(process, root) : () => observedChanges(observer, root)
        return process
      },
    },
    changes: async () => (await read?.()) ?? nothing('exact'),
  }
}

async function exactChanges({ changes }: ShellProcess, root: VfsPath): Promise<CommandChanges> {
  if (changes === undefined) return nothing('unknown')
  try {
    const found = await changes()
    return summary('exact', found.changes, found.isCut, root)
  } catch {
    // The filesystem was closed during the command. The result reports that, and the changes are only additional information.
    return nothing('unknown')
  }
}

interface Observer {
  /** The changes since the start, by path. */
  readonly finish: () => Promise<{ readonly changes: readonly ShellChange[]; readonly isCut: boolean }>
  readonly stop: Unsubscribe
}

async function observe(vfs: Session['vfs']): Promise<Observer | undefined> {
  if ((await vfs.caps()).watch === 'none') return undefined
  const changes = new Map<VfsPath, ShellChange>()
  let isCut = false
  const note = (change: ShellChange): void => {
    const before = changes.get(change.path)
    if (before === undefined && changes.size >= maxObserved) isCut = true
    else if (before?.type === 'create' && change.type === 'delete') changes.delete(change.path)
    else changes.set(change.path, { ...change, type: merged(before?.type, change.type) })
  }
  const stop = await vfs.watch('/', (batch: ChangeBatch) => {
    isCut ||= batch.overflow
    for (const { type, path, oldPath, kind } of batch.changes) {
      if (oldPath !== undefined) note({ type: 'delete', path: oldPath, kind })
      note({ type: type === 'create' || type === 'move' ? 'create' : type === 'delete' ? 'delete' : 'modify', path, kind })
    }
  })
  return {
    async finish() {
      // Events arrive in a microtask after their changes.
      await Promise.resolve()
      stop()
      return { changes: [...changes.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), isCut }
    },
    stop,
  }
}

function merged(before: ShellChange['type'] | undefined, now: ShellChange['type']): ShellChange['type'] {
  if (before === 'create' && now === 'modify') return 'create'
  return before === 'delete' && now === 'create' ? 'modify' : now
}

async function observedChanges(observer: Observer, root: VfsPath): Promise<CommandChanges> {
  const { changes, isCut } = await observer.finish()
  return summary('observed', changes, isCut, root)
}

function summary(
  attribution: 'exact' | 'observed',
  changes: readonly ShellChange[],
  isCut: boolean,
  root: VfsPath,
): CommandChanges {
  const shown = changes.slice(0, maxListedChanges)
  const of = (type: ShellChange['type']): string[] =>
    shown
      .filter(change => change.type === type)
      .map(({ path, kind }) => `${displayPath(path, root)}${kind === 'directory' ? '/' : ''}`)
  return {
    attribution,
    created: of('create'),
    modified: of('modify'),
    deleted: of('delete'),
    total: changes.length,
    isCut: isCut || changes.length > shown.length,
  }
}

/** The first names of changed paths, for a sentence. Empty if nothing was changed. */
export function namesOfChanges({ created, modified, deleted, total }: CommandChanges): string {
  const named = [...created, ...modified, ...deleted].slice(0, maxNamedChanges)
  return `${named.join(', ')}${total > named.length ? ` and ${total - named.length} more` : ''}`
}

function nothing(attribution: CommandChanges['attribution']): CommandChanges {
  return { attribution, created: [], modified: [], deleted: [], total: 0, isCut: false }
}
