// The files for one run. Changes are recorded and synchronized with those of the tools. `close` waits for operations in progress
// and rejects later ones, so a run writes nothing after it has answered.

import { basename, childPath, dirname, isInside, parsePath, type VfsPath } from '../../core/path.ts'
import type { ShellChange, ShellChanges } from '../../shell/changes.ts'
import type { OrderPaths } from '../../shell/factory.ts'
import type { Stat } from '../../vfs/backend.ts'
import { isVfsError, VfsError, ifThereLater } from '../../vfs/error.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import type { AheadKind, FilesAhead, TakenFile } from './read-ahead.ts'
import type { PlaceAnswer } from './places.ts'
import { placeAhead, readAhead } from './serve-ahead.ts'
import { createSeenRevisions } from './seen-revisions.ts'

export interface RunFiles {
  readonly fs: Vfs
  /** Rejects further operations, and resolves when none is in progress. Can be called twice. */
  close(): Promise<void>
  changes(): Promise<ShellChanges>
  /** Prefetches files for a script in a worker. `take` reports which of them the script has used. */
  readAhead<K extends AheadKind>(of: K, paths: readonly string[]): FilesAhead<K>
  take(files: readonly TakenFile[]): void
  /** What is at a path to which a script in a worker redirects. */
  placeOf(path: string, withNames: boolean): PlaceAnswer
  /** The number of changes that were made under a path other than the real path. */
  readonly aliasCount: number
}

/** The maximum number of paths whose previous state is recorded. A run that changes more reports that its list is incomplete. */
const maxNotedPaths = 10_000

type Kind = Stat['kind'] | 'nothing'

