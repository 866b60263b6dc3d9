// The character at an offset, as the alphabet classifies it.

import { type Alphabet, foreignClass, newlineClass } from './alphabet.ts'
import { codePointOf, decodeAt, lengthOf } from './utf8.ts'

export interface ReadCharacter {
  readonly classId: number
  readonly sizeBytes: number
}

const lineFeed = 10
const carriageReturn = 13

/** `at` must be before the end, at the first byte of a character or at an invalid byte. */
export function readCharacter(alphabet: Alphabet, bytes: Uint8Array, at: number): ReadCharacter {
  const byte = bytes[at] ?? 0
  const classId = alphabet.classOfByte[byte] ?? foreignClass
  if (classId !== foreignClass) return { classId, sizeBytes: 1 }
  // `\r` has no class if a line break is one character in both forms.
  if (byte === carriageReturn) return { classId: newlineClass, sizeBytes: bytes[at + 1] === lineFeed ? 2 : 1 }
  const decoded = decodeAt(bytes, at)
  return { classId: alphabet.classOf(codePointOf(decoded)), sizeBytes: lengthOf(decoded) }
}
