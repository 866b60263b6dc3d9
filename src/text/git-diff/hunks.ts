// Groups edits into hunks with context, and writes them as `git diff` does, in bytes.

import { joinBytes } from '../../core/bytes.ts'
import type { LineDiff, LineEdit } from './diff-lines.ts'
import { isBlank, lineAt, type LineTable } from './lines.ts'

export interface HunkOptions {
  /** Unchanged lines around an edit. Default 3. */
  readonly context?: number
  /** The number of additional unchanged lines between two edits that still join their hunks. Default 0. */
  readonly interHunkContext?: number
  /** Leaves out edits of blank lines only, unless they are close to another edit. With `exact`, only empty lines are blank. */
  readonly ignoreBlankLines?: boolean
  /** Lines of any blanks are blank lines; true if a whitespace rule is used. */
  readonly anyBlanksAreBlank?: boolean
  /**
   * The text after the second `@@`: given a line of the older file, its heading or `undefined`.
   * Default: lines that begin with a letter, `_` or `$`.
   */
  readonly heading?: (line: Uint8Array) => Uint8Array | undefined
}

/** A stretch of both files: 0-based, ends exclusive, with its context. */
export interface Hunk extends LineEdit {
  readonly edits: readonly LineEdit[]
}

const defaultContext = 3
const maxHeadingBytes = 80
const encoder = new TextEncoder()
const lineFeed = encoder.encode('\n')
const noLineFeed = encoder.encode('\n\\ No newline at end of file\n')
const signs = { same: encoder.encode(' '), removed: encoder.encode('-'), added: encoder.encode('+') }

/** The hunks of a difference, ascending. None if there is nothing to show. */
export function hunksOf(diff: LineDiff, options: HunkOptions = {}): readonly Hunk[] {
  const context = options.context ?? defaultContext
  const joinedBelow = 2 * context + (options.interHunkContext ?? 0)
  const isIgnored = options.ignoreBlankLines === true ? blankEdits(diff, options.anyBlanksAreBlank === true) : () => false
  const hunks: Hunk[] = []
  for (let first = 0; first < diff.edits.length;) {
    first = skipIgnored(diff.edits, first, context, isIgnored)
    if (first >= diff.edits.length) break
    const last = lastOfHunk(diff.edits, first, { context, joinedBelow, isIgnored })
    hunks.push(withContext(diff, diff.edits.slice(first, last + 1), context))
    first = last + 1
  }
  return hunks
}

/** Ignored edits at the front are dropped if the next edit is out of reach of the context. */
function skipIgnored(edits: readonly LineEdit[], first: number, context: number, isIgnored: (edit: LineEdit) => boolean): number {
  let start = first
  for (let index = first; ; index++) {
    const edit = edits[index]
    if (edit === undefined || !isIgnored(edit)) return start
    const next = edits[index + 1]
    if (next === undefined || next.beforeStart - edit.beforeEnd >= context) start = index + 1
  }
}

interface Reach {
  readonly context: number
  readonly joinedBelow: number
  readonly isIgnored: (edit: LineEdit) => boolean
}

/** The index of the last edit in the hunk that begins with `first`. Ignored edits extend a hunk only as far as its context. */
function lastOfHunk(edits: readonly LineEdit[], first: number, { context, joinedBelow, isIgnored }: Reach): number {
  let last = first
  let ignoredLines = 0
  for (let index = first + 1; index < edits.length; index++) {
    const [edit, before, end] = [edits[index], edits[index - 1], edits[last]]
    if (edit === undefined || before === undefined || end === undefined) break
    const distance = edit.beforeStart - before.beforeEnd
    if (distance > joinedBelow) break
    const isSkipped = isIgnored(edit)
    const isNear = distance < context
    if (isNear && isSkipped && last !== index - 1) ignoredLines += edit.afterEnd - edit.afterStart
    else if (!isNear && last !== index - 1 && edit.beforeStart + ignoredLines - end.beforeEnd > joinedBelow) break
    else if (isNear || !isSkipped) {
      last = index
      ignoredLines = 0
    } else ignoredLines += edit.afterEnd - edit.afterStart
  }
  return last
}

