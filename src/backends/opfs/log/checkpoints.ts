// The two checkpoints of a store: the one that the next mount begins from, and the one before it, which the next one is written over.

import { VfsError } from '../../../vfs/error.ts'
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
  #active: NumberedFile | undefined
  #spare: NumberedFile | undefined
  #generation: number
  /** Bytes and commits that a mount has to replay. */
  bytesSince: number
  commitsSince: number

  constructor(mounted: {
    readonly activeCheckpoint: NumberedFile | undefined
    readonly spareCheckpoint: NumberedFile | undefined
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
    const spare = this.#spareIn(files)
    const { file } = spare
    file.truncate(headerBytes)
    file.append(bytes)
    file.flush()
    this.#spare = this.#active
    this.#active = spare
    this.#generation++
    this.bytesSince = 0
    this.commitsSince = 0
  }
  /** A file of an earlier format gives its place to another one. Throws `VfsError` EAGAIN if none is at hand. */
  #spareIn(files: StoreFiles): NumberedFile {
    if (this.#spare?.version === formatVersion) return this.#spare
    const fresh = files.begin('checkpoint')
    if (fresh === undefined) {
      throw new VfsError('EAGAIN', 'checkpoint', { hint: 'no spare file is open yet; it is tried again later' })
    }
    if (this.#spare !== undefined) files.discard(this.#spare)
    this.#spare = fresh
    return fresh
  }
}
