// Writes hunks that were not applied as a new patch.

import { bytesOfArgument } from '../inputs.ts'
import type { Hunk } from './parse-patch.ts'

/** Returns a byte string (one character per byte). */
export function rejectsOf(oldName: string, newName: string, hunks: readonly Hunk[]): string {
  const isContext = hunks.some(({ written }) => written !== undefined)
  if (isContext) return bytesOfArgument(`*** ${oldName}\n--- ${newName}\n`) + hunks.map(({ written }) => written ?? '').join('')
  const parts = hunks.map(({ oldStart, newStart, lines }) => {
    const [old, fresh] = ['+', '-'].map(other => lines.filter(({ mark }) => mark !== other).length)
    const body = lines.map(({ mark, text }) => `${mark}${text}${text.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`)
    return `@@ -${range(oldStart, old)} +${range(newStart, fresh)} @@\n${body.join('')}`
  })
  return `${bytesOfArgument(`--- ${oldName}\n+++ ${newName}\n`)}${parts.join('')}`
}

function range(start: number, count = 0): string {
  return count === 1 ? String(start) : `${start},${count}`
}
