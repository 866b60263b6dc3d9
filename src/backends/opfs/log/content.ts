// A file's content that lies in the log. The tree holds these instead of bytes, so that a store opens without reading any content;
// what was read or written last stays in memory.

import { SizedLru } from '../../../core/lru.ts'
import { VfsError } from '../../../vfs/error.ts'
import type { FileContent } from '../../../vfs/tree/node.ts'
import { crc32c } from './crc32c.ts'
import { storageError } from './failure.ts'
import type { NumberedFile } from './header.ts'

/** Larger content is not taken into memory for a part of it, and lies in a file of its own. */
export const largeBytes: number = 1024 * 1024

const cacheBytes = 64 * 1024 * 1024

export type ContentCache = SizedLru<StoredContent, Uint8Array>

export function createContentCache(maxBytes: number = cacheBytes): ContentCache {
  return new SizedLru(maxBytes)
}

export interface Location {
  readonly holder: NumberedFile
  readonly offset: number
}

export class StoredContent implements FileContent {
  readonly length: number
  readonly checksum: number
  readonly #cache: ContentCache
  #location: Location | undefined
  /** Until it is stored. */
  #unsaved: Uint8Array | undefined

  private constructor(cache: ContentCache, length: number, checksum: number) {
    this.#cache = cache
    this.length = length
    this.checksum = checksum
  }

  /** Copies `data`. It lives in memory until it is {@link place}d. */
  static unsaved(data: Uint8Array, cache: ContentCache): StoredContent {
    const content = new StoredContent(cache, data.length, crc32c(data))
    content.#unsaved = new Uint8Array(data)
    return content
  }

  static at(location: Location, length: number, checksum: number, cache: ContentCache): StoredContent {
    const content = new StoredContent(cache, length, checksum)
    content.#location = location
    return content
  }

  get location(): Location | undefined {
    return this.#location
  }

  /** The bytes that are not stored yet. */
  get unsavedBytes(): Uint8Array | undefined {
    return this.#unsaved
  }

  /** From now on it is read from `location`, where the same bytes lie. */
  place(location: Location): void {
    this.#location = location
    if (this.#unsaved !== undefined) this.#cache.set(this, this.#unsaved, this.#unsaved.length)
    this.#unsaved = undefined
  }

  /** `start` and `end` are within the content. A part of a large content is not held against the checksum. */
  slice(start = 0, end: number = this.length): Uint8Array {
    const known = this.#unsaved ?? this.#cache.get(this)
    if (known !== undefined) return known.slice(start, end)
    if (this.length > largeBytes && end - start < this.length) return this.#read(start, end)
    const bytes = this.#read(0, this.length)
    if (crc32c(bytes) !== this.checksum) {
      throw new VfsError('EIO', 'read', {
        hint: 'what is stored is damaged: it does not have its checksum; write the file again, or restore it',
      })
    }
    if (this.length > largeBytes) return bytes
    this.#cache.set(this, bytes, bytes.length)
    return bytes.slice(start, end)
  }

  #read(start: number, end: number): Uint8Array {
    const bytes = new Uint8Array(Math.max(0, end - start))
    if (bytes.length === 0) return bytes
    if (this.#location === undefined) throw new Error('a content is neither in memory nor stored')
    const { holder, offset } = this.#location
    if (holder.isGone) throw new VfsError('EBADF', 'read', { hint: 'its snapshot or its filesystem is no longer held' })
    let count: number
    try {
      count = holder.file.read(bytes, offset + start)
    } catch (error) {
      throw storageError(error, 'read')
    }
    if (count !== bytes.length) throw new VfsError('EIO', 'read', { hint: 'the store is shorter than it was' })
    return bytes
  }
}
