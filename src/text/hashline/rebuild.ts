// The new document out of the old one and its line edits. Everything outside the edited lines stays as it was, byte for byte; what
// is new takes its line ending from the line next to it.

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

/** A new line's ending is unknown until its neighbours are. */
interface Draft {
  readonly lines: string[]
  readonly endings: (LineEnding | undefined)[]
  /** Whether the line was not edited, so that its bytes are not ours. */
  readonly isKept: boolean[]
}

/** Edits must lie within the document and not overlap. */
export function rebuild(document: TextDocument, { ranges, before, after }: LineEdits): TextDocument {
  const draft: Draft = { lines: [], endings: [], isKept: [] }
  const rangeAt = new Map(ranges.map(range => [range.start, range]))
  const touched = [...new Set([...before.keys(), ...after.keys(), ...rangeAt.keys()])].sort((left, right) => left - right)
  // Lines up to here are in the draft, or gone.
  let done = 0
  for (const lineNumber of touched) {
    copyLines(document, draft, done + 1, lineNumber - 1)
    done = Math.max(done, lineNumber - 1)
    pushRows(draft, before.get(lineNumber) ?? [])
    const range = rangeAt.get(lineNumber)
    if (range !== undefined) {
      // A replaced line hands its own ending down, so that a range of mixed endings keeps them.
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
  // What was the unterminated last line may stand in the middle now, so '' is as unknown as a new line's.
  let neighbour: LineEnding = endings.find(ending => ending !== undefined && ending !== '') ?? common
  const resolved: LineEnding[] = []
  for (const [index, ending] of endings.entries()) {
    if (ending !== undefined && ending !== '') neighbour = ending
    // An empty line ended by LF below a line ended by CR would be read as one CRLF: a line would be gone.
    const wouldMerge = neighbour === '\n' && lines[index] === '' && resolved[index - 1] === '\r'
    // A new line above gives way; otherwise one CR more keeps them apart and every byte that was there.
    const givesWayAbove = wouldMerge && isKept[index] === true && isKept[index - 1] === false
    if (givesWayAbove) resolved[index - 1] = '\r\n'
    resolved.push(wouldMerge && !givesWayAbove ? '\r\n' : neighbour)
  }
  if (resolved.length > 0 && !endsWithNewline(document)) resolved[resolved.length - 1] = ''
  const edited: TextDocument = { bom: document.bom, lines, endings: resolved }
  return isCanonical(edited) ? edited : documentOf(textOf(edited))
}

/** Whether reading the document's bytes gives the same document: they decide, because tags and the next edit are based on them. */
function isCanonical({ bom, lines, endings }: TextDocument): boolean {
  const isBomNew = !bom && lines[0]?.startsWith(byteOrderMark) === true
  const isLastLineInvisible = lines.at(-1) === '' && endings.at(-1) === ''
  return !isBomNew && !isLastLineInvisible
}