function blankEdits({ before, after }: LineDiff, anyBlanks: boolean): (edit: LineEdit) => boolean {
  const areBlank = (table: LineTable, start: number, end: number): boolean => {
    for (let line = start; line < end; line++) {
      const bytes = lineAt(table, line)
      if (anyBlanks ? !bytes.every(isBlank) : bytes.length > 1) return false
    }
    return true
  }
  return edit => areBlank(before, edit.beforeStart, edit.beforeEnd) && areBlank(after, edit.afterStart, edit.afterEnd)
}

function withContext({ before, after }: LineDiff, edits: readonly LineEdit[], context: number): Hunk {
  const [first, last] = [edits[0], edits.at(-1)]
  if (first === undefined || last === undefined) throw new Error('a hunk has at least one edit')
  const trailing = Math.min(context, before.count - last.beforeEnd, after.count - last.afterEnd)
  return {
    beforeStart: Math.max(0, first.beforeStart - context),
    beforeEnd: last.beforeEnd + trailing,
    afterStart: Math.max(0, first.afterStart - context),
    afterEnd: last.afterEnd + trailing,
    edits,
  }
}

/** The hunks as in a patch, from the first `@@` to the last line feed. Empty if there are none. */
export function renderHunks(diff: LineDiff, options: HunkOptions = {}): Uint8Array {
  const pieces: Uint8Array[] = []
  const headings = new HeadingSearch(diff.before, options.heading ?? defaultHeading)
  for (const hunk of hunksOf(diff, options)) {
    const heading = headings.above(hunk.beforeStart)
    pieces.push(
      encoder.encode(`@@ -${rangeText(hunk.beforeStart, hunk.beforeEnd)} +${rangeText(hunk.afterStart, hunk.afterEnd)} @@`),
    )
    if (heading.length > 0) pieces.push(signs.same, heading)
    pieces.push(lineFeed)
    let at = hunk.afterStart
    for (const edit of hunk.edits) {
      pushLines(pieces, signs.same, diff.after, at, edit.afterStart)
      pushLines(pieces, signs.removed, diff.before, edit.beforeStart, edit.beforeEnd)
      pushLines(pieces, signs.added, diff.after, edit.afterStart, edit.afterEnd)
      at = edit.afterEnd
    }
    pushLines(pieces, signs.same, diff.after, at, hunk.afterEnd)
  }
  return joinBytes(pieces)
}

function pushLines(pieces: Uint8Array[], sign: Uint8Array, table: LineTable, start: number, end: number): void {
  for (let line = start; line < end; line++) {
    const bytes = lineAt(table, line)
    pieces.push(sign, bytes)
    if (bytes.at(-1) !== 0x0a) pieces.push(noLineFeed)
  }
}

/** An empty range is given by the line before it; a length of 1 is left out. */
export function rangeText(start: number, end: number): string {
  if (end - start === 1) return String(start + 1)
  return `${end === start ? start : start + 1},${end - start}`
}

/** Finds the nearest heading above a line, and searches only lines that no earlier search has covered. */
class HeadingSearch {
  #searched = 0
  #found: Uint8Array = new Uint8Array(0)
  readonly #table: LineTable
  readonly #headingOf: (line: Uint8Array) => Uint8Array | undefined

  constructor(table: LineTable, headingOf: (line: Uint8Array) => Uint8Array | undefined) {
    this.#table = table
    this.#headingOf = headingOf
  }

  above(line: number): Uint8Array {
    for (let at = line - 1; at >= this.#searched; at--) {
      const heading = this.#headingOf(lineAt(this.#table, at))
      if (heading === undefined) continue
      this.#found = heading
      break
    }
    this.#searched = Math.max(this.#searched, line)
    return this.#found
  }
}

function defaultHeading(line: Uint8Array): Uint8Array | undefined {
  const first = line[0] ?? 0
  const isLetter = (first >= 0x41 && first <= 0x5a) || (first >= 0x61 && first <= 0x7a)
  if (!isLetter && first !== 0x5f && first !== 0x24) return undefined
  let end = Math.min(line.length, maxHeadingBytes)
  while (end > 0 && isBlank(line[end - 1])) end--
  return line.subarray(0, end)
}
