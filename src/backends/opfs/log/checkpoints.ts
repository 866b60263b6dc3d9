// The two checkpoints of a store: the one that the next mount begins from, and the one before it, which the next one is written over.

import type { Version } from '../../../vfs/tree/tree.ts'
import type { StoreFiles } from './files.ts'
import { formatVersion, headerBytes, type NumberedFile } from './header.ts'

/** What a checkpoint is made of besides the log's own numbers. */
export interface TreeState {
  readonly tree: Version
  readonly lastRev: number
  readonly lastIno: number
  readonly lastSeq: number
}

export class Checkpoints {
  #active: NumberedFile
  #spare: NumberedFile
  #generation: number
  /** Bytes and commits that a mount has to replay. */
  bytesSince: number
  commitsSince: number

  constructor(mounted: {
    readonly activeCheckpoint: NumberedFile
    readonly spareCheckpoint: NumberedFile
    readonly generation: number
    readonly bytes: number
    readonly count: number
  }) {
    this.#active = mounted.activeCheckpoint
    this.#spare = mounted.spareCheckpoint
    this.#generation = mounted.generation
    this.bytesSince = mounted.bytes
    this.commitsSince = mounted.count
  }

  /** Of the checkpoint that is written next. */
  get nextGeneration(): number {
    return this.#generation + 1
  }

  /** Throws what the platform throws; the checkpoint before then still holds. */
  write(bytes: Uint8Array, files: StoreFiles): void {
    // A file of an earlier format is left as it is, and another one takes its place.
    if (this.#spare.version !== formatVersion) {
      const fresh = files.begin('checkpoint')
      if (fresh === undefined) throw new DOMException('there is no spare file for a checkpoint', 'QuotaExceededError')
      const old = this.#spare
      this.#spare = fresh
      files.discard(old)
    }
    const { file } = this.#spare
    file.truncate(headerBytes)
    file.append(bytes)
    file.flush()
    ;[this.#active, this.#spare] = [this.#spare, this.#active]
    this.#generation++
    this.bytesSince = 0
    this.commitsSince = 0
  }
}
