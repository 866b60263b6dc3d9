// LZW of a TIFF. Every code is checked against the table before it is used, and the output has a fixed size. Source: TIFF 6.0, section 13.

import { ImageError } from './pixels.ts'

const clearCode = 256
const endCode = 257
const firstFreeCode = 258
const tableSize = 4096
const mostBits = 12

/** Returns at most `sizeBytes`, fewer if the data end. Throws `ImageError` for an invalid code. */
export function decodeLzw(bytes: Uint8Array, sizeBytes: number): Uint8Array {
  const out = new Uint8Array(sizeBytes)
  // The position and length of the last occurrence of a code's text in the output.
  const seenAt = new Uint32Array(tableSize)
  const lengthOf = new Uint32Array(tableSize)
  let [next, codeBits, to, previous] = [firstFreeCode, 9, 0, -1]
  for (let bit = 0; bit + codeBits <= bytes.length * 8 && to < sizeBytes;) {
    const code = codeAt(bytes, bit, codeBits)
    bit += codeBits
    if (code === endCode) break
    if (code === clearCode) {
      ;[next, codeBits, previous] = [firstFreeCode, 9, -1]
      continue
    }
    if (code >= next + (previous === -1 ? 0 : 1) || (previous === -1 && code > clearCode))
      throw new ImageError('image-damaged', 'a part of it is not valid LZW data')
    const start = to
    if (code < clearCode) out[to++] = code
    else {
      // The code that is being defined is the previous text plus its first byte, which is next in the output.
      const isNew = code === next
      const from = isNew ? start - (lengthOf[previous] ?? 1) : (seenAt[code] ?? 0)
      const length = isNew ? (lengthOf[previous] ?? 1) + 1 : (lengthOf[code] ?? 0)
      const end = Math.min(sizeBytes, to + length)
      for (let at = from; to < end; at++) out[to++] = out[at] ?? 0
    }
    if (previous !== -1 && next < tableSize) {
      const length = previous < clearCode ? 1 : (lengthOf[previous] ?? 0)
      seenAt[next] = start - length
      lengthOf[next] = length + 1
      next++
    }
    if (code < clearCode) lengthOf[code] = 1
    previous = code
    if (next + 1 >= 2 ** codeBits && codeBits < mostBits) codeBits++
  }
  return out.subarray(0, to)
}

function codeAt(bytes: Uint8Array, bit: number, codeBits: number): number {
  const first = bit >> 3
  const word = ((bytes[first] ?? 0) << 16) | ((bytes[first + 1] ?? 0) << 8) | (bytes[first + 2] ?? 0)
  return (word >> (24 - (bit & 7) - codeBits)) & (2 ** codeBits - 1)
}
