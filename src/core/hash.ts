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
  let hash: number
  if (length >= 16) {
    let lane1 = (seed + prime1 + prime2) | 0
    let lane2 = (seed + prime2) | 0
    let lane3 = seed | 0
    let lane4 = (seed - prime1) | 0
    for (; offset + 16 <= length; offset += 16) {
      lane1 = mixLane(lane1, view.getUint32(offset, true))
      lane2 = mixLane(lane2, view.getUint32(offset + 4, true))
      lane3 = mixLane(lane3, view.getUint32(offset + 8, true))
      lane4 = mixLane(lane4, view.getUint32(offset + 12, true))
    }
    hash = rotateLeft(lane1, 1) + rotateLeft(lane2, 7) + rotateLeft(lane3, 12) + rotateLeft(lane4, 18)
  } else {
    hash = seed + prime5
  }
  hash = (hash + length) | 0
  for (; offset + 4 <= length; offset += 4) {
    hash = Math.imul(rotateLeft((hash + Math.imul(view.getUint32(offset, true), prime3)) | 0, 17), prime4)
  }
  for (; offset < length; offset++) {
    hash = Math.imul(rotateLeft((hash + Math.imul(view.getUint8(offset), prime5)) | 0, 11), prime1)
  }
  hash = Math.imul(hash ^ (hash >>> 15), prime2)
  hash = Math.imul(hash ^ (hash >>> 13), prime3)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The SHA-256 of the text in UTF-8, as 64 lower-case hex digits. */
export function fullHash(text: string): string {
  return bytesToHex(sha256(encoder.encode(text)))
}

function mixLane(lane: number, word: number): number {
  return Math.imul(rotateLeft((lane + Math.imul(word, prime2)) | 0, 13), prime1)
}

function rotateLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}
