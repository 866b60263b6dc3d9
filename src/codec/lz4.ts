// LZ4 frames, and the older frames that the Linux kernel uses. Sums are not checked, because they need a hash of their own. Source: the LZ4 frame
// format, version 1.6.

import { damaged, unsupported } from './error.ts'
import { DecoderOutput } from './output.ts'

const [frameMagic, oldMagic] = [0x184d2204, 0x184c2102]

/** Throws `CodecError` for what is cut off, damaged, packed with a dictionary, or larger than `maxBytes` when it is unpacked. */
export function unlz4(packed: Uint8Array, maxBytes: number): Uint8Array {
  const output = new DecoderOutput(maxBytes, packed.length * 4)
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length)
  for (let at = 0; at < packed.length;) {
    if (at + 4 > packed.length) throw damaged('it is cut off')
    const magic = view.getUint32(at, true)
    if (magic === frameMagic) at = readFrame(packed, view, at + 4, output)
    else if (magic === oldMagic) at = readOldFrame(packed, view, at + 4, output)
    else if (magic >>> 4 === 0x184d2a5) at += 8 + (at + 8 <= packed.length ? view.getUint32(at + 4, true) : 0)
    else throw damaged('it is not in lz4 format')
  }
  return output.slice(0)
}

function readFrame(packed: Uint8Array, view: DataView, start: number, output: DecoderOutput): number {
  const flags = packed[start] ?? 0
  if (flags >>> 6 !== 1) throw unsupported('a version of the format other than 1')
  if ((flags & 1) !== 0) throw unsupported('a dictionary')
  const [areIndependent, hasBlockSums, hasSize, hasSum] = [
    (flags & 32) !== 0,
    (flags & 16) !== 0,
    (flags & 8) !== 0,
    (flags & 4) !== 0,
  ]
  const windowStart = output.size
  let at = start + 3 + (hasSize ? 8 : 0)
  for (;;) {
    if (at + 4 > packed.length) throw damaged('it is cut off')
    const word = view.getUint32(at, true)
    at += 4
    if (word === 0) return at + (hasSum ? 4 : 0)
    const size = word & 0x7fffffff
    if (at + size > packed.length) throw damaged('it is cut off')
    if (word >>> 31 === 1) output.append(packed.subarray(at, at + size))
    else readBlock(packed, at, at + size, output, areIndependent ? output.size : windowStart)
    at += size + (hasBlockSums ? 4 : 0)
  }
}

function readOldFrame(packed: Uint8Array, view: DataView, start: number, output: DecoderOutput): number {
  let at = start
  while (at + 4 <= packed.length) {
    const size = view.getUint32(at, true)
    if (size === frameMagic || size === oldMagic) return at
    if (at + 4 + size > packed.length) throw damaged('it is cut off')
    readBlock(packed, at + 4, at + 4 + size, output, output.size)
    at += 4 + size
  }
  return packed.length
}

/** Literals and copies in turn; a block ends with literals. */
function readBlock(packed: Uint8Array, start: number, end: number, output: DecoderOutput, windowStart: number): void {
  let at = start
  const length = (nibble: number): number => {
    let value = nibble
    if (nibble === 15) {
      for (let byte = 255; byte === 255;) {
        if (at >= end) throw damaged('it is cut off')
        byte = packed[at++] ?? 0
        value += byte
      }
    }
    return value
  }
  while (at < end) {
    const token = packed[at++] ?? 0
    const literals = length(token >>> 4)
    if (at + literals > end) throw damaged('it is cut off')
    output.append(packed.subarray(at, at + literals))
    at += literals
    if (at >= end) return
    if (at + 2 > end) throw damaged('it is cut off')
    const distance = (packed[at] ?? 0) | ((packed[at + 1] ?? 0) << 8)
    at += 2
    output.copy(distance, length(token & 15) + 4, windowStart)
  }
}
