// Detects generated files by their marker. Only a marker in a comment counts, because prose may mention one.

import type { TextDocument } from '../core/text.ts'

const inspectedLines = 40
const commentStart = /^\s*(?:\/\/|\/\*|\*|#|--|;|%|<!--|\(\*|"""|'''|REM\b)/i
const marker = /@generated\b|\bauto-?generated\b|\bDO NOT EDIT\b|\bgenerated\b.{0,40}\bdo not edit\b/i

/** The first marker near the top, or `undefined`. */
export function findGeneratedMarker(document: TextDocument): { readonly lineNumber: number; readonly text: string } | undefined {
  for (const [index, line] of document.lines.slice(0, inspectedLines).entries()) {
    const found = commentStart.test(line) ? marker.exec(line) : null
    if (found !== null) return { lineNumber: index + 1, text: found[0] }
  }
  return undefined
}
