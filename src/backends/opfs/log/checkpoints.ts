// The two checkpoints of a store: the one that the next mount begins from, and the one before it, which the next one is written over.

import type { Version } from '../../../vfs/tree/tree.ts'
import { headerBytes, type NumberedFile } from './header.ts'

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
    readonly replayedBytes: number
    readonly replayedCount: number
  }) {
    this.#active = mounted.activeCheckpoint
    this.#spare = mounted.spareCheckpoint
    this.#generation = mounted.generation
    this.bytesSince = mounted.replayedBytes
    this.commitsSince = mounted.replayedCount
  }

  /** Of the checkpoint that is written next. */
  get nextGeneration(): number {
    return this.#generation + 1
  }

  /** Throws what the platform throws; the checkpoint before then still holds. */
  write(bytes: Uint8Array): void {
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
