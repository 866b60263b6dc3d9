// Finds the matching lines of one file, without decoding it. If the pattern requires a literal, a byte search finds candidate lines, and an
// automaton reads the rest. The work is divided into steps of a few milliseconds, so that the caller can run other work, report, or stop.

import { holdsByte, viewOf } from './byte-scan.ts'
import { Scan } from './dfa/scan.ts'
import type { Span } from './dfa/spans.ts'
import type { PlaceFinder } from './literal.ts'
import { type Line, type LineCursor, lineCursor, lineFeedCursor, type LineEndings, lineEndingsOf, type Region } from './lines.ts'
import type { Pattern } from './pattern.ts'

export interface LineMatch {
  /** 1-based. */
  readonly lineNumber: number
  /** Byte offsets of the line, without its ending and the file's BOM. */
  readonly start: number
  readonly end: number
}

export interface SearchOptions {
  /** Called at least once per megabyte or thousand matching lines; true ends the search. */
  readonly shouldStop?: () => boolean
}

export interface StepOptions {
  /** An index has excluded all other lines. Not allowed for a pattern that spans lines. */
  readonly regions?: readonly Region[] | undefined
  /** Only `\n` ends a line, and no file counts as binary. The pattern must see carriage returns, and there must be no BOM. */
  readonly isRaw?: boolean
  /** A file without a match is not checked for null bytes: its outcome is `complete` even if it is binary. */
  readonly probesLate?: boolean
}

export type SearchOutcome =
  | { readonly kind: 'complete' }
  | { readonly kind: 'stopped'; readonly by: 'sink' | 'caller' }
  /** A null byte in the first 8 KiB, as in git and ripgrep; UTF-16 text counts as binary. */
  | { readonly kind: 'binary' }

/** Runs until the next pause; the final result is the outcome. */
export type SearchSteps = Generator<undefined, SearchOutcome, undefined>

const binaryProbeBytes = 8192
/** The size of a part that is searched before its results are checked. */
const windowBytes = 1 << 16
/** Bytes read, or as much other work, between two pauses: about 3 ms (2026, one core). */
const workPerStep = 1_000_000
const workPerLine = 1000
const maxShortLineBytes = 4096
const longLineBytes = 1024
/** The cost of building states, in bytes read. */
const workPerInstruction = 4

/** By the platform's search, because a loop of ours is slow until it is compiled. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, binaryProbeBytes).includes(0)
}

function looksBinary(view: DataView): boolean {
  return holdsByte(view, 0, 0, Math.min(binaryProbeBytes, view.byteLength))
}

/** Calls `sink` for each matching line, in order, until it returns false. */
export function searchBytes(
  bytes: Uint8Array,
  pattern: Pattern,
  sink: (match: LineMatch) => boolean,
  options: SearchOptions = {},
): SearchOutcome {
  const steps = searchSteps(bytes, pattern, sink)
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value
    if (options.shouldStop?.() === true) return { kind: 'stopped', by: 'caller' }
  }
}

/** Like {@link searchBytes}, but with pauses. `bytes` must not change meanwhile; other searches may use `pattern`. */
export function* searchSteps(
  bytes: Uint8Array,
  pattern: Pattern,
  sink: (match: LineMatch) => boolean,
  { regions, isRaw = false, probesLate = false }: StepOptions = {},
): SearchSteps {
  if (probesLate && regions === undefined && bytes.length <= windowBytes && holdsNothing(bytes, pattern)) return complete
  const view = viewOf(bytes)
  if (!isRaw && looksBinary(view)) return { kind: 'binary' }
  const hasBom = !isRaw && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const all: Region = { start: hasBom ? 3 : 0, end: bytes.length, lineNumber: 1 }
  let endings: LineEndings | undefined
  const file: SearchedFile = {
    bytes,
    view,
    pattern,
    sink,
    endings: () => (endings ??= isRaw ? 'lf' : lineEndingsOf(bytes)),
    isRaw,
    work: 0,
  }
  for (const region of regions ?? [all]) {
    if (region.start < region.end && (yield* searchRegion({ file, ...region }))) return { kind: 'stopped', by: 'sink' }
  }
  return complete
}

