// What the log does when nobody waits for it: flushes that are grouped, checkpoints so that the next mount is short, and compaction.

import { isVfsError, type VfsError } from '../../vfs/error.ts'
import { type CompactionPlan, moveContents, planCompaction } from './log/compaction.ts'
import type { NumberedFile } from './log/header.ts'
import type { OpenLog } from './log/open.ts'
import type { Pins } from './pins.ts'

/**
 * What an acknowledged change survives. The crash of a tab or of the browser: always. The loss of power: with `op` at once, with `group`
 * (the default) after at most 20 ms, with `lazy` after about a second. At every level what is lost is the newest, and `flush()` waits.
 */
export type Durability = 'op' | 'group' | 'lazy'

const flushDelayMs = { op: 0, group: 20, lazy: 1_000 } as const satisfies Record<Durability, number>
const defaultIdleMs = 1_000
/** As much log makes a checkpoint worth it at once, or when nothing happens. */
const due = { bytes: 16 * 1024 * 1024, commits: 20_000 }
const dueWhenIdle = { bytes: 1024 * 1024, commits: 500 }
const minimumDeadBytes = 8 * 1024 * 1024
const sliceBytes = 1024 * 1024

export interface MaintenanceOptions {
  readonly durability: Durability
  readonly pins: Pins
  /** Hears of what could not be done and is tried again later. */
  readonly onProblem: (problem: VfsError) => void
  /** Nothing happened for so long: time for upkeep. */
  readonly idleMs?: number
  /** There is no room for a reserve, and trying to take it costs more than a refusal. */
  readonly isShortOfRoom?: boolean
}

export class Maintenance {
  readonly #open: OpenLog
  readonly #options: MaintenanceOptions
  readonly #idleMs: number
  #flushTimer: ReturnType<typeof setTimeout> | undefined
  #workTimer: ReturnType<typeof setTimeout> | undefined
  #seenCommits = 0
  /** A compaction that is under way. */
  #moving: { readonly plan: CompactionPlan; readonly slices: Generator<undefined, void> } | undefined
  #retired: readonly NumberedFile[] = []
  #isEnded = false

  constructor(open: OpenLog, options: MaintenanceOptions) {
    this.#open = open
    this.#options = options
    this.#idleMs = options.idleMs ?? defaultIdleMs
    open.log.onCommit = () => this.#onCommit()
    if (options.isShortOfRoom !== true) this.#attempt(() => open.log.keepReserve())
    if (this.#isDue(dueWhenIdle)) this.#later(this.#idleMs)
  }

  /** Stops, and leaves a checkpoint so that the next mount replays nothing. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    clearTimeout(this.#flushTimer)
    clearTimeout(this.#workTimer)
    const { log, state } = this.#open
    if (log.failure !== undefined) return
    log.flush()
    if (log.commitsSinceCheckpoint > 0) this.#attempt(() => log.checkpoint(state()))
  }

  /** Files that were compacted go as soon as no snapshot and no batch can read them. */
  releaseRetired(): void {
    if (this.#retired.length === 0 || !this.#options.pins.isFree) return
    const retired = this.#retired
    this.#retired = []
    this.#attempt(() => {
      for (const file of retired) this.#open.log.files.discard(file, 'by and by')
      this.#open.log.keepReserve()
    })
  }

  #onCommit(): void {
    const { log } = this.#open
    if (log.isDirty && this.#flushTimer === undefined) {
      this.#flushTimer = setTimeout(() => {
        this.#flushTimer = undefined
        this.#attempt(() => log.flush())
      }, flushDelayMs[this.#options.durability])
    }
    if (this.#workTimer === undefined) this.#later(this.#isDue(due) ? 0 : this.#idleMs)
  }

  #later(delayMs: number): void {
    if (this.#isEnded) return
    this.#workTimer = setTimeout(() => {
      this.#workTimer = undefined
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
    if (this.#isDue(due) || (isIdle && this.#isDue(dueWhenIdle))) {
      log.checkpoint(state())
      this.#seenCommits = 0
      // A plan reads the whole tree, so it is made only where a checkpoint did too.
      const plan = this.#retired.length > 0 ? undefined : planCompaction(log, state().tree, minimumDeadBytes)
      if (plan !== undefined) this.#moving = { plan, slices: moveContents(log, plan, sliceBytes) }
      if (plan !== undefined) this.#later(0)
    } else if (!isIdle || this.#retired.length > 0) this.#later(this.#idleMs)
  }

  #move(moving: { readonly plan: CompactionPlan; readonly slices: Generator<undefined, void> }): void {
    const { log, state } = this.#open
    // Given up where it fails (a full disk): a new plan is made after the next checkpoint.
    this.#moving = undefined
    if (moving.slices.next().done !== true) {
      this.#moving = moving
      this.#later(0)
      return
    }
    log.checkpoint(state())
    this.#retired = moving.plan.victims
    this.releaseRetired()
    if (this.#retired.length > 0) this.#later(this.#idleMs)
  }

  #isDue(limit: { readonly bytes: number; readonly commits: number }): boolean {
    const { log } = this.#open
    return log.bytesSinceCheckpoint >= limit.bytes || log.commitsSinceCheckpoint >= limit.commits
  }

  /** What the store cannot do now is told and tried again later; a store that failed tells every operation by itself. */
  #attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!isVfsError(error)) throw error
      this.#options.onProblem(error)
    }
  }
}
