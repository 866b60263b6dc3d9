// Decodes one UTF-8 character at a time. A byte that is not part of a valid character is a separate character (byte-characters.ts): neither
// `.` nor a Unicode class matches it, as in ripgrep.

import { byteCharacter } from '../regex/byte-characters.ts'

/** Low 21 bits: the code point; above: its length in bytes. One number, because this runs for every non-ASCII character. */
export function decodeAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return first | (1 << 21)
  const lone = byteCharacter(first) | (1 << 21)
  if (first < 0xc2 || first > 0xf4) return lone
  // The allowed second byte depends on the first one: overlong forms and surrogates are not characters.
  const second = bytes[at + 1] ?? 0
  const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  if (second < lowest || second > highest) return lone
  if (first < 0xe0) return ((first & 0x1f) << 6) | (second & 0x3f) | (2 << 21)
  const third = bytes[at + 2] ?? 0
  if ((third & 0xc0) !== 0x80) return lone
  if (first < 0xf0) return ((first & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f) | (3 << 21)
  const fourth = bytes[at + 3] ?? 0
  if ((fourth & 0xc0) !== 0x80) return lone
  return ((first & 0x07) << 18) | ((second & 0x3f) << 12) | ((third & 0x3f) << 6) | (fourth & 0x3f) | (4 << 21)
}

export function codePointOf(decoded: number): number {
  return decoded & 0x1fffff
}

export function lengthOf(decoded: number): number {
  return decoded >> 21
}
