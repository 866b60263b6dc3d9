// A tree and its log, put together: what the storage holds, ready to be worked on.

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

// Numbers that an earlier life gave out and did not keep (to a transaction that was rolled back, or that could not be stored) must not
// come to mean something else for whoever still holds them: a revision, or another tab's content of a file.
const numberGap = 2 ** 20

export interface OpenLogOptions extends LogOptions {
  readonly clock?: () => number
  readonly onDamage?: OnDamage
  readonly cacheBytes?: number
  readonly onReplay?: OnReplay
  /** Numbers up to these were given out, also if the storage does not know of it. */
  readonly given?: { readonly lastRev: number; readonly lastIno: number }
  /** Whose watchers hear of the changes: of one that goes on from `lastSeq`. Default: a new one. */
  readonly feed?: (mounted: { readonly transaction: number; readonly lastSeq: number }) => Feed
}

/** `count` of each kind after these. */
export interface NumberLease {
  readonly rev: number
  readonly ino: number
  readonly count: number
}

export interface OpenLog extends Pick<Mounted, 'cut' | 'losses' | 'mendedRecords' | 'unused' | 'isCheckpointDue'> {
  readonly store: TreeStore
  /** Gives numbers away, for somebody else to hand out. */
  readonly lease: (count: number) => NumberLease
  readonly log: Log
  /** What a checkpoint is made of now. */
  readonly state: () => TreeState
  /** The number of the last change when it was opened. */
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
  const given = { rev: Math.max(mounted.lastRev + gap, lastRev), ino: Math.max(mounted.lastIno + gap, lastIno) }
  const stamps = createStamps(clock, given)
  const lease = (count: number): NumberLease => {
    const leased = { ...given, count }
    given.rev += count
    given.ino += count
    return leased
  }
  const feed = options.feed?.(mounted) ?? createFeed(mounted.lastSeq)
  const store = journaledStore(mounted.tree, stamps, feed, log)
  const { tree } = store
  const state = (): TreeState => ({ tree, lastRev: stamps.lastRev, lastIno: stamps.lastIno, lastSeq: feed.seq })
  const { lastSeq, isNew, cut, losses, mendedRecords, unused, isCheckpointDue } = mounted
  // What is lost is told once, and not at each mount.
  if (losses.length > 0) ifThereIsRoom(() => log.checkpointTwice(state()))
  return { store, lease, log, state, lastSeq, isNew, cut, losses, mendedRecords, unused, isCheckpointDue }
}

/** What whoever opened it should hear: what was lost, what a crash left unfinished, and what was mended. */
export function problemsOf({ cut, losses, mendedRecords }: OpenLog): readonly VfsError[] {
  const problems: string[] = []
  if (losses.length > 0)
    problems.push(`the stored filesystem was damaged and is opened without what is lost: ${describeLosses(losses)}`)
  if (cut !== undefined) problems.push(describeCut(cut))
  if (mendedRecords > 0)
    problems.push(`${mendedRecords} records of the log had a flipped bit, and were mended; the disk may be failing`)
  return problems.map(hint => new VfsError('EIO', 'open', { hint }))
}

function describeCut({ segment, startOffset, bytes, transactions }: CutEnd): string {
  const what =
    transactions === 0 ? 'no whole change is among them' : `${transactions} changes among them were made but not flushed`
  return `the last ${bytes} bytes of the log were left unfinished when the store was last in use, and do not count: ${what}; they stay at byte ${startOffset} of segment ${segment} until the store is opened again`
}

/** Without room for it the next mount finds the same losses again. */
function ifThereIsRoom(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isVfsError(error, 'ENOSPC', 'EAGAIN')) throw error
  }
}
