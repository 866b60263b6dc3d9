// A byte that is not part of valid UTF-8 is a separate character with a code above Unicode. No Unicode class contains it, so `.` and `[^a]`
// do not match it, as in ripgrep. A pattern names it with `(?-u)\xFF`.

import { maxCodePoint } from './code-points.ts'
import type { ClassExpression } from './syntax.ts'

const base = maxCodePoint + 1

/** The character for a byte from 0x80 on. */
export function byteCharacter(byte: number): number {
  return base + byte
}

export function isByteCharacter(codePoint: number): boolean {
  return codePoint >= base
}

/** The meaning of `.` without Unicode: every character, and every invalid byte. */
export const anyByteToo: ClassExpression = { kind: 'ranges', ranges: [0, base + 0xff] }

/**
 * The set that `(?-u)\xC3` matches: the invalid byte, and every character whose UTF-8 contains the byte. A match is then as long
 * as the whole character; in ripgrep it is as long as the byte.
 */
export function withByte(byte: number): ClassExpression {
  return { kind: 'ranges', ranges: [...charactersWith(byte).flat(), byteCharacter(byte), byteCharacter(byte)] }
}

/** Ranges of characters, in order. */
function charactersWith(byte: number): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = []
  for (const { first, last, leadBits } of encodedLengths) {
    // The number of bits of the character that follow the bits in this byte, from the lead byte to the last byte.
    const bitsBelowLead = Math.floor(Math.log2(last) / 6) * 6
    for (let bits = bitsBelowLead; bits >= 0; bits -= 6) {
      const isLead = bits === bitsBelowLead
      const value = isLead ? byte - leadBits : byte - 0x80
      if (value < 0 || value > (isLead ? last >> bits : 0x3f)) continue
      const step = isLead ? last + 1 : 1 << (bits + 6)
      for (let start = value << bits; start <= last; start += step) {
        const [from, to] = [Math.max(start, first), Math.min(start + (1 << bits) - 1, last)]
        if (from <= to) ranges.push([from, to])
      }
    }
  }
  ranges.sort(([a], [b]) => a - b)
  // A character may contain the byte twice.
  const merged: [number, number][] = []
  for (const [from, to] of ranges) {
    const before = merged.at(-1)
    if (before !== undefined && from <= before[1] + 1) before[1] = Math.max(before[1], to)
    else merged.push([from, to])
  }
  return merged
}

/** Characters by the length of their UTF-8, without surrogates, which have none. */
const encodedLengths = [
  { first: 0x80, last: 0x7ff, leadBits: 0xc0 },
  { first: 0x800, last: 0xd7ff, leadBits: 0xe0 },
  { first: 0xe000, last: 0xffff, leadBits: 0xe0 },
  { first: 0x1_0000, last: maxCodePoint, leadBits: 0xf0 },
] as const

/** The character that begins with the bytes, and how many of them it has; `undefined` if they are not valid UTF-8. */
export function characterOf(bytes: readonly number[]): { readonly codePoint: number; readonly length: number } | undefined {
  const [lead = 0] = bytes
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes.slice(0, length)))
    const codePoint = text.codePointAt(0) ?? 0
    return codePoint > 0x7f && bytes.length >= length ? { codePoint, length } : undefined
  } catch {
    return undefined
  }
}
