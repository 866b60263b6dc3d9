// Bytes cross the tree's border by copy, both ways: nobody outside can change a file by changing an array.

import { VfsError } from '../error.ts'
import type { ReadRange } from '../backend.ts'
import type { FileContent } from './node.ts'

/** A plain `Uint8Array` of its own, whatever kind of view `bytes` is (`slice` of a Node Buffer would share its memory). */
export function copied(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes)
}

const slabBytes = 64 * 1024
let slab = new Uint8Array(0)
let slabUsedBytes = 0

/**
 * Like {@link copied}, for content that is stored: small files that are made one after the other share a block of memory, which
 * takes half the time and spares the garbage collector. A block lives as long as one of its files has not been written again, so
 * blocks are small, and only new files go there: those that arrive together mostly leave together.
 */
export function packed(bytes: Uint8Array): FileContent {
  if (bytes.length > slabBytes / 8) return copied(bytes)
  if (slabUsedBytes + bytes.length > slab.length) {
    slab = new Uint8Array(slabBytes)
    slabUsedBytes = 0
  }
  slab.set(bytes, slabUsedBytes)
  const stored = new PackedContent(slab, slabUsedBytes, bytes.length)
  slabUsedBytes += bytes.length
  return stored
}

/** A part of a block. An array over it would say the same, and take three times the memory. */
class PackedContent implements FileContent {
  readonly length: number
  readonly #block: Uint8Array
  readonly #offset: number

  constructor(block: Uint8Array, offset: number, length: number) {
    this.length = length
    this.#block = block
    this.#offset = offset
  }

  slice(start = 0, end: number = this.length): Uint8Array {
    return this.#block.slice(this.#offset + start, this.#offset + Math.max(start, Math.min(end, this.length)))
  }

  view(): Uint8Array {
    return this.#block.subarray(this.#offset, this.#offset + this.length)
  }
}

/** The bytes themselves where they are in memory, else a copy: either way nobody may change them. */
export function viewOf(content: FileContent): Uint8Array {
  return content instanceof Uint8Array ? content : (content.view?.() ?? content.slice())
}

/** What lies in `range`, which is clamped to the bytes that are there. EINVAL for anything but whole numbers from 0 up. */
export function sliced(bytes: FileContent, range: ReadRange, path: string): Uint8Array {
  const { start = 0, end = bytes.length } = range
  if (!(Number.isSafeInteger(start) && start >= 0) || (end !== Infinity && !(Number.isSafeInteger(end) && end >= 0))) {
    throw new VfsError('EINVAL', 'read', {
      path,
      hint: `a range is two whole numbers from 0 up, not ${start} to ${end}`,
    })
  }
  return bytes.slice(start, Math.max(start, Math.min(end, bytes.length)))
}

interface Room {
  readonly bytes: Uint8Array
  /** Up to here it belongs to some file; what follows is free for whoever ends exactly here. */
  usedBytes: number
}

// Appending a line at a time must not copy the whole file each time. The last append leaves free room behind the content; the next
// one may use it if nobody did before: an older version that shares the buffer sees only its own length.
const growing = new WeakMap<ArrayBufferLike, Room>()

/** `bytes` with `more` behind them. Takes time in proportion to `more` alone, on average. */
export function appended(content: FileContent, more: Uint8Array): Uint8Array {
  const bytes = content instanceof Uint8Array ? content : content.slice()
  const lengthBytes = bytes.length + more.length
  const shared = growing.get(bytes.buffer)
  if (shared !== undefined && shared.usedBytes === bytes.length && lengthBytes <= shared.bytes.length) {
    shared.bytes.set(more, bytes.length)
    shared.usedBytes = lengthBytes
    return shared.bytes.subarray(0, lengthBytes)
  }
  const room = new Uint8Array(lengthBytes + Math.max(64, lengthBytes >> 1))
  room.set(bytes)
  room.set(more, bytes.length)
  growing.set(room.buffer, { bytes: room, usedBytes: lengthBytes })
  return room.subarray(0, lengthBytes)
}
