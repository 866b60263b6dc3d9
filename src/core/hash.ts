// Two hashes, both synchronous on all platforms: xxHash32, from which the tags with four hex digits are computed, and SHA-256. A
// 16-bit tag only finds candidates, and the full hash decides.

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

const prime1 = 0x9e3779b1
const prime2 = 0x85ebca77
const prime3 = 0xc2b2ae3d
const prime4 = 0x27d4eb2f
const prime5 = 0x165667b1

const encoder = new TextEncoder()

/** The canonical xxHash32 of `bytes`, as an unsigned 32-bit integer. Source: the xxHash specification, "XXH32 algorithm". */
export function xxHash32(bytes: Uint8Array, seed = 0): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const length = bytes.length
  let offset = 0
  let hash = seed + prime5
  if (length >= 16) {
    let lane1 = (seed + prime1 + prime2) | 0
    let lane2 = (seed + prime2) | 0
    let lane3 = seed | 0
    let lane4 = (seed - prime1) | 0
    let mixed: number
    // Without function calls and with signed words: the first texts of a process are hashed before this is compiled, and then calls take
    // most of the time.
    for (const last = length - 16; offset <= last; offset += 16) {
      mixed = (lane1 + Math.imul(view.getInt32(offset, true), prime2)) | 0
      lane1 = Math.imul((mixed << 13) | (mixed >>> 19), prime1)
      mixed = (lane2 + Math.imul(view.getInt32(offset + 4, true), prime2)) | 0
      lane2 = Math.imul((mixed << 13) | (mixed >>> 19), prime1)
      mixed = (lane3 + Math.imul(view.getInt32(offset + 8, true), prime2)) | 0
      lane3 = Math.imul((mixed << 13) | (mixed >>> 19), prime1)
      mixed = (lane4 + Math.imul(view.getInt32(offset + 12, true), prime2)) | 0
      lane4 = Math.imul((mixed << 13) | (mixed >>> 19), prime1)
    }
    hash = rotateLeft(lane1, 1) + rotateLeft(lane2, 7) + rotateLeft(lane3, 12) + rotateLeft(lane4, 18)
  }
  return finished(view, offset, (hash + length) | 0)
}

/** Adds the bytes from `offset` on, fewer than 16. */
function finished(view: DataView, from: number, before: number): number {
  const length = view.byteLength
  let offset = from
  let hash = before
  for (; offset + 4 <= length; offset += 4)
    hash = Math.imul(rotateLeft((hash + Math.imul(view.getInt32(offset, true), prime3)) | 0, 17), prime4)
  for (; offset < length; offset++)
    hash = Math.imul(rotateLeft((hash + Math.imul(view.getUint8(offset), prime5)) | 0, 11), prime1)
  hash = Math.imul(hash ^ (hash >>> 15), prime2)
  hash = Math.imul(hash ^ (hash >>> 13), prime3)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The SHA-256 of the text in UTF-8, as 64 lower-case hex digits. */
export function fullHash(text: string): string {
  return bytesToHex(sha256(encoder.encode(text)))
}

function rotateLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}
