// Replaces runs of lines and leaves every other byte unchanged: each line keeps its ending, new lines take the endings of those that they
// replace or follow, and whether the file ends with a newline does not change.

import { endsWithNewline, lineEndingOf, type LineEnding, type TextDocument } from '../core/text.ts'

/** `removed` lines from `startIndex` (0-based) become `lines`. If `removed` is 0 they go before the line at `startIndex`. */
export interface LineSplice {
  readonly startIndex: number
  readonly removed: number
  readonly lines: readonly string[]
}

/** `splices` refer to the lines of `document`, ascending, and do not overlap; several may insert at one place, in their order. */
export function spliceLines(document: TextDocument, splices: readonly LineSplice[]): TextDocument {
  const usual = lineEndingOf(document)
  const lines: string[] = []
  const endings: LineEnding[] = []
  let nextIndex = 0
  const keepUntil = (end: number): void => {
    for (; nextIndex < end; nextIndex++) {
      lines.push(document.lines[nextIndex] ?? '')
      endings.push(document.endings[nextIndex] || usual)
    }
  }
  for (const { startIndex, removed, lines: added } of splices) {
    if (startIndex < nextIndex || startIndex + removed > document.lines.length)
      throw new Error('splices overlap or leave the file')
    keepUntil(startIndex)
    // New lines use the endings of the replaced lines, then the last of these; an insertion uses the ending of the line before it.
    const model = document.endings.slice(startIndex, startIndex + removed)
    const last = model.at(-1) || document.endings[startIndex - 1] || usual
    for (const [index, line] of added.entries()) {
      lines.push(line)
      endings.push((index === added.length - 1 ? last : model[index]) || last)
    }
    nextIndex = startIndex + removed
  }
  keepUntil(document.lines.length)
  const isTerminated = document.lines.length === 0 || endsWithNewline(document)
  if (!isTerminated && endings.length > 0) endings[endings.length - 1] = ''
  return { bom: document.bom, lines, endings }
}

/** The file's byte order mark stays; a copied one at its start would be a second one. */
export function withoutSecondMark(
  lines: readonly string[],
  { startIndex }: Pick<LineSplice, 'startIndex'>,
  { bom }: TextDocument,
): readonly string[] {
  const [first, ...others] = lines
  if (!bom || startIndex > 0 || first === undefined) return lines
  return [first.replace(/^\uFEFF/, ''), ...others]
}