const complete = { kind: 'complete' } as const

/** Whether bytes that every match contains are absent. */
function holdsNothing(bytes: Uint8Array, pattern: Pattern): boolean {
  const finder = pattern.finder()
  return finder !== undefined && finder.findEnds(bytes, 0, 0, bytes.length).length === 0
}

interface SearchedFile {
  readonly bytes: Uint8Array
  /** A view of the same bytes, because creating one takes as long as searching a small file. */
  readonly view: DataView
  readonly pattern: Pattern
  readonly sink: (match: LineMatch) => boolean
  readonly endings: () => LineEndings
  readonly isRaw: boolean
  /** Work since the last pause. */
  work: number
}

interface Run extends Region {
  readonly file: SearchedFile
}

/** Returns true if the sink ended the search. */
type Steps = Generator<undefined, boolean, undefined>

function isPauseDue({ file }: Run, work: number): boolean {
  file.work += work
  if (file.work < workPerStep) return false
  file.work = 0
  return true
}

function* searchRegion(run: Run): Steps {
  const { pattern, endings } = run.file
  const { required } = pattern
  if (pattern.scope === 'text') {
    if (required !== undefined && !(yield* holdsAny(run, required))) return false
    return yield* searchText(run)
  }
  const finder = pattern.finder()
  if (finder !== undefined) return yield* searchCandidates(run, finder)
  // If a lone `\r` ends lines although the pattern asks for `\r`, the automaton cannot tell where lines end.
  return pattern.seesCarriageReturns && endings() === 'any' ? yield* searchEachLine(run) : yield* scanAll(run)
}

function report(run: Run, line: Line): boolean {
  return !run.file.sink(line)
}

function linesOf({ file, start, lineNumber }: Run): LineCursor {
  return file.isRaw
    ? lineFeedCursor(file.bytes, start, lineNumber, file.view)
    : lineCursor(file.bytes, start, file.endings, lineNumber, file.view)
}

/** Checks only the lines in which `finder` finds something. */
function* searchCandidates(run: Run, finder: PlaceFinder): Steps {
  const { bytes, pattern } = run.file
  // Only for the literal itself is it certain that a line that contains it matches.
  const isCertain = pattern.isLiteral && finder === pattern.required
  const minBytes = pattern.required?.minBytes ?? 0
  let lines: LineCursor | undefined
  let scan: Scan | undefined
  let from = run.start
  for (let window = run.start; window < run.end; window += windowBytes) {
    const windowEnd = Math.min(window + windowBytes, run.end)
    for (const hit of finder.findEnds(bytes, run.start, Math.max(window, from), windowEnd)) {
      if (hit < from) continue
      if (minBytes >= longLineBytes) {
        // Counting the lines before it takes longer than a look at how long this one is.
        const next = bytes.indexOf(10, hit)
        from = next === -1 ? bytes.length : next
        if (from - bytes.lastIndexOf(10, hit) <= minBytes) continue
      }
      lines ??= linesOf(run)
      const line = lines.lineAt(hit)
      if (line === undefined) return false
      from = line.next
      if (lineTextEnd(run, line) - line.start < minBytes) continue
      if (!isCertain) scan ??= new Scan(pattern.automaton(), bytes)
      if (scan === undefined || (matchesShortLine(run, scan, line) ?? (yield* matchesLine(run, scan, line)))) {
        if (report(run, line)) return true
      }
      if (isPauseDue(run, workPerLine + line.end - line.start)) yield
    }
    if (isPauseDue(run, windowEnd - window)) yield
  }
  return false
}

function* holdsAny(run: Run, finder: PlaceFinder): Steps {
  for (let window = run.start; window < run.end; window += windowBytes) {
    const windowEnd = Math.min(window + windowBytes, run.end)
    if (finder.findEnds(run.file.bytes, run.start, window, windowEnd).length > 0) return true
    if (isPauseDue(run, windowEnd - window)) yield
  }
  return false
}

