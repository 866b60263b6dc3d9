// For tests of search: which lines of a text a pattern matches.

import { compilePattern } from '../search/pattern.ts'
import { searchBytes } from '../search/matcher.ts'

const encoder = new TextEncoder()

/** 1-based line numbers, or the error's message. */
export function matchingLines(
  source: string,
  text: string | Uint8Array,
  options: { readonly ignoreCase?: boolean } = {},
): readonly number[] | string {
  const compiled = compilePattern(source, options)
  if (compiled.kind === 'error') return compiled.message
  const lineNumbers: number[] = []
  const bytes = typeof text === 'string' ? encoder.encode(text) : text
  const outcome = searchBytes(bytes, compiled.pattern, match => {
    lineNumbers.push(match.lineNumber)
    return true
  })
  return outcome.kind === 'complete' ? lineNumbers : outcome.kind
}
