// Conflicts replaced by what was decided. Every line outside them keeps its bytes; lines of a side keep the endings that they have in
// the file, and new text takes the ending of the markers that it replaces.

import { documentOf, textOf, type LineEnding, type TextDocument } from '../../core/text.ts'
import { sideOf, type ConflictRegion, type ConflictSide } from './regions.ts'

export type Resolution =
  /** These sides, one below the other. */
  | { readonly kind: 'sides'; readonly sides: readonly ConflictSide[] }
  | { readonly kind: 'text'; readonly lines: readonly string[] }

const sideTokens: ReadonlyMap<string, ConflictSide> = new Map([
  ['@ours', 'ours'],
  ['@base', 'base'],
  ['@theirs', 'theirs'],
])

/**
 * What the content of a write means. `@ours`, `@theirs` or `@base` stand for that side when the content is nothing else; one on each
 * line means several, in that order. Everything else is the new text; one newline at its end is its own, and no text removes the
 * conflict.
 */
export function parseResolution(content: string): Resolution {
  const { lines } = documentOf(content)
  const words = lines.map(line => line.trim()).filter(word => word !== '')
  const sides = words.flatMap(word => sideTokens.get(word) ?? [])
  return sides.length > 0 && sides.length === words.length ? { kind: 'sides', sides } : { kind: 'text', lines }
}

/** Puts `resolution` in the place of each region. `regions` are the document's own, ascending. */
export function spliceConflicts(
  document: TextDocument,
  regions: readonly ConflictRegion[],
  resolution: Resolution,
): TextDocument {
  const lines: string[] = []
  const endings: LineEnding[] = []
  const push = (line: string, ending: LineEnding): void => {
    // An empty line ended by LF below a line ended by CR would be read as one CRLF: a line would be gone.
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
  // Rare shapes, such as an empty last line without an ending, are not how the same bytes would be read.
  return documentOf(textOf({ bom: document.bom, lines, endings }))
}
