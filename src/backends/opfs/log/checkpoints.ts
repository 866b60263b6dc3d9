// The two checkpoints of a store: the one that the next mount starts from, and the older one, which the next checkpoint overwrites.

import { VfsError } from '../../../vfs/error.ts'
import type { Version } from '../../../vfs/tree/tree.ts'
import type { StoreFiles } from './files.ts'
import { formatVersion, headerBytes, type NumberedFile } from './header.ts'

/** The contents of a checkpoint besides the log's numbers. */
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
  /** Bytes and commits that a mount would have to replay. */
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

  get nextGeneration(): number {
    return this.#generation + 1
  }

  /** Throws what the platform throws; then the previous checkpoint remains valid. */
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
  /** Replaces a file of an earlier format with a spare one. Throws `VfsError` EAGAIN if there is no spare file. */
  #spareIn(files: StoreFiles): NumberedFile {
    if (this.#spare?.version === formatVersion) return this.#spare
    const fresh = files.begin('checkpoint')
    if (fresh === undefined)
      throw new VfsError('EAGAIN', 'checkpoint', { hint: 'no spare file is open yet; it is tried again later' })
    if (this.#spare !== undefined) files.discard(this.#spare)
    this.#spare = fresh
    return fresh
  }
}
