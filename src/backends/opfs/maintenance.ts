// Work of the log that no caller waits for: grouped flushes, checkpoints that keep the next mount short, and compaction.

import { isVfsError, type VfsError } from '../../vfs/error.ts'
import {
  type CompactionLimits,
  type CompactionPlan,
  compactionLimits,
  emptied,
  fullDiskLimits,
  leastBytes,
  moveContents,
  moveRest,
  planCompaction,
  unreferenced,
} from './log/compaction.ts'
import type { NumberedFile } from './log/header.ts'
import type { OpenLog } from './log/open.ts'
import type { Pins } from './pins.ts'

/**
 * What an acknowledged change survives. It always survives the crash of a tab or of the browser. It survives a loss of power at once with
 * `op`, after at most 20 ms with `group` (the default), and after about a second with `lazy`. At every level only the newest changes can
 * be lost, and `flush()` waits until none can.
 */
export type Durability = 'op' | 'group' | 'lazy'

const flushDelayMs = { op: 0, group: 20, lazy: 1_000 } as const satisfies Record<Durability, number>
const defaultIdleMs = 1_000
/** A checkpoint is due when this much of the log follows the last one; `dueWhenIdle` applies when nothing else happens. */
const due = { bytes: 16 * 1024 * 1024, commits: 20_000 }
const dueWhenIdle = { bytes: 1024 * 1024, commits: 500 }
/** A smaller log gets a checkpoint after `fewest` idle periods, plus one for every `nodesForOneMore` nodes that it has to write. */
const idleTimes = { fewest: 4, nodesForOneMore: 10_000 }
const sliceBytes = 1024 * 1024
/** After a plan that freed nothing, the next plan waits until this much more is dead: files do not grow on a full disk. */
const growthBytes = 1024 * 1024
const growthBytesWhenFull = 256 * 1024

export interface MaintenanceOptions {
  readonly durability: Durability
  readonly pins: Pins
  /** Receives problems with work that is tried again later. */
  readonly onProblem: (problem: VfsError) => void
  /** Maintenance runs after this idle time. */
  readonly idleMs?: number
  /** There is no space for a reserve, and even trying to write one can end the store. */
  readonly isShortOfRoom?: boolean
}

export class Maintenance {
  readonly #open: OpenLog
  readonly #options: MaintenanceOptions
  readonly #idleMs: number
  #flushTimer: ReturnType<typeof setTimeout> | undefined
  #workTimer: ReturnType<typeof setTimeout> | undefined
  #isWorkSoon = false
  /** Work runs before the next macrotask, because a caller that never waits lets no timer fire. */
  #isWorkNow = false
  #seenCommits = 0
  #idleCount = 0
  /** The compaction in progress. */
  #moving: { readonly plan: CompactionPlan; readonly slices: Generator<undefined, void> } | undefined
  /** The next plan is made when this many bytes are dead, or when the disk became full or has room again. */
  #next = { planAtDeadBytes: 0, isShortOfRoom: false }
  /** Files to remove once neither checkpoint needs them. */
  #unneeded: readonly NumberedFile[]
  /** Files to remove as soon as no snapshot or batch can read them. */
  #retired: readonly NumberedFile[] = []
  #isCheckpointDue: boolean
  #isEnded = false

  constructor(open: OpenLog, options: MaintenanceOptions) {
    this.#open = open
    this.#options = options
    this.#idleMs = options.idleMs ?? defaultIdleMs
    this.#unneeded = open.unused
    this.#isCheckpointDue = open.isCheckpointDue || open.unused.length > 0
    open.log.onCommit = () => this.#onCommit()
    if (options.isShortOfRoom !== true) this.#attempt(() => open.log.keepReserve())
    if (this.#isCheckpointDue || open.log.commitsSinceCheckpoint > 0) this.#later(this.#idleMs)
  }

  /** Stops, and writes a checkpoint so that the next mount replays nothing. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    clearTimeout(this.#flushTimer)
    clearTimeout(this.#workTimer)
    const { log, state } = this.#open
    if (log.failure !== undefined) return
    log.flush()
    this.#attempt(() => {
      if (this.#isCheckpointDue) this.#checkpointTwice()
      else if (log.commitsSinceCheckpoint > 0) log.checkpoint(state())
      // Snapshots end with their filesystem, so nothing reads these files any more.
      this.#discard(this.#retired)
    })
  }

  /** Removes compacted files as soon as no snapshot and no batch can read them. */
  releaseRetired(): void {
    if (this.#retired.length === 0 || !this.#options.pins.isFree) return
    const retired = this.#retired
    this.#retired = []
    this.#attempt(() => {
      this.#discard(retired)
      this.#open.log.keepReserve()
    })
  }

