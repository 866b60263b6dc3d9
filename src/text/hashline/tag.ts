// Four hex digits that name a file's content. Sixteen bits collide, so a tag finds entries in a session's snapshots and is never an
// identity. The algorithm is a contract, because models carry tags between tools.

import { xxHash32 } from '../../core/hash.ts'

const encoder = new TextEncoder()

/**
 * The tag of a text in normal form (`normalizedText`: no BOM, LF only): xxHash32 of the text without spaces, tabs and CRs at the end of
 * each line, low 16 bits, upper-case hex. Trailing blanks are ignored, so two texts with one tag need not be equal.
 * @param encoded the text in UTF-8, if the caller has it
 */
export function contentTag(normalizedText: string, encoded?: Uint8Array): string {
  const hashed = withoutTrailingBlanks(normalizedText)
  const hash = xxHash32(encoded !== undefined && hashed === normalizedText ? encoded : encoder.encode(hashed))
  return (hash & 0xffff).toString(16).toUpperCase().padStart(4, '0')
}

const trailingBlank = /[ \t\r](?:\n|$)/

// Written by hand, because the obvious regular expression is quadratic on a long run of blanks inside a line.
function withoutTrailingBlanks(text: string): string {
  // Most texts have none, and the engine's search is fast from its first call.
  if (!trailingBlank.test(text)) return text
  const kept: string[] = []
  let keptFrom = 0
  let lineEnd = text.indexOf('\n')
  for (;;) {
    const end = lineEnd === -1 ? text.length : lineEnd
    let trimmed = end
    while (trimmed > keptFrom && isBlank(text.charCodeAt(trimmed - 1))) trimmed--
    if (trimmed < end) {
      kept.push(text.slice(keptFrom, trimmed))
      keptFrom = end
    }
    if (lineEnd === -1) break
    lineEnd = text.indexOf('\n', lineEnd + 1)
  }
  return kept.length === 0 ? text : kept.join('') + text.slice(keptFrom)
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0d
}
