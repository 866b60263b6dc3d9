// Bytes cross the tree's border by copy, both ways: nobody outside can change a file by changing an array.

import { failure } from '../error.ts'
import type { ReadRange } from '../backend.ts'
import type { FileContent } from './node.ts'

/** A plain `Uint8Array` of its own, whatever kind of view `bytes` is (`slice` of a Node Buffer would share its memory). */
export function copied(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes)
}

/** Memory that contents lie in, one behind the other. */
interface Block {
  readonly bytes: Uint8Array
  /** Up to here it belongs to some content, for good; what follows is free. */
  usedBytes: number
}

const makeBlock = (sizeBytes: number): Block => ({ bytes: new Uint8Array(sizeBytes), usedBytes: 0 })

const sharedBytes = 64 * 1024
let shared = makeBlock(0)

/**
 * Like {@link copied}, for content that is stored: small files that are made one after the other share a block of memory, which
 * takes half the time and spares the garbage collector. A block lives as long as one of its files has not been written again, so
 * blocks are small, and only new files go there: those that arrive together mostly leave together.
 */
export function packed(bytes: Uint8Array): FileContent {
  if (bytes.length > sharedBytes / 8) return copied(bytes)
  if (shared.usedBytes + bytes.length > shared.bytes.length) shared = makeBlock(sharedBytes)
  return new BlockContent(shared, shared.usedBytes, 0).followedBy(bytes)
}

/** A part of a block. An array over it would say the same, and take three times the memory. */
class BlockContent implements FileContent {
  readonly length: number
  readonly #block: Block
  readonly #offset: number

  constructor(block: Block, offset: number, length: number) {
    this.#block = block
    this.#offset = offset
    this.length = length
  }

  slice(start = 0, end: number = this.length): Uint8Array {
    return this.#block.bytes.slice(this.#offset + start, this.#offset + Math.max(start, Math.min(end, this.length)))
  }

  view(): Uint8Array {
    return this.#block.bytes.subarray(this.#offset, this.#offset + this.length)
  }

  /** With `more` behind it, in the same block, which must have room. This one sees only its own length. */
  followedBy(more: Uint8Array): BlockContent {
    this.#block.bytes.set(more, this.#block.usedBytes)
    this.#block.usedBytes += more.length
    return new BlockContent(this.#block, this.#offset, this.length + more.length)
  }

  /** Whether nothing lies behind it, and there is room for so many bytes. */
  canGrowBy(lengthBytes: number): boolean {
    const { bytes, usedBytes } = this.#block
    return usedBytes === this.#offset + this.length && usedBytes + lengthBytes <= bytes.length
  }
}

/** The bytes themselves where they are in memory, else a copy: either way nobody may change them. */
export function viewOf(content: FileContent): Uint8Array {
  return content instanceof Uint8Array ? content : (content.view?.() ?? content.slice())
}

/** What lies in `range`, which is clamped to the bytes that are there. EINVAL for anything but whole numbers from 0 up. */
export function sliced(bytes: FileContent, range: ReadRange, path: string): Uint8Array {
  const { start = 0, end = bytes.length } = range
  if (![start, end].every(value => value >= 0 && Math.trunc(value) === value)) {
    throw failure('EINVAL', 'read', path, `${start} to ${end} is no range`)
  }
  return bytes.slice(start, Math.max(start, Math.min(end, bytes.length)))
}

/**
 * `content` with `more` behind it. Appending a line at a time must not copy the whole file each time: the last append leaves free room
 * behind the content, and the next one may use it if nobody did before. So it takes time in proportion to `more` alone, on average.
 */
export function appended(content: FileContent, more: Uint8Array): FileContent {
  if (content instanceof BlockContent && content.canGrowBy(more.length)) return content.followedBy(more)
  const lengthBytes = content.length + more.length
  const block = makeBlock(lengthBytes + Math.max(64, lengthBytes >> 1))
  return new BlockContent(block, 0, 0).followedBy(viewOf(content)).followedBy(more)
}
