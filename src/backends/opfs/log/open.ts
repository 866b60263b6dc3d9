// Combines a tree and its log: what the storage holds, ready for use.

import { defined } from '../../../core/record.ts'
import { createFeed, type Feed } from '../../../vfs/feed.ts'
import { isVfsError, VfsError } from '../../../vfs/error.ts'
import { createStamps } from '../../../vfs/tree/stamps.ts'
import { journaledStore, type TreeStore } from '../../../vfs/tree/store.ts'
import { ContentCache } from './content.ts'
import type { TreeState } from './checkpoints.ts'
import { Log, type LogOptions } from './log.ts'
import { mount, type Mounted, type OnDamage, type OnReplay } from './mount.ts'
import { describeLosses } from './losses.ts'
import type { CutEnd } from './replay.ts'
import type { LogStorage } from './storage.ts'

// An earlier session may have given out numbers that were never stored, because a transaction was rolled back or could not be written. A
// client may still hold such a number as a revision, or for another tab's file content, so it must not get another meaning.
const numberGap = 2 ** 20

export interface OpenLogOptions extends LogOptions {
  readonly clock?: () => number
  readonly onDamage?: OnDamage
  readonly cacheBytes?: number
  readonly onReplay?: OnReplay
  /** Numbers up to these were given out, even if the storage does not record it. */
  readonly given?: { readonly lastRev: number; readonly lastIno: number }
  /** The feed that reports changes to watchers. Default: a new feed that continues from `lastSeq`. */
  readonly feed?: (mounted: { readonly transaction: number; readonly lastSeq: number }) => Feed
}

/** `count` numbers of each kind, after these. */
export interface NumberLease {
  readonly rev: number
  readonly ino: number
  readonly count: number
}

export interface OpenLog extends Pick<Mounted, 'cut' | 'losses' | 'mendedRecords' | 'unused' | 'isCheckpointDue'> {
  readonly store: TreeStore
  /** Reserves numbers for another tab to hand out. */
  readonly lease: (count: number) => NumberLease
  readonly log: Log
  /** The current state, for a checkpoint. */
  readonly state: () => TreeState
  /** The number of the last change when the store was opened. */
  readonly lastSeq: number
  readonly isNew: boolean
}

/** Throws `AnchorageError` `store-damaged` or `store-newer`, and `VfsError` ENOSPC or EIO. */
export function openLog(storage: LogStorage, options: OpenLogOptions = {}): OpenLog {
  const clock = options.clock ?? Date.now
  const cache = new ContentCache(options.cacheBytes)
  const { onDamage, onReplay } = options
  const mounted = mount(storage, cache, { clock, ...defined({ onDamage, onReplay }) })
  const log = new Log(mounted, cache, options)
  const gap = mounted.isNew ? 0 : numberGap
  const { lastRev, lastIno } = options.given ?? { lastRev: 0, lastIno: 0 }
  const stamps = createStamps(clock, Math.max(mounted.lastRev + gap, lastRev), Math.max(mounted.lastIno + gap, lastIno))
  const lease = (count: number): NumberLease => {
    const leased = { rev: stamps.lastRev, ino: stamps.lastIno, count }
    stamps.lastRev += count
    stamps.lastIno += count
    return leased
  }
  const feed = options.feed?.(mounted) ?? createFeed(mounted.lastSeq)
  const store = journaledStore(mounted.tree, stamps, feed, log)
  const { tree } = store
  const state = (): TreeState => ({ tree, lastRev: stamps.lastRev, lastIno: stamps.lastIno, lastSeq: feed.seq })
  const { lastSeq, isNew, cut, losses, mendedRecords, unused, isCheckpointDue } = mounted
  // The loss is reported once, not at each mount.
  if (losses.length > 0) {
    mounted.files.acceptMissing()
    ifThereIsRoom(() => log.checkpointTwice(state()))
  }
  return { store, lease, log, state, lastSeq, isNew, cut, losses, mendedRecords, unused, isCheckpointDue }
}

/** Problems to report to the caller: losses, unfinished work after a crash, and repairs. */
export function problemsOf({ cut, losses, mendedRecords }: OpenLog): readonly VfsError[] {
  const problems: string[] = []
  if (losses.length > 0)
    problems.push(`the stored filesystem was damaged and was opened without its lost parts: ${describeLosses(losses)}`)
  if (cut !== undefined) problems.push(describeCut(cut))
  if (mendedRecords > 0)
    problems.push(`${mendedRecords} records of the log had a flipped bit and were repaired; the disk may be failing`)
  return problems.map(hint => new VfsError('EIO', 'open', { hint }))
}

function describeCut({ segment, startOffset, bytes, transactions }: CutEnd): string {
  const what =
    transactions === 0 ? 'they contain no complete change' : `they contain ${transactions} changes that were made but not flushed`
  return `the last ${bytes} bytes of the log were left unfinished when the store was last in use, and do not count: ${what}; they stay at byte ${startOffset} of segment ${segment} until the store is opened again`
}

/** Without space for the checkpoint, the next mount finds the same losses again. */
function ifThereIsRoom(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isVfsError(error, 'ENOSPC', 'EAGAIN')) throw error
  }
}
