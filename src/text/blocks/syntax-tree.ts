// A parsed document, and where its lines begin in the parsed text.

import type { Parser, SyntaxNode, Tree } from '@lezer/common'
import type { TextDocument } from '../../core/text.ts'

export interface ParsedDocument {
  readonly tree: Tree
  /** All lines, joined by LF. */
  readonly text: string
  /** The offset in `text` at which each line begins. */
  readonly lineStarts: readonly number[]
}

/** About a second of parsing (52,000 lines take 0.7 s). Larger texts are resolved without a grammar. */
const maxParsedCharacters = 3_000_000

/** A parser that caches the last document, because one script asks about the same one several times. `undefined` for a text too large. */
export function createDocumentParser(parser: Parser): (document: TextDocument) => ParsedDocument | undefined {
  const parsedDocuments = new WeakMap<TextDocument, ParsedDocument>()
  return document => {
    const known = parsedDocuments.get(document)
    if (known !== undefined) return known
    const text = document.lines.join('\n')
    if (text.length > maxParsedCharacters) return undefined
    const lineStarts: number[] = []
    let start = 0
    for (const line of document.lines) {
      lineStarts.push(start)
      start += line.length + 1
    }
    const parsed = { tree: parser.parse(text), text, lineStarts }
    parsedDocuments.set(document, parsed)
    return parsed
  }
}

/** Whether the parser had to guess anywhere inside the node. */
export function hasError(node: SyntaxNode): boolean {
  let found = node.type.isError
  if (!found) {
    node.cursor().iterate(({ type }) => {
      if (type.isError) found = true
      return !found
    })
  }
  return found
}

/** The 0-based line that contains an offset. */
export function lineIndexAt(lineStarts: readonly number[], offset: number): number {
  let low = 0
  let high = lineStarts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
