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
  /** Leaves out edits whose lines are all ignored, unless they are close to another edit. */
  readonly isIgnoredLine?: ((line: Uint8Array) => boolean) | undefined
  /** A hunk grows to the heading above it and to the line before the next one. */
  readonly wholeFunctions?: boolean
  /** What stands before a line. Default blank, minus and plus. */
  readonly signs?: { readonly same: string; readonly removed: string; readonly added: string } | undefined
  /**
   * The text after the second `@@`: given a line of the older file, its heading or `undefined`.
   * Default: lines that begin with a letter, `_` or `$`.
   */
  readonly heading?: Heading
}

type Heading = (line: Uint8Array) => Uint8Array | undefined

/** A stretch of both files: 0-based, ends exclusive, with its context. */
export interface Hunk extends LineEdit {
  readonly edits: readonly LineEdit[]
}

const defaultContext = 3
const maxHeadingBytes = 80
const encoder = new TextEncoder()
const lineFeed = encoder.encode('\n')
const noLineFeed = encoder.encode('\n\\ No newline at end of file\n')
const blank = encoder.encode(' ')

/** The hunks of a difference, ascending. None if there is nothing to show. */
export function hunksOf(diff: LineDiff, options: HunkOptions = {}): readonly Hunk[] {
  const context = options.context ?? defaultContext
  const joinedBelow = 2 * context + (options.interHunkContext ?? 0)
  const isIgnored = ignoredEdits(diff, options)
  const hunks: Hunk[] = []
  for (let first = 0; first < diff.edits.length;) {
    first = skipIgnored(diff.edits, first, context, isIgnored)
    if (first >= diff.edits.length) break
    const last = lastOfHunk(diff.edits, first, { context, joinedBelow, isIgnored })
    hunks.push(withContext(diff, diff.edits.slice(first, last + 1), context))
    first = last + 1
  }
  return options.wholeFunctions === true ? withFunctions(diff, hunks, options.heading ?? defaultHeading) : hunks
}

