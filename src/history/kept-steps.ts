// Stores the steps of a history beside the files. They are written shortly after they were made, and read again when an undo
// needs them after a reload. A step that cannot be read is dropped and counted.

import { deferred, type Deferred } from '../core/deferred.ts'
import type { RecordStorage } from '../core/record-storage.ts'
import type { Difference, Snapshot } from '../vfs/backend.ts'
import { followFiles, reversed, type Trail } from './lineage.ts'
import { decodeHead, decodeStep, encodeHead, encodeStep, recordOf, type StepHead, type StepRecord } from './step-record.ts'

/** A step of an earlier page. */
export interface StoredStep {
  readonly number: number
  readonly head: StepHead
}

/** A step to be stored. */
export interface WritableStep {
  readonly head: Omit<StepHead, 'bodyBytes' | 'sum'>
  readonly before: Snapshot
  readonly after: Snapshot
  readonly trail: Trail
  readonly written: (stored: { readonly number: number; readonly bodyBytes: number }) => void
}

type Diff = (from: Snapshot, to: Snapshot) => Promise<readonly Difference[]>

export class KeptSteps {
  /** The stored steps of earlier pages, oldest first. */
  readonly found: readonly StoredStep[]
  /** The number of stored steps that could not be read. */
  readonly damaged: number
  readonly #storage: RecordStorage
  readonly #diff: Diff
  #lastNumber: number
  /** Steps to be written. A step is encoded when it is written, because its call may still add changes. */
  #waiting: (() => WritableStep | undefined)[] = []
  #removed: number[] = []
  #writing: Promise<void> | undefined
  /** Ends the pause before the next write. */
  #hurry: Deferred<void> | undefined
  #isFailed = false

  private constructor(
    storage: RecordStorage,
    diff: Diff,
    { found, lastNumber, damaged }: Pick<KeptSteps, 'found' | 'damaged'> & { readonly lastNumber: number },
  ) {
    this.#storage = storage
    this.#diff = diff
    this.found = found
    this.#lastNumber = lastNumber
    this.damaged = damaged
  }

  static async open(storage: RecordStorage, diff: Diff): Promise<KeptSteps> {
    const found: StoredStep[] = []
    const damaged: number[] = []
    let lastNumber = 0
    for (const [number, text] of await storage.heads()) {
      lastNumber = Math.max(lastNumber, number)
      const head = decodeHead(text)
      if (head === undefined) damaged.push(number)
      else found.push({ number, head })
    }
    const kept = new KeptSteps(storage, diff, { found, lastNumber, damaged: damaged.length })
    for (const number of damaged) kept.remove(number)
    return kept
  }

  /** Whether an error of the storage has stopped storing. */
  get isFailed(): boolean {
    return this.#isFailed
  }

  /** Calls `read` once, when the step is written. It returns `undefined` if the step was dropped in the meantime. */
  add(read: () => WritableStep | undefined): void {
    this.#waiting.push(read)
    this.#start()
  }

  remove(number: number): void {
    this.#removed.push(number)
    this.#start()
  }

  /** Returns `undefined` if the body is damaged. */
  async read({ number, head }: StoredStep): Promise<StepRecord | undefined> {
    const body = await this.#storage.body(number)
    return body === undefined ? undefined : decodeStep(body, head.sum)
  }

  /** Resolves when all added steps have been stored, or cannot be. */
  async settled(): Promise<void> {
    while (this.#writing !== undefined) {
      this.#hurry?.resolve()
      await this.#writing
    }
  }

  #start(): void {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
      if (this.#waiting.length > 0 || this.#removed.length > 0) this.#start()
    })
  }

  async #write(): Promise<void> {
    this.#hurry = deferred()
    await Promise.race([this.#storage.pause(), this.#hurry.promise])
    const [waiting, removed] = [this.#waiting, this.#removed]
    this.#waiting = []
    this.#removed = []
    if (this.#isFailed) return
    const written: (() => void)[] = []
    const records = []
    for (const read of waiting) {
      const step = read()
      if (step === undefined) continue
      const { before, after, head, trail } = step
      const differences = followFiles(await this.#diff(before, after), reversed(trail))
      const { body, sum } = encodeStep(await recordOf(differences, before.fs, after.fs))
      const number = ++this.#lastNumber
      records.push({ number, head: encodeHead({ ...head, bodyBytes: body.length, sum }), body })
      written.push(() => step.written({ number, bodyBytes: body.length }))
    }
    if (await this.#storage.change(records, removed)) for (const tell of written) tell()
    else this.#isFailed = true
  }
}
