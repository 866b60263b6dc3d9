// `.Z`, as compress of Unix writes it: LZW with codes of 9 to 16 bits, written in groups of eight.

import { damaged, unsupported } from './error.ts'
import { DecoderOutput } from './output.ts'

const [minimalBits, clearCode] = [9, 256]

function isCompress(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x9d
}

/** Throws `CodecError` for what is damaged, or larger than `maxBytes` when it is unpacked. */
export function uncompress(packed: Uint8Array, maxBytes: number): Uint8Array {
  if (!isCompress(packed)) throw damaged('it is not in compress format')
  const flags = packed[2] ?? 0
  const [maxBits, hasClear] = [flags & 31, (flags & 128) !== 0]
  if (maxBits < minimalBits || maxBits > 16) throw unsupported(`codes of ${maxBits} bits`)
  const output = new DecoderOutput(maxBytes, packed.length * 3)
  const prefixes = new Uint16Array(1 << maxBits)
  const suffixes = new Uint8Array(1 << maxBits)
  const stack = new Uint8Array(1 << maxBits)
  let bits = minimalBits
  let next = hasClear ? clearCode + 1 : clearCode
  let previous = -1
  let first = 0
  let groupStart = 3
  let inGroup = 0
  for (;;) {
    const bitAt = inGroup * bits
    const at = groupStart + (bitAt >>> 3)
    if (at * 8 + (bitAt & 7) + bits > packed.length * 8) return output.slice(0)
    const word = (packed[at] ?? 0) | ((packed[at + 1] ?? 0) << 8) | ((packed[at + 2] ?? 0) << 16)
    const code = (word >>> (bitAt & 7)) & ((1 << bits) - 1)
    if (++inGroup === 8) {
      groupStart += bits
      inGroup = 0
    }
    // A change of the number of bits leaves the rest of the group unused.
    const restart = (newBits: number): void => {
      if (inGroup > 0) groupStart += bits
      inGroup = 0
      bits = newBits
    }
    if (code === clearCode && hasClear) {
      restart(minimalBits)
      next = clearCode + 1
      previous = -1
      continue
    }
    let size = 0
    let walk = code
    if (code >= next) {
      if (code > next || previous < 0) throw damaged('its content is damaged')
      stack[size++] = first
      walk = previous
    }
    for (; walk >= clearCode; walk = prefixes[walk] ?? 0) stack[size++] = suffixes[walk] ?? 0
    first = walk
    stack[size++] = walk
    while (size > 0) output.push(stack[--size] ?? 0)
    if (previous >= 0 && next < 1 << maxBits) {
      prefixes[next] = previous
      suffixes[next] = first
      next++
      // What compress writes behind a full table of the smallest size, not even gzip reads.
      if (next === 1 << minimalBits && maxBits === minimalBits) throw unsupported('a long text in codes of 9 bits')
      if (next === 1 << bits && bits < maxBits) restart(bits + 1)
    }
    previous = code
  }
}