/** Each hunk with the whole functions around it; those that meet become one. */
function withFunctions(diff: LineDiff, hunks: readonly Hunk[], headingOf: Heading): readonly Hunk[] {
  const { before, after } = diff
  const isHeading = (table: LineTable, line: number): boolean => headingOf(lineAt(table, line)) !== undefined
  const isEmpty = (line: number): boolean => lineAt(before, line).every(isBlank)
  /** The first line of the function that holds the line, with what stands directly above its heading. */
  const startOf = (line: number): number => {
    let at = Math.min(line, before.count - 1)
    while (at >= 0 && !isHeading(before, at)) at--
    while (at > 0 && !isEmpty(at - 1) && !isHeading(before, at - 1)) at--
    return Math.max(0, at)
  }
  /** Where the next function begins, without the blank lines before it. */
  const endOf = (line: number): number => {
    let at = line
    while (at < before.count && !isHeading(before, at)) at++
    if (at === before.count) return before.count
    while (at > 0 && isEmpty(at - 1)) at--
    return at
  }
  const grown: Hunk[] = []
  for (const hunk of hunks) {
    const [first, last] = [hunk.edits[0], hunk.edits.at(-1)]
    if (first === undefined || last === undefined) continue
    let isNewFunction = false
    if (first.beforeStart >= before.count)
      for (let line = first.afterStart; line < after.count; line++) isNewFunction ||= isHeading(after, line)
    const start = isNewFunction ? hunk.beforeStart : Math.min(hunk.beforeStart, startOf(first.beforeStart))
    const end = Math.max(hunk.beforeEnd, endOf(last.beforeEnd))
    const own: Hunk = {
      beforeStart: start,
      beforeEnd: end,
      afterStart: Math.max(0, hunk.afterStart - (hunk.beforeStart - start)),
      afterEnd: Math.min(after.count, hunk.afterEnd + (end - hunk.beforeEnd)),
      edits: hunk.edits,
    }
    const previous = grown.at(-1)
    if (previous === undefined || own.beforeStart > previous.beforeEnd) grown.push(own)
    else
      grown[grown.length - 1] = {
        beforeStart: previous.beforeStart,
        beforeEnd: Math.max(previous.beforeEnd, own.beforeEnd),
        afterStart: previous.afterStart,
        afterEnd: Math.max(previous.afterEnd, own.afterEnd),
        edits: [...previous.edits, ...own.edits],
      }
  }
  return grown
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

function ignoredEdits({ before, after }: LineDiff, options: HunkOptions): (edit: LineEdit) => boolean {
  const { ignoreBlankLines = false, anyBlanksAreBlank = false, isIgnoredLine } = options
  const tests: ((line: Uint8Array) => boolean)[] = []
  if (ignoreBlankLines) tests.push(anyBlanksAreBlank ? line => line.every(isBlank) : line => line.length <= 1)
  if (isIgnoredLine !== undefined) tests.push(isIgnoredLine)
  const areAll = (test: (line: Uint8Array) => boolean, table: LineTable, start: number, end: number): boolean => {
    for (let line = start; line < end; line++) if (!test(lineAt(table, line))) return false
    return true
  }
  return edit =>
    tests.some(
      test => areAll(test, before, edit.beforeStart, edit.beforeEnd) && areAll(test, after, edit.afterStart, edit.afterEnd),
    )
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
  const { same = ' ', removed = '-', added = '+' } = options.signs ?? {}
  const signs = { same: encoder.encode(same), removed: encoder.encode(removed), added: encoder.encode(added) }
  const headings = new HeadingSearch(diff.before, options.heading ?? defaultHeading)
  for (const hunk of hunksOf(diff, options)) {
    pieces.push(headingLine(hunk, headings))
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

function headingLine(hunk: Hunk, headings: HeadingSearch): Uint8Array {
  const heading = headings.above(hunk.beforeStart)
  const ranges = encoder.encode(
    `@@ -${rangeText(hunk.beforeStart, hunk.beforeEnd)} +${rangeText(hunk.afterStart, hunk.afterEnd)} @@`,
  )
  return joinBytes(heading.length > 0 ? [ranges, blank, heading, lineFeed] : [ranges, lineFeed])
}

/** A part of a hunk: its first line, unchanged lines, or an edit. */
export type HunkPart =
  | { readonly kind: 'heading' | 'same'; readonly bytes: Uint8Array }
  | { readonly kind: 'edit'; readonly removed: Uint8Array; readonly added: Uint8Array }

/** The hunks part by part, for other forms than a patch. `same` is one line. */
export function* hunkParts(diff: LineDiff, options: HunkOptions = {}): Generator<HunkPart> {
  const headings = new HeadingSearch(diff.before, options.heading ?? defaultHeading)
  for (const hunk of hunksOf(diff, options)) {
    yield { kind: 'heading', bytes: headingLine(hunk, headings) }
    let at = hunk.afterStart
    const same = function* (end: number): Generator<HunkPart> {
      for (; at < end; at++) yield { kind: 'same', bytes: lineAt(diff.after, at) }
    }
    for (const edit of hunk.edits) {
      yield* same(edit.afterStart)
      yield {
        kind: 'edit',
        removed: linesBetween(diff.before, edit.beforeStart, edit.beforeEnd),
        added: linesBetween(diff.after, edit.afterStart, edit.afterEnd),
      }
      at = edit.afterEnd
    }
    yield* same(hunk.afterEnd)
  }
}

function linesBetween({ bytes, starts }: LineTable, start: number, end: number): Uint8Array {
  return bytes.subarray(starts[start], starts[end])
}

function pushLines(pieces: Uint8Array[], sign: Uint8Array, table: LineTable, start: number, end: number): void {
  for (let line = start; line < end; line++) {
    const bytes = lineAt(table, line)
    pieces.push(sign, bytes)
    if (bytes.at(-1) !== 0x0a) pieces.push(noLineFeed)
  }
}

/** An empty range is given by the line before it; a length of 1 is left out. */
function rangeText(start: number, end: number): string {
  if (end - start === 1) return String(start + 1)
  return `${end === start ? start : start + 1},${end - start}`
}

/** Finds the nearest heading above a line, and searches only lines that no earlier search has covered. */
class HeadingSearch {
  #searched = 0
  #found: Uint8Array = new Uint8Array(0)
  readonly #table: LineTable
  readonly #headingOf: Heading

  constructor(table: LineTable, headingOf: Heading) {
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

export function defaultHeading(line: Uint8Array): Uint8Array | undefined {
  const first = line[0] ?? 0
  const isLetter = (first >= 0x41 && first <= 0x5a) || (first >= 0x61 && first <= 0x7a)
  if (!isLetter && first !== 0x5f && first !== 0x24) return undefined
  let end = Math.min(line.length, maxHeadingBytes)
  while (end > 0 && isBlank(line[end - 1])) end--
  return line.subarray(0, end)
}
