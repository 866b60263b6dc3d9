// Replaces conflicts with their resolution. Every line outside them keeps its bytes. Lines of a side keep their endings, and new text takes
// the line ending of the markers that it replaces.

import { documentOf, textOf, type LineEnding, type TextDocument } from '../../core/text.ts'
import { sideOf, type ConflictRegion, type ConflictSide } from './regions.ts'

export type Resolution =
  /** These sides, one after the other. */
  | { readonly kind: 'sides'; readonly sides: readonly ConflictSide[] }
  | { readonly kind: 'text'; readonly lines: readonly string[] }

const sideTokens: ReadonlyMap<string, ConflictSide> = new Map([
  ['@ours', 'ours'],
  ['@base', 'base'],
  ['@theirs', 'theirs'],
])

/**
 * Interprets the content of a write. `@ours`, `@theirs` or `@base` mean that side if the content is nothing else; one on each line means
 * several sides, in that order. Any other content is the new text. One newline at its end is not part of it, and an empty text removes the
 * conflict.
 */
export function parseResolution(content: string): Resolution {
  const { lines } = documentOf(content)
  const words = lines.map(line => line.trim()).filter(word => word !== '')
  const sides = words.flatMap(word => sideTokens.get(word) ?? [])
  return sides.length > 0 && sides.length === words.length ? { kind: 'sides', sides } : { kind: 'text', lines }
}

/** Replaces each region with `resolution`. `regions` belong to the document and are ascending. */
export function spliceConflicts(
  document: TextDocument,
  regions: readonly ConflictRegion[],
  resolution: Resolution,
): TextDocument {
  const lines: string[] = []
  const endings: LineEnding[] = []
  const push = (line: string, ending: LineEnding): void => {
    // An empty line that ends in LF after a line that ends in CR would be read as one CRLF, and a line would be lost.
    const wouldMerge = line === '' && ending === '\n' && endings.at(-1) === '\r'
    lines.push(line)
    endings.push(wouldMerge ? '\r' : ending)
  }
  const copy = (start: number, end: number): void => {
    for (let index = start; index < end; index++) push(document.lines[index] ?? '', document.endings[index] ?? '')
  }
  let done = 0
  for (const region of regions) {
    copy(done, region.startIndex)
    const first = lines.length
    if (resolution.kind === 'text') {
      const ending = document.endings[region.startIndex] ?? '\n'
      for (const line of resolution.lines) push(line, ending)
    } else {
      for (const side of resolution.sides) {
        const { start, end } = sideOf(region, side)
        copy(start, end)
      }
    }
    const endsFile = document.endings[region.endIndex] === ''
    if (endsFile && lines.length > first) endings[endings.length - 1] = ''
    done = region.endIndex + 1
  }
  copy(done, document.lines.length)
  // Parse again, because rare forms, such as an empty last line without an ending, are read differently.
  return documentOf(textOf({ bom: document.bom, lines, endings }))
}
