// A byte that is no part of valid UTF-8 is a character of its own, behind all of Unicode: no class of Unicode holds it, so `.` and `[^a]`
// do not match it, as in ripgrep. A pattern names it with `(?-u)\xFF`.

import { maxCodePoint } from './code-points.ts'
import type { ClassExpression } from './syntax.ts'

const base = maxCodePoint + 1

/** The character that stands for a byte from 0x80 on. */
export function byteCharacter(byte: number): number {
  return base + byte
}

/** What `.` is without Unicode: every character, and every byte that is none. */
export const anyByteToo: ClassExpression = { kind: 'ranges', ranges: [0, base + 0xff] }
