// A batch whose work runs on the page: `vfs.batch` is held open in the worker while operations arrive one by one. A page that ends in the
// middle must not hold it open forever, so a batch without operations for a while is rolled back.

import { deferred } from '../core/deferred.ts'
import { AnchorageError } from '../core/errors.ts'
import { defined } from '../core/record.ts'
import type { BatchFs, Vfs } from '../vfs/vfs.ts'
import { batchVerbs, runVerb } from './file-verbs.ts'

class RolledBack extends Error {}

export class RemoteBatch {
  readonly #idleMs: number
  readonly #finished: Promise<unknown>
  readonly #decide: (outcome: 'commit' | 'roll-back') => void
  #view: BatchFs | undefined
  #underWay = 0
  #idle: () => void = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined
  #isExpired = false

  private constructor(
    fs: Vfs,
    expect: Readonly<Record<string, number>> | undefined,
    idleMs: number,
    opened: (view: BatchFs) => void,
  ) {
    this.#idleMs = idleMs
    const decision = deferred<'commit' | 'roll-back'>()
    this.#decide = decision.resolve
    this.#finished = fs.batch(async view => {
      if (this.#view !== undefined)
        throw new AnchorageError('ESTALE', 'A batch of another thread cannot be repeated. Next: start a new one.')
      this.#view = view
      opened(view)
      if ((await decision.promise) === 'roll-back') throw new RolledBack('rolled back')
    }, defined({ expect }))
  }

  /** Rejects when the batch cannot start: ESTALE if `expect` does not hold. */
  static async open(fs: Vfs, expect: Readonly<Record<string, number>> | undefined, idleMs: number): Promise<RemoteBatch> {
    const opened = deferred<BatchFs>()
    const batch = new RemoteBatch(fs, expect, idleMs, opened.resolve)
    // It ends before it has opened only if it fails.
    await Promise.race([opened.promise, batch.#finished])
    // The caller of `close` receives the outcome; until then there is no listener.
    batch.#finished.catch(() => {})
    batch.#rest()
    return batch
  }

  async run(verb: string, args: readonly unknown[]): Promise<unknown> {
    const view = this.#view
    if (this.#isExpired || view === undefined) throw this.#expired()
    clearTimeout(this.#timer)
    this.#underWay += 1
    try {
      return await runVerb(batchVerbs, view, verb, args)
    } finally {
      this.#underWay -= 1
      if (this.#underWay === 0) this.#rest()
    }
  }

  /** Rejects with the reason why the commit was refused, such as ESTALE. A roll-back never rejects. */
  async close(outcome: 'commit' | 'roll-back'): Promise<void> {
    clearTimeout(this.#timer)
    if (this.#isExpired && outcome === 'commit') throw this.#expired()
    // Operations that the page did not wait for still belong to it.
    if (this.#underWay > 0) {
      const idle = deferred<void>()
      this.#idle = () => idle.resolve()
      await idle.promise
    }
    clearTimeout(this.#timer)
    this.#decide(outcome)
    try {
      await this.#finished
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error
    }
  }

  #rest(): void {
    this.#idle()
    this.#timer = setTimeout(() => {
      this.#isExpired = true
      this.#decide('roll-back')
    }, this.#idleMs)
  }

  #expired(): AnchorageError {
    return new AnchorageError(
      'batch-expired',
      `The batch did nothing for ${this.#idleMs / 1000} seconds and was rolled back; nothing was changed. Next: run it again, and do slow work before it.`,
      { details: { idleMs: this.#idleMs } },
    )
  }
}
