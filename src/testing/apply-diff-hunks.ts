// Applies the hunks of a diff as their description says, independently of the code that makes them.

import type { DiffHunk } from '../core/tool-preview.ts'

export function applyHunks(before: string, hunks: readonly DiffHunk[]): string {
  const lines = before.match(/[^\n]*\n|[^\n]+/g) ?? []
  const result: string[] = []
  let next = 0
  for (const hunk of hunks) {
    // An empty range names the line before it.
    const start = hunk.oldLines === 0 && hunk.oldStart === 0 ? 0 : hunk.oldStart - 1
    result.push(...lines.slice(next, start))
    const olds: string[] = []
    for (const [index, line] of hunk.lines.entries()) {
      if (line.startsWith('\\')) continue
      const text = line.slice(1) + (hunk.lines[index + 1]?.startsWith('\\') === true ? '' : '\n')
      if (!line.startsWith('-')) result.push(text)
      if (!line.startsWith('+')) olds.push(text)
    }
    if (lines.slice(start, start + hunk.oldLines).join('') !== olds.join('')) throw new Error('a hunk does not fit')
    next = start + hunk.oldLines
  }
  return [...result, ...lines.slice(next)].join('')
}
