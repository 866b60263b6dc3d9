// Tells watchers what happened. The last changes are kept, so that someone who joins late, or comes back, can be told what it
// missed; who has missed more is told that, and lists again.

import { dirname, isInside, type VfsPath } from '../core/path.ts'
import type { Change, ChangeBatch, Unsubscribe, WatchOptions } from './backend.ts'

/** Changes that a watcher can still be told of after they happened. */
export const journalLimit = 10_000

interface Watcher {
  readonly path: VfsPath
  readonly recursive: boolean
  readonly isImmediate: boolean
  readonly listener: (batch: ChangeBatch) => void
  /** It knows of everything up to here. */
  readonly sinceSeq: number
}

export interface Feed {
  /** The number of the last change. */
  readonly seq: number
  /** Changes that became real together; they get the next numbers. `origin`, see {@link Change}, goes for all of them. */
  publish(changes: readonly Omit<Change, 'seq'>[], origin?: string): void
  /** `path` must be real; it need not exist. */
  watch(path: VfsPath, listener: (batch: ChangeBatch) => void, options?: WatchOptions): Unsubscribe
}

/** Listeners are called in a microtask, so never inside the operation that caused it, and one by one in the order of changes. */
export function createFeed(lastSeq = 0): Feed {
  let seq = lastSeq
  let journal: Change[] = []
  const watchers = new Set<Watcher>()
  let undelivered: (readonly Change[])[] = []

  const tell = (watcher: Watcher, batch: ChangeBatch): void => {
    // It may have ended since the changes were made.
    if (!watchers.has(watcher)) return
    try {
      watcher.listener(batch)
    } catch (error) {
      // A broken listener must not keep the others from hearing, nor go unnoticed: it fails as an uncaught error of its own.
      queueMicrotask(() => {
        throw error
      })
    }
  }

  const deliverTo = (changes: readonly Change[], isImmediate: boolean): void => {
    for (const watcher of [...watchers]) {
      if (watcher.isImmediate !== isImmediate) continue
      const seen = changes.filter(change => change.seq > watcher.sinceSeq && concerns(change, watcher))
      if (seen.length > 0) tell(watcher, { changes: seen, overflow: false })
    }
  }

  const deliver = (): void => {
    const batches = undelivered
    undelivered = []
    for (const changes of batches) deliverTo(changes, false)
  }

  const replay = (watcher: Watcher, sinceSeq: number): void => {
    const untilSeq = watcher.sinceSeq
    const oldestSeq = journal[0]?.seq ?? seq + 1
    // A number from the future is from another life of this filesystem: nothing is known about what lies between.
    const overflow = sinceSeq < oldestSeq - 1 || sinceSeq > untilSeq
    const changes = journal.filter(change => change.seq > sinceSeq && change.seq <= untilSeq && concerns(change, watcher))
    if (changes.length === 0 && !overflow) return
    queueMicrotask(() => tell(watcher, { changes, overflow }))
  }

  return {
    get seq() {
      return seq
    },
    publish(unnumbered, origin) {
      const changes = unnumbered.map(change => numbered(change, ++seq, origin))
      for (const change of changes) journal.push(change)
      // Cut rarely, so that the cost per change does not depend on the limit.
      if (journal.length > 2 * journalLimit) journal = journal.slice(-journalLimit)
      if (watchers.size === 0) return
      deliverTo(changes, true)
      if (undelivered.push(changes) === 1) queueMicrotask(deliver)
    },
    watch(path, listener, options = {}) {
      const watcher: Watcher = {
        path,
        listener,
        recursive: options.recursive ?? true,
        isImmediate: options.immediate === true,
        sinceSeq: seq,
      }
      watchers.add(watcher)
      if (options.sinceSeq !== undefined) replay(watcher, options.sinceSeq)
      return () => {
        watchers.delete(watcher)
      }
    },
  }
}

/** Written out, for this is done with every change, and a spread takes several times as long. */
function numbered({ type, path, oldPath, kind, rev }: Omit<Change, 'seq'>, seq: number, origin: string | undefined): Change {
  const change: { -readonly [K in keyof Change]: Change[K] } = { seq, type, path, kind, rev }
  if (oldPath !== undefined) change.oldPath = oldPath
  if (origin !== undefined) change.origin = origin
  return change
}

function concerns(change: Change, watcher: Watcher): boolean {
  return isSeen(change.path, change, watcher) || (change.oldPath !== undefined && isSeen(change.oldPath, change, watcher))
}

function isSeen(path: VfsPath, change: Change, { path: watched, recursive }: Watcher): boolean {
  if (recursive ? isInside(path, watched) : path === watched || dirname(path) === watched) return true
  // What lies above the watched path took it along, or brought it.
  return change.type === 'move' && isInside(watched, path)
}
