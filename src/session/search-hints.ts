// Possible reasons for an empty search: patterns that have another meaning than the model probably intended.

import { compilePattern, escapePattern, type Pattern } from '../search/pattern.ts'

/** Sentences for the model. `isThere` tells whether the same files match another pattern. */
export async function hintsFor(
  source: string,
  pattern: Pattern,
  isThere: (other: Pattern) => Promise<boolean>,
): Promise<readonly string[]> {
  const hints: string[] = []
  if (pattern.scope === 'line' && pattern.couldCrossLines) {
    hints.push(
      'The pattern was matched line by line. To match across lines, write \\n where a line ends, or [\\s\\S] for any text.',
    )
  }
  const delimited = /^\/(.+)\/([a-z]*)$/.exec(source)
  const inner = delimited?.[1]
  if (inner !== undefined && (await finds(inner, delimited?.[2]?.includes('i') === true, isThere))) {
    hints.push(`Slashes and flags around a pattern are searched for as text. ${JSON.stringify(inner)} matches without them.`)
    return hints
  }
  const escaped = escapePattern(source)
  if (escaped !== source && (await finds(escaped, false, isThere)))
    hints.push(`The pattern matches as plain text: escape its special characters, as in ${JSON.stringify(escaped)}.`)
  return hints
}

async function finds(source: string, ignoreCase: boolean, isThere: (other: Pattern) => Promise<boolean>): Promise<boolean> {
  const compiled = compilePattern(source, { ignoreCase })
  return compiled.kind === 'pattern' && (await isThere(compiled.pattern))
}
