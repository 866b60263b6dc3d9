// Hunks that were not applied, as a patch of their own.

import { bytesOfArgument } from '../inputs.ts'
import type { Hunk } from './parse-patch.ts'

/** One character for each byte. */
export function rejectsOf(oldName: string, newName: string, hunks: readonly Hunk[]): string {
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
