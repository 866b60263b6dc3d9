// The content of a file in the log. The tree holds these objects instead of bytes, so that a store opens without reading any content.
// Recently read or written bytes stay in memory.

import { taken } from '../../../core/taken.ts'
import { isVfsError, VfsError } from '../../../vfs/error.ts'
import { packed, viewOf } from '../../../vfs/tree/content.ts'
import type { FileContent } from '../../../vfs/tree/node.ts'
import { crc32c } from './crc32c.ts'
import { storageError } from './failure.ts'
import { blockBytes, firstDamagedBlock, storedBytes, summed } from './extent.ts'
import type { NumberedFile } from './header.ts'
import { readTogether } from './read-together.ts'
import type { RecordContent } from './record.ts'

/** Larger content is not kept in memory and has a separate file. */
export const largeBytes: number = 1024 * 1024

const cacheBytes = 64 * 1024 * 1024

/**
 * Recently used contents, in two generations. When the younger generation fills half of the space, it becomes the older one, and the
 * previous older one is dropped. There are thousands of contents, and this neither moves nor searches entries for each access.
 */
export class ContentCache {
  readonly #halfBytes: number
  #young = new Map<StoredContent, FileContent>()
  #old = new Map<StoredContent, FileContent>()
  #youngBytes = 0

  constructor(maxBytes: number = cacheBytes) {
    this.#halfBytes = maxBytes / 2
  }

