// Models wrap header paths in quotes and in the words of other patch formats. Both are removed, because the rest still names exactly one
// file.

import { parsePrintablePath } from '../../core/printable.ts'

const noisePattern = /^(?:\*{3}\s*)?(?:(?:update|add|delete)\s+file|move\s+to)\s*:\s*/i
const starsPattern = /^\*{3}\s*/

/** The path in a header: trimmed, without `*** Update File:` and similar, without one pair of quotes. May be empty. */
export function cleanHeaderPath(path: string): string {
  const trimmed = path.trim()
  const bare = trimmed.replace(noisePattern, '').replace(starsPattern, '').trim()
  const printed = parsePrintablePath(bare)
  if (printed !== undefined) return printed
  const first = bare[0]
  const isQuoted = bare.length >= 2 && (first === '"' || first === "'") && bare.endsWith(first)
  const unquoted = isQuoted ? bare.slice(1, -1).trim() : bare
  // `a.ts` and `./a.ts` are the same file.
  return unquoted.replace(/^(?:\.\/)+(?=[^/])/, '')
}
