// Reports changes to watchers. The last changes are kept, so that a watcher that joins late or returns can receive what it missed. A
// watcher that has missed more than that receives an overflow, and lists the files again.

import { dirname, isInside, type VfsPath } from '../core/path.ts'
import type { Change, ChangeBatch, Unsubscribe, WatchOptions } from './backend.ts'

/** How many past changes a watcher can still receive. */
const journalLimit = 10_000

interface Watcher {
  readonly path: VfsPath
  readonly recursive: boolean
  readonly isImmediate: boolean
  readonly listener: (batch: ChangeBatch) => void
  /** The watcher knows all changes up to this number. */
  readonly sinceSeq: number
}

export interface Feed {
  /** The number of the last change. */
  readonly seq: number
  /** Publishes changes that were committed together; they get the next numbers. `origin`, see {@link Change}, applies to all of them. */
  publish(changes: readonly Omit<Change, 'seq'>[], origin?: string): void
  /** `path` must be a real path; it need not exist. */
  watch(path: VfsPath, listener: (batch: ChangeBatch) => void, options?: WatchOptions): Unsubscribe
}

/** Listeners are called in a microtask, so never inside the operation that made the change, and one by one in the order of changes. */
export function createFeed(lastSeq = 0): Feed {
  let seq = lastSeq
  let journal: Change[] = []
  const watchers = new Set<Watcher>()
  let undelivered: (readonly Change[])[] = []

  const tell = (watcher: Watcher, batch: ChangeBatch): void => {
    // The watch may have ended since the changes were made.
    if (!watchers.has(watcher)) return
    try {
      watcher.listener(batch)
    } catch (error) {
      // A throwing listener must neither block the others nor go unnoticed, so its error becomes an uncaught error.
      queueMicrotask(() => {
        throw error
      })
    }
  }

  const tellAfter = (watcher: Watcher, all: readonly Change[], sinceSeq: number, overflow = false): void => {
    const changes = all.filter(change => change.seq > sinceSeq && concerns(change, watcher))
    if (changes.length > 0 || overflow) tell(watcher, { changes, overflow })
  }

  const deliverTo = (changes: readonly Change[], isImmediate: boolean): void => {
    for (const watcher of [...watchers]) {
      if (watcher.isImmediate === isImmediate) tellAfter(watcher, changes, watcher.sinceSeq)
    }
  }

  const deliver = (): void => {
    const batches = undelivered
    undelivered = []
    for (const changes of batches) deliverTo(changes, false)
  }

  const replay = (watcher: Watcher, sinceSeq: number): void => {
    const oldestSeq = journal[0]?.seq ?? seq + 1
    // A number in the future is from an earlier session of this filesystem: the changes in between are unknown.
    const overflow = sinceSeq < oldestSeq - 1 || sinceSeq > seq
    const known = journal.slice()
    queueMicrotask(() => tellAfter(watcher, known, sinceSeq, overflow))
  }

  return {
    get seq() {
      return seq
    },
    publish(unnumbered, origin) {
      const changes = unnumbered.map(change => numbered(change, ++seq, origin))
      for (const change of changes) journal.push(change)
      // Trimmed rarely, so that the cost per change does not depend on the limit.
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

/** Written by hand, because it runs for every change, and a spread takes several times as long. */
function numbered({ type, path, oldPath, kind, rev }: Omit<Change, 'seq'>, seq: number, origin: string | undefined): Change {
  const change: { -readonly [K in keyof Change]: Change[K] } = { seq, type, path, kind, rev }
  if (oldPath !== undefined) change.oldPath = oldPath
  if (origin !== undefined) change.origin = origin
  return change
}

function concerns({ type, path, oldPath }: Change, { path: watched, recursive }: Watcher): boolean {
  const isSeen = (at: VfsPath | undefined): boolean =>
    at !== undefined &&
    ((recursive ? isInside(at, watched) : at === watched || dirname(at) === watched) ||
      // The watched path was moved, or appeared, together with a parent directory.
      (type === 'move' && isInside(watched, at)))
  return isSeen(path) || isSeen(oldPath)
}