  /** The size of all bytes that are kept. */
  get sizeBytes(): number {
    let sum = this.#youngBytes
    for (const { length } of this.#old.values()) sum += length
    return sum
  }

  get(content: StoredContent): FileContent | undefined {
    const young = this.#young.get(content)
    if (young !== undefined) return young
    const old = this.#old.get(content)
    // Copy it out of the block that it shares with contents that will be dropped.
    if (old !== undefined)
      this.set(content, old instanceof Uint8Array && old.buffer.byteLength === old.length ? old : old.slice())
    return old
  }

  /** Like {@link get}, for a reader of very many contents: what it looks at does not stay in memory any longer. */
  look(content: StoredContent): FileContent | undefined {
    return this.#young.get(content) ?? this.#old.get(content)
  }

  delete(content: StoredContent): void {
    const young = this.#young.get(content)
    if (young !== undefined) this.#youngBytes -= young.length
    this.#young.delete(content)
    this.#old.delete(content)
  }

  /** Does not keep contents larger than half of the space. */
  set(content: StoredContent, bytes: FileContent): void {
    if (bytes.length > this.#halfBytes) return
    this.delete(content)
    if (this.#youngBytes + bytes.length > this.#halfBytes) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngBytes = 0
    }
    this.#young.set(content, bytes)
    this.#youngBytes += bytes.length
  }
}

const noTable = new Uint8Array()

export interface Location {
  readonly holder: NumberedFile
  readonly offset: number
}

/** Consecutive bytes in the log: a file's whole content, or a part of a {@link PiecedContent}. */
export class StoredContent implements FileContent {
  readonly length: number
  readonly #cache: ContentCache
  #checksum: number
  // Two fields instead of one object, because there are as many of these as files.
  #holder: NumberedFile | undefined
  #offset = 0
  /** The bytes, until they are stored. */
  #unsaved: FileContent | undefined
  /** Checksums of the blocks of a large content, once they have been read. */
  #table: Uint8Array | undefined

  private constructor(cache: ContentCache, length: number, checksum: number) {
    this.#cache = cache
    this.length = length
    this.#checksum = checksum
  }

  /** Copies `data`, or takes it if `isGiven`. The bytes stay in memory until {@link place} is called. */
  static unsaved(data: Uint8Array, cache: ContentCache, isGiven = false): StoredContent {
    const { checksum, table } = summed(data)
    const content = new StoredContent(cache, data.length, checksum)
    content.#unsaved = isGiven ? taken(data) : packed(data)
    content.#table = table
    return content
  }

  static at(holder: NumberedFile, offset: number, length: number, checksum: number, cache: ContentCache): StoredContent {
    const content = new StoredContent(cache, length, checksum)
    content.#holder = holder
    content.#offset = offset
    return content
  }

  get checksum(): number {
    return this.#checksum
  }

  get isPlaced(): boolean {
    return this.#holder !== undefined
  }

  /** 0 before it is placed. */
  get fileNumber(): number {
    return this.#holder?.number ?? 0
  }

  /** Where it begins in its file. */
  get offset(): number {
    return this.#offset
  }

  get location(): Location | undefined {
    return this.#holder === undefined ? undefined : { holder: this.#holder, offset: this.#offset }
  }

  /** The bytes, if they are not stored yet. */
  get unsaved(): RecordContent | undefined {
    if (this.#unsaved === undefined) return undefined
    return { bytes: viewOf(this.#unsaved), checksum: this.#checksum, table: this.#table }
  }

  /** From now on the content is read from `location`, which holds the same bytes. */
  place(location: Location): void {
    this.#holder = location.holder
    this.#offset = location.offset
    if (this.#unsaved !== undefined) this.#cache.set(this, this.#unsaved)
    this.#unsaved = undefined
  }

  /** From now on the content is read from the place of `copy`, which has the same bytes. */
  moveTo(copy: StoredContent): void {
    this.#holder = copy.#holder
    this.#offset = copy.#offset
    this.#checksum = copy.#checksum
    this.#table = copy.#table
  }

  /** Removes the content from memory; the next read reads it from the store. */
  forget(): void {
    this.#cache.delete(this)
  }

  /** `start` and `end` are within the content. Throws `VfsError` EIO if a part that it needs is damaged. */
  slice(start = 0, end: number = this.length): Uint8Array {
    const known = this.#unsaved ?? this.#cache.get(this)
    if (known !== undefined) return known.slice(start, end)
    if (this.length > largeBytes) return this.#readPart(start, Math.max(start, end))
    let bytes: Uint8Array
    try {
      bytes = this.#readPart(0, this.length)
    } catch (error) {
      if (!isVfsError(error, 'EIO')) throw error
      // The damage may be in another part.
      return this.#readPart(start, Math.max(start, end))
    }
    this.#cache.set(this, bytes)
    return bytes.slice(start, end)
  }

  /** The bytes for immediate use, without a copy if they are in memory. Throws as {@link slice} does. */
  peek(): Uint8Array {
    const known = this.#unsaved ?? this.#cache.look(this)
    if (known !== undefined) return viewOf(known)
    const bytes = this.#readPart(0, this.length)
    if (this.length <= largeBytes) this.#cache.set(this, bytes)
    return bytes
  }

  readAhead(contents: readonly FileContent[]): void {
    readTogether(contents.filter(content => content instanceof StoredContent).filter(content => content.#isReadAhead()))
  }

  #isReadAhead(): boolean {
    // What is too large to be kept would be read twice.
    if (this.length === 0 || this.length > largeBytes || this.#holder === undefined || this.#holder.isGone) return false
    return this.#unsaved === undefined && this.#cache.look(this) === undefined
  }

  get storedBytes(): number {
    return this.#holder?.version === 1 ? this.length : storedBytes(this.length)
  }

  /** Keeps the bytes that were read, unless they are damaged: then {@link slice} reads them again and reports it. */
  received(stored: Uint8Array): void {
    const [bytes, table] = [stored.subarray(0, this.length), stored.subarray(this.length)]
    if (crc32c(table.length === 0 ? bytes : table) !== this.#checksum) return
    if (table.length > 0 && firstDamagedBlock(bytes, 0, table) !== undefined) return
    this.#cache.set(this, bytes)
  }

  /** Verifies each block that it reads. */
  #readPart(start: number, end: number): Uint8Array {
    if (start === end) return new Uint8Array()
    if (this.#holder?.version === 1) return this.#readOfVersion1(start, end)
    if (this.length <= blockBytes) {
      const bytes = this.#read(0, this.length)
      if (crc32c(bytes) !== this.#checksum) throw this.#damaged(0, this.length)
      return bytes.subarray(start, end)
    }
    const table = this.#loadTable()
    const first = Math.floor(start / blockBytes)
    const from = first * blockBytes
    const blocks = this.#read(from, Math.min(this.length, Math.ceil(end / blockBytes) * blockBytes))
    const block = firstDamagedBlock(blocks, first, table)
    if (block !== undefined) throw this.#damaged(block * blockBytes, Math.min(this.length, (block + 1) * blockBytes))
    return start === from && blocks.length === end - start ? blocks : blocks.slice(start - from, end - from)
  }

  #loadTable(): Uint8Array {
    if (this.#table !== undefined) return this.#table
    const table = this.#read(this.length, storedBytes(this.length))
    if (crc32c(table) !== this.#checksum) throw this.#damaged(0, this.length)
    this.#table = table
    return table
  }

  /** Version 1 has one checksum for the whole content. It is verified at the first read of a part, and at every read of the whole. */
  #readOfVersion1(start: number, end: number): Uint8Array {
    if (this.#table !== undefined && end - start < this.length) return this.#read(start, end)
    const bytes = this.#read(0, this.length)
    if (crc32c(bytes) !== this.#checksum) throw this.#damaged(0, this.length)
    this.#table = noTable
    return start === 0 && end === this.length ? bytes : bytes.slice(start, end)
  }

  #damaged(start: number, end: number): VfsError {
    return new VfsError('EIO', 'read', {
      hint: `bytes ${start} to ${end} of this file are damaged: their checksum is wrong; write the file again, or restore it`,
    })
  }

  /** Also reads after the end, where the table is. */
  #read(start: number, end: number): Uint8Array {
    const bytes = new Uint8Array(end - start)
    const holder = this.#holder
    if (holder === undefined) throw new Error('a content is neither in memory nor stored')
    if (holder.isGone)
      throw new VfsError('EBADF', 'read', {
        hint: 'the snapshot or the filesystem was released; read the current file instead',
      })
    let count: number
    try {
      count = holder.file.read(bytes, this.#offset + start)
    } catch (error) {
      throw storageError(error, 'read')
    }
    if (count !== bytes.length) {
      throw new VfsError('EIO', 'read', {
        hint: 'the part of the store that held this content is missing; write the file again, or restore it',
      })
    }
    return bytes
  }
}
