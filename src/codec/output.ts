// Bytes that a decoder writes, which are also the window that it copies from.

import { joinBytes } from '../core/bytes.ts'
import type { Steps } from '../core/in-steps.ts'
import { CodecError, damaged } from './error.ts'

/** What unpacks to more than this many times its size, and to more than 32 MiB, is made to fill a memory. */
const maxRatio = 2_000

/** How many bytes `packedBytes` may unpack to, of at most `maxBytes`. */
export function mostBytesOf(packedBytes: number, maxBytes: number, ratio: number = maxRatio): number {
  return Math.min(maxBytes, Math.max(32 * 1024 * 1024, packedBytes * ratio))
}

export class DecoderOutput {
  #bytes: Uint8Array
  #size = 0
  readonly #maxBytes: number

  constructor(maxBytes: number, expectedBytes: number = 1 << 16) {
    this.#maxBytes = maxBytes
    this.#bytes = new Uint8Array(Math.max(1024, Math.min(expectedBytes, maxBytes, 1 << 24)))
  }

  get size(): number {
    return this.#size
  }

  push(byte: number): void {
    if (this.#size === this.#bytes.length) this.#grow(1)
    this.#bytes[this.#size++] = byte
  }

  append(bytes: Uint8Array): void {
    if (this.#size + bytes.length > this.#bytes.length) this.#grow(bytes.length)
    this.#bytes.set(bytes, this.#size)
    this.#size += bytes.length
  }

  /** The byte `distance` bytes back, from 1; `from` is where the window begins. */
  back(distance: number, from: number = 0): number {
    if (distance > this.#size - from) throw damaged('it refers to bytes before its beginning')
    return this.#bytes[this.#size - distance] ?? 0
  }

  /** Repeats what stands `distance` bytes back; the copy may reach into itself. */
  copy(distance: number, length: number, from: number = 0): void {
    if (distance > this.#size - from || distance < 1) throw damaged('it refers to bytes before its beginning')
    if (this.#size + length > this.#bytes.length) this.#grow(length)
    let at = this.#size
    const end = at + length
    const bytes = this.#bytes
    if (distance >= length) bytes.copyWithin(at, at - distance, at - distance + length)
    else for (; at < end; at++) bytes[at] = bytes[at - distance] ?? 0
    this.#size = end
  }

  slice(start: number, end: number = this.#size): Uint8Array {
    return this.#bytes.subarray(start, end)
  }

  #grow(by: number): void {
    const needed = this.#size + by
    if (needed > this.#maxBytes) throw new CodecError('limit', `it unpacks to more than ${this.#maxBytes} bytes`)
    const grown = new Uint8Array(Math.min(this.#maxBytes, Math.max(needed, this.#bytes.length * 2)))
    grown.set(this.#bytes)
    this.#bytes = grown
  }
}

/**
 * Unpacks streams that follow each other. `readStream` returns where a stream ends, and `nextStream` where the next one begins after that:
 * at the end of `packed` if there is none.
 */
export function* unpackStreams(
  packed: Uint8Array,
  maxBytes: number,
  readStream: (packed: Uint8Array, at: number, output: DecoderOutput) => Steps<number>,
  nextStream: (at: number) => number,
): Steps<Uint8Array> {
  const parts: Uint8Array[] = []
  let left = mostBytesOf(packed.length, maxBytes)
  let at = 0
  do {
    const output = new DecoderOutput(left, packed.length * 4)
    at = nextStream(yield* readStream(packed, at, output))
    parts.push(output.slice(0))
    left -= output.size
  } while (at < packed.length)
  const [only, second] = parts
  return only !== undefined && second === undefined ? only : joinBytes(parts)
}
