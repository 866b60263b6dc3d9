// Bytes are copied when they enter and leave the tree, so that changing an array outside cannot change a file.

import { failure } from '../error.ts'
import type { ReadRange } from '../backend.ts'
import type { FileContent } from './node.ts'

/** A copy as a plain `Uint8Array`, for any kind of view (`slice` of a Node Buffer would share its memory). */
export function copied(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes)
}

/** Memory for several contents, one after the other. */
interface Block {
  readonly bytes: Uint8Array
  /** The memory up to here belongs to a content and never changes; the rest is free. */
  usedBytes: number
}

const makeBlock = (sizeBytes: number): Block => ({ bytes: new Uint8Array(sizeBytes), usedBytes: 0 })

const sharedBytes = 64 * 1024
let shared = makeBlock(0)

/**
 * Like {@link copied}, for content that is stored. Small files that are created one after the other share a block of memory, which takes
 * half the time and helps the garbage collector. A block stays in memory until all of its files have been replaced, so blocks are small and
 * only used for new files: files that are created together are usually removed together.
 */
export function packed(bytes: Uint8Array): FileContent {
  if (bytes.length > sharedBytes / 8) return copied(bytes)
  if (shared.usedBytes + bytes.length > shared.bytes.length) shared = makeBlock(sharedBytes)
  return new BlockContent(shared, shared.usedBytes, 0).followedBy(bytes)
}

/** A part of a block. A `Uint8Array` over it would take three times the memory. */
class BlockContent implements FileContent {
  readonly length: number
  readonly #block: Block
  readonly #offset: number

  constructor(block: Block, offset: number, length: number) {
    this.#block = block
    this.#offset = offset
    this.length = length
  }

  slice(start?: number, end?: number): Uint8Array {
    return this.view().slice(start, end)
  }

  view(): Uint8Array {
    return this.#block.bytes.subarray(this.#offset, this.#offset + this.length)
  }

  /** This content followed by `more`, in the same block, which must have room. This object still has its old length. */
  followedBy(more: Uint8Array): BlockContent {
    this.#block.bytes.set(more, this.#block.usedBytes)
    this.#block.usedBytes += more.length
    return new BlockContent(this.#block, this.#offset, this.length + more.length)
  }

  /** Whether the content ends at the used part of its block, and the block has room for this many more bytes. */
  canGrowBy(lengthBytes: number): boolean {
    const { bytes, usedBytes } = this.#block
    return usedBytes === this.#offset + this.length && usedBytes + lengthBytes <= bytes.length
  }
}

/** The bytes themselves if they are in memory, otherwise a copy. In both cases they must not be changed. */
export function viewOf(content: FileContent): Uint8Array {
  return content instanceof Uint8Array ? content : (content.view?.() ?? content.slice())
}

/** The bytes in `range`, which is clamped to the content. EINVAL if it is not two integers from 0 up. */
export function sliced(bytes: FileContent, { start = 0, end = bytes.length }: ReadRange = {}, path: string): Uint8Array {
  if (![start, end].every(value => value >= 0 && Math.trunc(value) === value))
    throw failure('EINVAL', 'read', path, 'not a range')
  return bytes.slice(start, Math.max(start, Math.min(end, bytes.length)))
}

/**
 * `content` followed by `more`. Appending one line at a time must not copy the whole file each time: an append reserves room after the
 * content, and the next one uses it if it is still free. So on average it takes time proportional to `more`.
 */
export function appended(content: FileContent, more: Uint8Array): FileContent {
  if (content instanceof BlockContent && content.canGrowBy(more.length)) return content.followedBy(more)
  const lengthBytes = content.length + more.length
  const block = makeBlock(lengthBytes + Math.max(64, lengthBytes >> 1))
  return new BlockContent(block, 0, 0).followedBy(viewOf(content)).followedBy(more)
}
