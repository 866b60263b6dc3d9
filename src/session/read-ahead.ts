// Reads the next files of a search together. In a store on disk, an access for each small file takes longer than searching it.

import type { VfsPath } from '../core/path.ts'
import type { Dirent, VfsSync } from '../vfs/backend.ts'
import { gainsByReadingAhead, type LentPlace, readAhead } from '../vfs/borrow.ts'

/** So that an abort takes effect soon, and what was read is still in memory when it is searched. */
const filesAtOnce = 256
const bytesAtOnce = 2 * 1024 * 1024

export interface ReadAheadOptions {
  readonly reader: Pick<VfsSync, 'read'>
  readonly files: readonly { readonly path: VfsPath }[]
  /** The entry of each file, from the same snapshot. */
  readonly dirents?: readonly Dirent[] | undefined
}

export class ReadAhead {
  readonly #options: ReadAheadOptions
  #end = 0
  /** False if the files are in memory. */
  #mayGain = true

  constructor(options: ReadAheadOptions) {
    this.#options = options
  }

  /** Reads the file at `position` and the files behind it, unless that was done. */
  from(position: number): void {
    if (!this.#mayGain || position < this.#end) return
    const { reader } = this.#options
    const first = this.#placeAt(position)
    const gains = first && gainsByReadingAhead(reader, first)
    if (gains !== true) {
      this.#mayGain = gains === undefined
      return
    }
    const end = Math.min(position + filesAtOnce, this.#options.files.length)
    const places: LentPlace[] = []
    for (let next = position; next < end; next++) {
      const place = this.#placeAt(next)
      if (place !== undefined) places.push(place)
    }
    this.#end = position + readAhead(reader, places, bytesAtOnce)
  }

  #placeAt(position: number): LentPlace | undefined {
    const file = this.#options.files[position]
    return file && { path: file.path, entry: this.#options.dirents?.[position] }
  }
}