function* searchEachLine(run: Run): Steps {
  const lines = linesOf(run)
  const scan = new Scan(run.file.pattern.automaton(), run.file.bytes)
  for (let line = lines.lineAt(run.start); line !== undefined && line.start < run.end; line = lines.lineAt(line.next)) {
    if ((yield* matchesLine(run, scan, line)) && report(run, line)) return true
    if (isPauseDue(run, workPerLine)) yield
  }
  return false
}

function* matchesLine(run: Run, scan: Scan, line: Line): Steps {
  scan.begin(line.start)
  if (yield* readTo(run, scan, lineTextEnd(run, line))) return true
  return scan.endsInMatch()
}

/** {@link matchesLine} for a line that needs no pause, as nearly all do; `undefined` if it needs one. */
function matchesShortLine(run: Run, scan: Scan, line: Line): boolean | undefined {
  const end = lineTextEnd(run, line)
  if (end - line.start > maxShortLineBytes) return undefined
  scan.begin(line.start)
  if (scan.run(end, workPerLine / workPerInstruction) === 'matched') return true
  return scan.at < end ? undefined : scan.endsInMatch()
}

/** Includes the line's `\r` if the pattern names it; never the `\n`. */
function lineTextEnd({ file: { bytes, pattern } }: Run, line: Line): number {
  return pattern.seesCarriageReturns && bytes[line.end] === 13 ? line.end + 1 : line.end
}

/** Reads up to `end`; true as soon as there is a match. */
function* readTo(run: Run, scan: Scan, end: number): Steps {
  const automaton = run.file.pattern.automaton()
  for (;;) {
    const at = scan.at
    const workBefore = automaton.work
    const left = Math.max(1, workPerStep - run.file.work)
    const found = scan.run(Math.min(at + left, end), left / workPerInstruction)
    // Also counts the work of other searches with the same automaton meanwhile, so that all reading is counted.
    run.file.work += scan.at - at + (automaton.work - workBefore) * workPerInstruction
    if (found === 'matched') return true
    if (scan.at >= end) return false
    if (isPauseDue(run, 0)) {
      const resume = scan.suspend()
      yield
      resume()
    }
  }
}

/** The automaton reads all lines as one text and starts again at each line break. */
function* scanAll(run: Run): Steps {
  const { bytes, pattern } = run.file
  const scan = new Scan(pattern.automaton(), bytes)
  let lines: LineCursor | undefined
  scan.begin(run.start)
  for (;;) {
    const isFound = yield* readTo(run, scan, run.end)
    if (!isFound && (endsInLineBreak(run) || !scan.endsInMatch())) return false
    lines ??= linesOf(run)
    const line = lines.lineAt(isFound ? scan.at : run.end - 1)
    if (line === undefined) return false
    if (report(run, line)) return true
    if (isPauseDue(run, workPerLine)) yield
    if (line.next >= run.end) return false
    scan.begin(line.next)
  }
}

function endsInLineBreak({ file: { bytes, pattern }, end }: Run): boolean {
  const last = bytes[end - 1]
  return last === 10 || (last === 13 && !pattern.seesCarriageReturns)
}

/** A pattern that spans lines reads the whole text: first the automaton decides whether there is a match, then its place is computed. */
function* searchText(run: Run): Steps {
  const { bytes, pattern } = run.file
  const scan = new Scan(pattern.automaton(), bytes)
  scan.begin(run.start)
  if (!(yield* readTo(run, scan, bytes.length)) && !scan.endsInMatch()) return false
  const lines = linesOf(run)
  let line = lines.lineAt(run.start)
  let hasEnough = false
  const visit = (span: Span): boolean => {
    // There is no line after the last line break.
    if (span.start >= bytes.length && endsInLineBreak(run)) return false
    const lastOffset = Math.max(span.start, span.end - 1)
    while (line !== undefined && line.next <= span.start && line.next < bytes.length) line = lines.lineAt(line.next)
    // A line that an earlier match reached was already reported, and the cursor is after it.
    while (line !== undefined && line.start <= lastOffset) {
      if (report(run, line)) {
        hasEnough = true
        return false
      }
      line = lines.lineAt(line.next)
    }
    return line !== undefined
  }
  yield* pattern.spans().each(bytes, run.start, bytes.length, visit)
  return hasEnough
}
