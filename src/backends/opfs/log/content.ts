// A file's content that lies in the log. The tree holds these instead of bytes, so that a store opens without reading any content;
// what was read or written last stays in memory.

import { VfsError } from '../../../vfs/error.ts'
import { packed, viewOf } from '../../../vfs/tree/content.ts'
import type { FileContent } from '../../../vfs/tree/node.ts'
import { crc32c } from './crc32c.ts'
import { storageError } from './failure.ts'
import type { NumberedFile } from './header.ts'

/** Larger content is not taken into memory for a part of it, and lies in a file of its own. */
export const largeBytes: number = 1024 * 1024

const cacheBytes = 64 * 1024 * 1024

/**
 * What was used last, in two generations: when the younger one has half of the room, it becomes the older one, and what the older one
 * held is forgotten. Contents come by the thousand, and this neither moves nor searches anything for one of them.
 */
export class ContentCache {
  readonly #halfBytes: number
  #young = new Map<StoredContent, FileContent>()
  #old: ReadonlyMap<StoredContent, FileContent> = new Map()
  #youngBytes = 0

  constructor(maxBytes: number = cacheBytes) {
    this.#halfBytes = maxBytes / 2
  }

  get(content: StoredContent): FileContent | undefined {
    const young = this.#young.get(content)
    if (young !== undefined) return young
    const old = this.#old.get(content)
    // Out of the block that it shares with contents that will be forgotten.
    if (old !== undefined) this.set(content, old instanceof Uint8Array ? old : old.slice())
    return old
  }

  /** What is larger than half of the room is not kept. */
  set(content: StoredContent, bytes: FileContent): void {
    if (bytes.length > this.#halfBytes) return
    if (this.#youngBytes + bytes.length > this.#halfBytes) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngBytes = 0
    }
    this.#young.set(content, bytes)
    this.#youngBytes += bytes.length
  }
}

export interface Location {
  readonly holder: NumberedFile
  readonly offset: number
}

export class StoredContent implements FileContent {
  readonly length: number
  readonly checksum: number
  readonly #cache: ContentCache
  // Two fields and not an object: there are as many of these as files.
  #holder: NumberedFile | undefined
  #offset = 0
  /** Until it is stored. */
  #unsaved: FileContent | undefined

  private constructor(cache: ContentCache, length: number, checksum: number) {
    this.#cache = cache
    this.length = length
    this.checksum = checksum
  }

  /** Copies `data`. It lives in memory until it is {@link place}d. */
  static unsaved(data: Uint8Array, cache: ContentCache): StoredContent {
    const content = new StoredContent(cache, data.length, crc32c(data))
    content.#unsaved = packed(data)
    return content
  }

  static at(holder: NumberedFile, offset: number, length: number, checksum: number, cache: ContentCache): StoredContent {
    const content = new StoredContent(cache, length, checksum)
    content.#holder = holder
    content.#offset = offset
    return content
  }

  get location(): Location | undefined {
    return this.#holder === undefined ? undefined : { holder: this.#holder, offset: this.#offset }
  }

  /** The bytes that are not stored yet. */
  get unsavedBytes(): Uint8Array | undefined {
    return this.#unsaved === undefined ? undefined : viewOf(this.#unsaved)
  }

  /** From now on it is read from `location`, where the same bytes lie. */
  place(location: Location): void {
    this.#holder = location.holder
    this.#offset = location.offset
    if (this.#unsaved !== undefined) this.#cache.set(this, this.#unsaved)
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
    this.#cache.set(this, bytes)
    return bytes.slice(start, end)
  }

  #read(start: number, end: number): Uint8Array {
    const bytes = new Uint8Array(Math.max(0, end - start))
    if (bytes.length === 0) return bytes
    const holder = this.#holder
    if (holder === undefined) throw new Error('a content is neither in memory nor stored')
    if (holder.isGone) throw new VfsError('EBADF', 'read', { hint: 'its snapshot or its filesystem is no longer held' })
    let count: number
    try {
      count = holder.file.read(bytes, this.#offset + start)
    } catch (error) {
      throw storageError(error, 'read')
    }
    if (count !== bytes.length) throw new VfsError('EIO', 'read', { hint: 'the store is shorter than it was' })
    return bytes
  }
}
