// gzip with any number of members, held against the sums that it brings. Source: RFC 1952.

import { Gunzip, gzipSync } from 'fflate'

import { crc32 } from './crc32.ts'
import { CodecError, damaged } from './error.ts'
import { codecErrorOf } from './inflate.ts'
import { mostBytesOf } from './output.ts'

/** One slice becomes at most about 4 MiB. */
const sliceBytes = 4096
const trailerBytes = 8
/** Text that repeats stays below. */
const maxRatio = 500

export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b && head[2] === 8
}

/** Throws `CodecError` for what is cut off, damaged, or larger than `maxBytes` when it is unpacked. */
export function gunzip(packed: Uint8Array, maxBytes: number): Uint8Array {
  if (!isGzip(packed)) throw damaged('it is not in gzip format')
  const mostBytes = mostBytesOf(packed.length, maxBytes, maxRatio)
  const content = new GrowingBytes(Math.min(mostBytes, lastMemberBytes(packed)))
  // Of the member that is being unpacked.
  let [sum, length] = [0, 0]
  let started = 0
  let isDone = false
  const inflater = new Gunzip((piece, final) => {
    if (final) isDone = true
    if (piece.length === 0) return
    length += piece.length
    sum = crc32(piece, sum)
    if (content.length + piece.length > mostBytes) throw new CodecError('limit', `it unpacks to more than ${mostBytes} bytes`)
    content.add(piece)
  })
  inflater.onmember = at => {
    if (started++ > 0) checkTrailer(packed, at - trailerBytes, sum, length)
    ;[sum, length] = [0, 0]
  }
  try {
    for (let start = 0; start < packed.length; start += sliceBytes)
      inflater.push(packed.subarray(start, start + sliceBytes), start + sliceBytes >= packed.length)
  } catch (error) {
    throw codecErrorOf(error, 'the content')
  }
  if (!isDone) throw damaged('it is cut off')
  checkTrailer(packed, endWithoutPadding(packed, sum, length) - trailerBytes, sum, length)
  return content.bytes()
}

/** The name that the content had, if the header says so. */
export function gzipName(head: Uint8Array): string | undefined {
  const flags = head[3] ?? 0
  let at = 10
  if ((flags & 4) !== 0) at += 2 + (head[at] ?? 0) + ((head[at + 1] ?? 0) << 8)
  if ((flags & 8) === 0) return undefined
  const end = head.indexOf(0, at)
  const name = end === -1 ? '' : String.fromCharCode(...head.subarray(at, end))
  return name === '' || name.includes('/') ? undefined : name
}

/** `mtimeMs` goes into the header, so that the same content packs to the same bytes. */
export function gzip(content: Uint8Array, mtimeMs: number): Uint8Array {
  return gzipSync(content, { level: 6, mtime: Math.max(mtimeMs, 0) })
}

/** Tapes and blocks are filled up with zeros, which may also be the end of a trailer. */
function endWithoutPadding(packed: Uint8Array, sum: number, length: number): number {
  let last = packed.length
  while (last > 0 && packed[last - 1] === 0) last--
  for (let end = last; end <= Math.min(packed.length, last + trailerBytes); end++) {
    if (end >= trailerBytes && hasTrailer(packed, end - trailerBytes, sum, length)) return end
  }
  return packed.length
}

/** What the trailer says; of several members the last one's, and 0 for what is too short. */
function lastMemberBytes(packed: Uint8Array): number {
  if (packed.length < trailerBytes) return 0
  return new DataView(packed.buffer, packed.byteOffset + packed.length - 4, 4).getUint32(0, true)
}

/** A content of about an expected length, which is in memory once if it has that. */
class GrowingBytes {
  length = 0
  #buffer: Uint8Array

  constructor(expectedBytes: number) {
    this.#buffer = new Uint8Array(expectedBytes)
  }

  add(piece: Uint8Array): void {
    const end = this.length + piece.length
    if (end > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(end, this.#buffer.length * 1.5))
      larger.set(this.#buffer.subarray(0, this.length))
      this.#buffer = larger
    }
    this.#buffer.set(piece, this.length)
    this.length = end
  }

  bytes(): Uint8Array {
    return this.length === this.#buffer.length ? this.#buffer : this.#buffer.slice(0, this.length)
  }
}

function hasTrailer(packed: Uint8Array, at: number, sum: number, length: number): boolean {
  if (at < 0 || at + trailerBytes > packed.length) return false
  const view = new DataView(packed.buffer, packed.byteOffset + at, trailerBytes)
  return view.getUint32(0, true) === sum && view.getUint32(4, true) === length >>> 0
}

function checkTrailer(packed: Uint8Array, at: number, sum: number, length: number): void {
  if (!hasTrailer(packed, at, sum, length)) throw damaged('it does not have its checksum')
}
