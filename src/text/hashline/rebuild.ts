// Builds the new document from the old one and its line edits. Everything outside the edited lines keeps its bytes; new lines take their
// line ending from an adjacent line.

import {
  byteOrderMark,
  documentOf,
  endsWithNewline,
  lineEndingOf,
  textOf,
  type LineEnding,
  type TextDocument,
} from '../../core/text.ts'
import { lastAddressableLine, type LineEdits } from './line-edits.ts'

/** The ending of a new line is unknown until its neighbours' are known. */
interface Draft {
  readonly lines: string[]
  readonly endings: (LineEnding | undefined)[]
  /** Whether the line was not edited, so that its bytes must not change. */
  readonly isKept: boolean[]
}

/** Edits must be within the document and not overlap. */
export function rebuild(document: TextDocument, { ranges, before, after }: LineEdits): TextDocument {
  const draft: Draft = { lines: [], endings: [], isKept: [] }
  const rangeAt = new Map(ranges.map(range => [range.start, range]))
  const touched = [...new Set([...before.keys(), ...after.keys(), ...rangeAt.keys()])].sort((left, right) => left - right)
  // Lines up to here are in the draft, or removed.
  let done = 0
  for (const lineNumber of touched) {
    copyLines(document, draft, done + 1, lineNumber - 1)
    done = Math.max(done, lineNumber - 1)
    pushRows(draft, before.get(lineNumber) ?? [])
    const range = rangeAt.get(lineNumber)
    if (range !== undefined) {
      // A replacing line keeps the ending of the replaced one, so that a range with mixed endings stays mixed.
      for (const [index, row] of range.rows.entries()) {
        draft.lines.push(row)
        draft.endings.push(range.start + index > range.end ? undefined : document.endings[range.start + index - 1])
        draft.isKept.push(false)
      }
      done = range.end
    }
    copyLines(document, draft, done + 1, lineNumber)
    done = Math.max(done, lineNumber)
    pushRows(draft, after.get(lineNumber) ?? [])
  }
  copyLines(document, draft, done + 1, lastAddressableLine(document))
  return finish(document, draft)
}

/** Copies lines `from` to `to`, 1-based and inclusive; beyond the end there is nothing to copy. */
function copyLines(document: TextDocument, draft: Draft, from: number, to: number): void {
  const last = Math.min(to, document.lines.length)
  for (let lineNumber = from; lineNumber <= last; lineNumber++) {
    draft.lines.push(document.lines[lineNumber - 1] ?? '')
    draft.endings.push(document.endings[lineNumber - 1])
    draft.isKept.push(true)
  }
}

function pushRows(draft: Draft, rows: readonly string[]): void {
  for (const row of rows) {
    draft.lines.push(row)
    draft.endings.push(undefined)
    draft.isKept.push(false)
  }
}

function finish(document: TextDocument, { lines, endings, isKept }: Draft): TextDocument {
  const common = lineEndingOf(document)
  // The unterminated last line may be in the middle now, so '' is as unknown as the ending of a new line.
  let neighbour: LineEnding = endings.find(ending => ending !== undefined && ending !== '') ?? common
  const resolved: LineEnding[] = []
  for (const [index, ending] of endings.entries()) {
    if (ending !== undefined && ending !== '') neighbour = ending
    // An empty line that ends in LF after a line that ends in CR would be read as one CRLF, and a line would be lost.
    const wouldMerge = neighbour === '\n' && lines[index] === '' && resolved[index - 1] === '\r'
    // If the line above is new, its ending changes. Otherwise an additional CR separates them and keeps all existing bytes.
    const givesWayAbove = wouldMerge && isKept[index] === true && isKept[index - 1] === false
    if (givesWayAbove) resolved[index - 1] = '\r\n'
    resolved.push(wouldMerge && !givesWayAbove ? '\r\n' : neighbour)
  }
  if (resolved.length > 0 && !endsWithNewline(document)) resolved[resolved.length - 1] = ''
  const edited: TextDocument = { bom: document.bom, lines, endings: resolved }
  return isCanonical(edited) ? edited : documentOf(textOf(edited))
}

/** Whether decoding the document's bytes gives the same document: tags and the next edit are based on the decoded form. */
function isCanonical({ bom, lines, endings }: TextDocument): boolean {
  const isBomNew = !bom && lines[0]?.startsWith(byteOrderMark) === true
  const isLastLineInvisible = lines.at(-1) === '' && endings.at(-1) === ''
  return !isBomNew && !isLastLineInvisible
}