/** Opens the files of a run. `isOver` closes them too, for a run that blocks this thread so that `close` cannot be called. */
export function openRunFiles(vfs: Vfs, order: OrderPaths = unordered, isOver: () => boolean = () => false): RunFiles {
  const before = new Map<VfsPath, Kind>()
  let isCut = false
  const closing = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  const seen = createSeenRevisions(vfs)

  const note = async (path: VfsPath): Promise<void> => {
    if (before.has(path)) return
    if (before.size >= maxNotedPaths) {
      isCut = true
      return
    }
    before.set(path, await kindOf(vfs, path))
  }
  const refuseClosed = (): void => {
    if (closing.signal.aborted || isOver()) throw new VfsError('ECANCELED', 'write', { hint: 'the command was ended' })
  }
  /** Runs `work`, which changes `paths`. It is not interrupted once it has started. */
  const change = async <T>(paths: readonly VfsPath[], work: () => Promise<T>): Promise<T> => {
    refuseClosed()
    const running = order(paths, closing.signal, async () => {
      for (const path of paths) await note(path)
      refuseClosed()
      return work()
    })
    underWay.add(running)
    try {
      return await running
    } finally {
      underWay.delete(running)
    }
  }
  let aliasCount = 0
  const real = (path: VfsPath, text: string): VfsPath => {
    if (path !== text) aliasCount += 1
    return path
  }
  /** The real path for a path that does not exist or that is a symbolic link. */
  const target = async (text: string): Promise<VfsPath> => {
    try {
      return real(parsePath(await vfs.realpath(text)), text)
    } catch (error) {
      if (!isVfsError(error)) throw error
      return name(text)
    }
  }
  /** The path of the entry itself, with the real path of its directory. */
  const name = async (text: string): Promise<VfsPath> => {
    const path = checked(text)
    try {
      return path === '/' ? path : real(childPath(parsePath(await vfs.realpath(dirname(path))), basename(path)), text)
    } catch (error) {
      // The operation reports the error of an invalid path.
      if (!isVfsError(error)) throw error
      return path
    }
  }

  const fs: Vfs = {
    ...vfs,
    readFile: (path, range) => seen.read(path, range),
    async writeFile(path, data, options = {}) {
      return change([await target(path)], () => seen.write(path, data, options))
    },
    async mkdir(path, options) {
      const made = [await name(path)]
      for (let above = dirname(made[0] ?? checked(path)); options?.recursive === true && above !== '/'; above = dirname(above)) {
        if ((before.get(above) ?? (await kindOf(vfs, above))) !== 'nothing') break
        made.push(above)
      }
      return change(made, () => vfs.mkdir(path, options))
    },
    async rm(path, options) {
      return change([await name(path)], async () => {
        await seen.check(path)
        await vfs.rm(path, options)
        seen.forgetBelow(path)
      })
    },
    async rename(from, to) {
      return change([await name(from), await name(to)], async () => {
        await seen.check(from)
        await seen.check(to)
        await vfs.rename(from, to)
        seen.forgetBelow(to)
        // The move gives the moved entry a new revision.
        seen.forgetBelow(from)
      })
    },
    async copy(from, to, options) {
      const into = await target(to)
      return change([into], async () => {
        await noteCopies(vfs, checked(from), into, async path => {
          await note(path)
          return !isCut
        })
        await seen.check(to)
        seen.forgetBelow(to)
        return vfs.copy(from, to, options)
      })
    },
    async link(existing, path) {
      return change([await name(path)], () => seen.keep(existing, () => vfs.link(existing, path)))
    },
    async symlink(to, path) {
      return change([await name(path)], () => vfs.symlink(to, path))
    },
    async chmod(path, mode) {
      return change([await target(path)], () => seen.keep(path, () => vfs.chmod(path, mode)))
    },
    async utimes(path, mtimeMs, atimeMs) {
      return change([await target(path)], () => seen.keep(path, () => vfs.utimes(path, mtimeMs, atimeMs)))
    },
  }
  return {
    fs,
    readAhead: (of, paths) => readAhead(vfs.sync, of, paths),
    placeOf: (path, withNames) => placeAhead(vfs.sync, path, withNames),
    take: files => files.forEach(file => seen.remember(...file)),
    get aliasCount() {
      return aliasCount
    },
    async close() {
      closing.abort(new VfsError('ECANCELED', 'write', { hint: 'the command was ended' }))
      await Promise.allSettled(underWay)
    },
    async changes() {
      const changes: ShellChange[] = []
      for (const [path, kindBefore] of [...before].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const kindNow = await kindOf(vfs, path)
        if (kindNow !== 'nothing') changes.push({ type: kindBefore === 'nothing' ? 'create' : 'modify', path, kind: kindNow })
        else if (kindBefore !== 'nothing' && !isCoveredBy(changes.at(-1), path)) {
          changes.push({ type: 'delete', path, kind: kindBefore })
        }
      }
      return { changes, isCut }
    },
  }
}

const unordered: OrderPaths = (_paths, _signal, work) => work()

/** Whether the deletion of a directory covers `path`. In sorted order, the directory directly precedes its entries. */
function isCoveredBy(last: ShellChange | undefined, path: VfsPath): boolean {
  return last?.type === 'delete' && last.kind === 'directory' && isInside(path, last.path)
}

/** Calls `note` with every path that copying `from` to `into` may change, until it returns false. */
async function noteCopies(vfs: Vfs, from: VfsPath, into: VfsPath, note: (path: VfsPath) => Promise<boolean>): Promise<void> {
  if ((await kindOf(vfs, from)) !== 'directory') return
  for await (const entry of vfs.walk(from)) {
    if (!(await note(parsePath(`${into}${entry.path.slice(from.length)}`)))) return
  }
}

async function kindOf(vfs: Vfs, path: string): Promise<Kind> {
  return (await ifThereLater(() => vfs.lstat(path)))?.kind ?? 'nothing'
}

/** Leaves an invalid path to the operation, which reports the reason. */
function checked(text: string): VfsPath {
  return parsePath(text.startsWith('/') && !text.includes('\0') ? text : '/')
}
