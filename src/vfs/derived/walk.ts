// Every entry below a directory, parents before children, siblings by name. Symlinks are reported and never followed, so a walk always
// ends. The number of entries is limited, so it ends soon.

import { AnchorageError } from '../../core/errors.ts'
import { childPath, type VfsPath } from '../../core/path.ts'
import type { Dirent, VfsSync } from '../backend.ts'
import { isVfsError } from '../error.ts'
import { needOptions, walkNames } from '../input.ts'
import { call, type Primitives, runWaiting } from '../steps.ts'
import type { WalkEntry, WalkOptions } from '../vfs.ts'

/** The default limit for the number of entries. */
const defaultMaxEntries = 500_000

interface Level {
  readonly path: VfsPath
  readonly entries: readonly Dirent[]
  nextIndex: number
}

/**
 * The walk on a synchronous filesystem, for code in the same thread that visits many files. Throws `AnchorageError` `walk-limit`,
 * `signal.reason`, and what `list` throws for `root`. Entries that are removed meanwhile are left out.
 */
function* walkSync(
  fs: Pick<VfsSync, 'list'>,
  root: VfsPath,
  options: WalkOptions = {},
): Generator<WalkEntry & { readonly path: VfsPath }, void> {
  options.signal?.throwIfAborted()
  const walk = createWalk(root, fs.list(root), options)
  for (let entry = walk.next(); entry !== undefined; entry = walk.next()) {
    yield entry
    if (walk.enters(entry))
      walk.enter(
        entry.path,
        listIfThere(() => fs.list(entry.path)),
      )
  }
}

/** The same walk for asynchronous callers: synchronous inside if possible, otherwise with one wait per listing. */
export function walk(on: Primitives, root: VfsPath, options: WalkOptions = {}): AsyncIterableIterator<WalkEntry> {
  needOptions(options, 'scandir', walkNames)
  const { sync } = on
  return sync === undefined ? walkWaiting(on, root, options) : promised(() => walkSync(sync, root, options))
}

/** Equivalent to an async generator around `start()`, at a fraction of its cost per entry. */
function promised<T>(start: () => Generator<T, void>): AsyncIterableIterator<T, void> {
  let steps: Generator<T, void> | undefined
  const settled = (act: () => IteratorResult<T, void>): Promise<IteratorResult<T, void>> => {
    try {
      return Promise.resolve(act())
    } catch (error) {
      return Promise.reject(error)
    }
  }
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => settled(() => (steps ??= start()).next()),
    return: () => settled(() => (steps ??= start()).return()),
  }
}

async function* walkWaiting(on: Primitives, root: VfsPath, options: WalkOptions): AsyncGenerator<WalkEntry, void> {
  options.signal?.throwIfAborted()
  const list = (path: VfsPath): Promise<Dirent[]> => runWaiting(call(on, 'list', path))
  const walk = createWalk(root, await list(root), options)
  for (let entry = walk.next(); entry !== undefined; entry = walk.next()) {
    yield entry
    if (walk.enters(entry)) walk.enter(entry.path, await list(entry.path).catch(emptyIfGone))
  }
}

interface Walk {
  next(): (WalkEntry & { readonly path: VfsPath }) | undefined
  enters(entry: WalkEntry): boolean
  enter(path: VfsPath, entries: readonly Dirent[]): void
}

function createWalk(root: VfsPath, entries: readonly Dirent[], options: WalkOptions): Walk {
  const { maxDepth = Infinity, maxEntries = defaultMaxEntries, signal } = options
  const pruned = new Set(options.prune)
  const levels: Level[] = [{ path: root, entries, nextIndex: 0 }]
  let visited = 0
  return {
    next() {
      for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
        const entry = level.entries[level.nextIndex++]
        if (entry === undefined) {
          levels.pop()
          continue
        }
        if (entry.kind === 'directory' && pruned.has(entry.name)) continue
        signal?.throwIfAborted()
        if (++visited > maxEntries) {
          throw new AnchorageError(
            'walk-limit',
            `stopped after ${maxEntries} entries below ${root}; walk a smaller directory or prune some`,
            {
              details: { path: root, maxEntries },
            },
          )
        }
        return { name: entry.name, kind: entry.kind, path: childPath(level.path, entry.name), depth: levels.length }
      }
      return undefined
    },
    enters: entry => entry.kind === 'directory' && entry.depth < maxDepth,
    enter(path, children) {
      levels.push({ path, entries: children, nextIndex: 0 })
    },
  }
}

function listIfThere(list: () => Dirent[]): Dirent[] {
  try {
    return list()
  } catch (error) {
    return emptyIfGone(error)
  }
}

function emptyIfGone(error: unknown): Dirent[] {
  if (isVfsError(error, 'ENOENT', 'ENOTDIR')) return []
  throw error
}