  #discard(files: readonly NumberedFile[]): void {
    if (files.length === 0) return
    const { log, state } = this.#open
    // What is still in use stays, and is a file like any other.
    for (const file of unreferenced(state().tree, files)) log.files.discard(file, 'gradually')
  }

  #onCommit(): void {
    const { log } = this.#open
    if (log.isDirty && this.#flushTimer === undefined) {
      this.#flushTimer = setTimeout(() => {
        this.#flushTimer = undefined
        this.#attempt(() => log.flush())
      }, flushDelayMs[this.#options.durability])
    }
    this.#idleCount = 0
    // Compaction needs space before it frees any. If a refused write would end the store, compaction waits for an idle moment.
    const isRoomDue = this.#options.isShortOfRoom !== true && this.#isRoomDue()
    if (isRoomDue || this.#moving !== undefined) this.#workAfterThisCommit()
    const isDue = this.#isDue(due) || isRoomDue
    if (this.#workTimer === undefined || (isDue && !this.#isWorkSoon)) this.#later(isDue ? 0 : this.#idleMs)
  }

  /** Steps of compaction after each commit, so that the files do not outgrow what is in use however fast a caller writes. */
  #workAfterThisCommit(): void {
    if (this.#isWorkNow) return
    this.#isWorkNow = true
    queueMicrotask(() => {
      this.#isWorkNow = false
      this.#attempt(() => this.#work())
      // A plan has moved nothing yet.
      if (this.#moving !== undefined) this.#attempt(() => this.#work())
    })
  }

  #later(delayMs: number): void {
    if (this.#isEnded) return
    clearTimeout(this.#workTimer)
    this.#isWorkSoon = delayMs === 0
    this.#workTimer = setTimeout(() => {
      this.#workTimer = undefined
      this.#isWorkSoon = false
      this.#attempt(() => this.#work())
    }, delayMs)
  }

  #work(): void {
    const { log, state } = this.#open
    if (this.#isEnded || log.failure !== undefined) return
    this.releaseRetired()
    if (this.#moving !== undefined) {
      this.#move(this.#moving)
      return
    }
    const isIdle = log.commitsSinceCheckpoint === this.#seenCommits
    this.#seenCommits = log.commitsSinceCheckpoint
    if (isIdle) this.#idleCount++
    if (this.#isRoomDue() && (isIdle || this.#options.isShortOfRoom !== true)) {
      this.#plan()
      return
    }
    if (isIdle && this.#isCheckpointDue) this.#checkpointTwice()
    else if (this.#isDue(due) || (isIdle && log.commitsSinceCheckpoint > 0 && this.#isIdleLongEnough())) {
      log.checkpoint(state())
      this.#seenCommits = 0
    }
    if (log.commitsSinceCheckpoint > 0 || this.#isCheckpointDue || this.#retired.length > 0) this.#later(this.#idleMs)
  }

  #isIdleLongEnough(): boolean {
    const { nodeCount } = this.#open.state().tree
    return this.#isDue(dueWhenIdle) || this.#idleCount >= idleTimes.fewest + nodeCount / idleTimes.nodesForOneMore
  }

  #checkpointTwice(): void {
    const { log, state } = this.#open
    log.checkpointTwice(state())
    this.#isCheckpointDue = false
    this.#seenCommits = 0
    this.#retired = [...this.#retired, ...this.#unneeded]
    this.#unneeded = []
    this.releaseRetired()
  }

  /** Whether enough of the files is dead to make a plan. */
  #isRoomDue(): boolean {
    const { log, state } = this.#open
    const { contentBytes, nodeCount } = state().tree
    const least = leastBytes(contentBytes, nodeCount)
    const deadBytes = log.files.contentFileBytes - least
    const { planAtDeadBytes, isShortOfRoom } = this.#next
    if (isShortOfRoom === log.isShortOfRoom && deadBytes < planAtDeadBytes) return false
    const { minimumDeadBytes, deadShare } = this.#limits
    return deadBytes > minimumDeadBytes + deadShare * least
  }

  get #limits(): CompactionLimits {
    return this.#open.log.isShortOfRoom ? fullDiskLimits : compactionLimits
  }

  #plan(): void {
    const { log, state } = this.#open
    const { contentBytes, nodeCount } = state().tree
    const { contentFileBytes } = log.files
    const { isShortOfRoom } = log
    const growth = isShortOfRoom ? growthBytesWhenFull : Math.max(contentFileBytes * 0.1, growthBytes)
    this.#next = { planAtDeadBytes: contentFileBytes - leastBytes(contentBytes, nodeCount) + growth, isShortOfRoom }
    const plan = this.#retired.length > 0 ? undefined : planCompaction(log, state().tree, this.#limits)
    // Others may have freed space meanwhile.
    if (plan === undefined && isShortOfRoom) log.keepReserve()
    if (plan !== undefined) this.#moving = { plan, slices: moveContents(log, plan, sliceBytes) }
    this.#later(plan === undefined ? this.#idleMs : 0)
  }

  #move(moving: { readonly plan: CompactionPlan; readonly slices: Generator<undefined, void> }): void {
    const { log } = this.#open
    // Stop if it fails: a new plan is made when more is dead.
    this.#moving = undefined
    try {
      this.#moveOn(moving)
    } catch (error) {
      // A smaller plan, with the space of the reserve, may free enough.
      if (isVfsError(error, 'ENOSPC') && log.openReserve()) this.#later(0)
      throw error
    }
  }

  #moveOn(moving: { readonly plan: CompactionPlan; readonly slices: Generator<undefined, void> }): void {
    const { log, state } = this.#open
    if (moving.slices.next().done !== true) {
      this.#moving = moving
      this.#later(0)
      return
    }
    moveRest(log, moving.plan, state().tree)
    this.#unneeded = [...this.#unneeded, ...emptied(log, moving.plan)]
    this.#checkpointTwice()
    this.#next = { ...this.#next, planAtDeadBytes: 0 }
    if (this.#retired.length > 0) this.#later(this.#idleMs)
  }

  #isDue(limit: { readonly bytes: number; readonly commits: number }): boolean {
    const { log } = this.#open
    return log.bytesSinceCheckpoint >= limit.bytes || log.commitsSinceCheckpoint >= limit.commits
  }

  /** Reports work that fails now; it is tried again later. Once the store has failed, every operation reports the failure instead. */
  #attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!isVfsError(error)) throw error
      this.#options.onProblem(error)
    }
  }
}
