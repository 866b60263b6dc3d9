// A byte that is not part of valid UTF-8 is a separate character with a code above Unicode. No Unicode class contains it, so `.` and `[^a]`
// do not match it, as in ripgrep. A pattern names it with `(?-u)\xFF`.

import { maxCodePoint } from './code-points.ts'
import type { ClassExpression } from './syntax.ts'

const base = maxCodePoint + 1

/** The character for a byte from 0x80 on. */
export function byteCharacter(byte: number): number {
  return base + byte
}

/** The meaning of `.` without Unicode: every character, and every invalid byte. */
export const anyByteToo: ClassExpression = { kind: 'ranges', ranges: [0, base + 0xff] }
