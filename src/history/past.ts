// Restores the states of earlier pages, newest first: recorded steps are reverted in a fork of the files. Unrecorded changes
// become a separate state.

import type { FullBackend, Snapshot, VfsTransaction } from '../vfs/backend.ts'
import { isVfsError } from '../vfs/error.ts'
import { toAfter, toBefore } from './replay-step.ts'
import type { StatesBackend } from './states.ts'
import type { StepRecord } from './step-record.ts'
import { withContents } from '../vfs/elsewhere.ts'

interface Span {
  readonly before: Snapshot
  readonly after: Snapshot
}

export class Past {
  readonly #files: FullBackend
  #oldest: Snapshot

  /** `first` is the state of `states` after the newest record. */
  constructor(states: StatesBackend, first: Snapshot) {
    this.#files = states.fork(first)
    this.#oldest = first
  }

  /** The states around the step, and around unrecorded changes after it. `undefined` if the record does not match the state. */
  async back(record: StepRecord): Promise<(Span & { readonly unseen?: Span }) | undefined> {
    const later = this.#oldest
    try {
      const isChanged = await this.#change(files => toAfter(files, record))
      const after = isChanged ? this.#now() : later
      await this.#change(files => toBefore(files, record))
      const before = this.#now()
      this.#oldest = before
      return { before, after, ...(isChanged ? { unseen: { before: after, after: later } } : {}) }
    } catch (error) {
      if (isVfsError(error)) return undefined
      throw error
    }
  }

  #now(): Snapshot {
    return this.#files.snapshot()
  }

  #change<T>(work: (files: VfsTransaction) => T): Promise<T> {
    return withContents(() => this.#files.batch(work))
  }
}
