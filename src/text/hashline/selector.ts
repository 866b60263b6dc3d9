// What may follow a path: `src/a.ts:5-16`, `:5+3,20-`, `:raw`, `:conflicts`. A file may really be named `a:3`, so the text is divided in
// several ways and the caller takes the first one whose file exists. Also applies the requested ranges to a file.

import { ToolError } from '../../core/errors.ts'
import { mergeSpans, type LineSpan } from '../line-spans.ts'

/** Lines, 1-based and inclusive. An unbounded range goes to the end of the file. */
export type LineRange =
  | { readonly bounded: true; readonly start: number; readonly end: number }
  | { readonly bounded: false; readonly start: number; readonly end?: undefined }

export interface PathSelector {
  readonly path: string
  /** In the order written; empty for the whole file. */
  readonly ranges: readonly LineRange[]
  readonly raw: boolean
  readonly conflicts: boolean
}

/** One way to divide the text. If `problem` is set, the path is certain but the selector is invalid: throw it. */
export interface SelectorCandidate extends PathSelector {
  readonly problem: ToolError | undefined
}

// At most `:raw`, `:conflicts` and `:START:END` can follow a path.
const maxSegments = 4

/** All ways to divide `text`, the longest path first: the whole text, then with one more selector removed each time. Never empty. */
export function selectorCandidates(text: string): readonly SelectorCandidate[] {
  const candidates: SelectorCandidate[] = [{ path: text, ranges: [], raw: false, conflicts: false, problem: undefined }]
  for (let count = 0; count < maxSegments; count++) {
    const shorter = takeSegment(candidates.at(-1))
    if (shorter === undefined) break
    candidates.push(shorter)
  }
  return candidates
}

/** The way that removes every selector. Throws `ToolError` `selector-invalid` for `:0`, `:5-3`, `:2+0` and similar. */
export function parseSelector(text: string): PathSelector {
  const { path, ranges, raw, conflicts, problem } = selectorCandidates(text).at(-1) ?? unsplit(text)
  if (problem !== undefined) throw problem
  return { path, ranges, raw, conflicts }
}

function unsplit(path: string): SelectorCandidate {
  return { path, ranges: [], raw: false, conflicts: false, problem: undefined }
}

function takeSegment(from: SelectorCandidate | undefined): SelectorCandidate | undefined {
  const colon = from?.path.lastIndexOf(':') ?? -1
  if (from === undefined || colon < 1) return undefined
  const path = from.path.slice(0, colon)
  const segment = from.path.slice(colon + 1)
  const flag = segment.toLowerCase()
  if (flag === 'raw' && !from.raw) return { ...from, path, raw: true }
  if (flag === 'conflicts' && !from.conflicts) return { ...from, path, conflicts: true }
  if (!isRangeList(segment) || isPort(path, segment)) return undefined
  if (from.ranges.length === 0 && from.problem === undefined) return { ...from, path, ...parseRanges(segment) }
  return startAndEnd(from, path, segment)
}

/** `:START:END`. If END is before START it is the `line:column` that compilers print, and only the line counts. */
function startAndEnd(from: SelectorCandidate, path: string, segment: string): SelectorCandidate | undefined {
  const second = from.ranges[0]
  if (!/^\d+$/.test(segment) || from.ranges.length > 1 || second === undefined || second.bounded) return undefined
  const parsed = parseRanges(segment)
  const first = parsed.ranges[0]
  if (first === undefined) return { ...from, path, ...parsed }
  const range: LineRange = second.start >= first.start ? { bounded: true, start: first.start, end: second.start } : first
  return { ...from, path, ranges: [range] }
}

const itemPattern = /^L?\d+(?:(?:-|\.\.)(?:L?\d+)?|\+\d*)?$/

/** Whether the segment is meant as line ranges, valid or not. `5abc` and `,5` are part of a path. */
function isRangeList(segment: string): boolean {
  const items = segment.split(',').map(item => item.trim())
  return items.every((item, index) => itemPattern.test(item) || (item === '' && index > 0))
}

/** `https://host:8080`: the port of a URL without a path. */
function isPort(path: string, segment: string): boolean {
  return /^\d+$/.test(segment) && /^(?:https?:\/\/|www\.)[^/]*$/i.test(path.slice(0, 300))
}

function parseRanges(segment: string): { ranges: readonly LineRange[]; problem: ToolError | undefined } {
  const items = segment.split(',').map(item => item.trim())
  const ranges: LineRange[] = []
  for (const item of items) {
    const parsed = parseItem(item, items.length > 1)
    if (parsed instanceof ToolError) return { ranges: [], problem: parsed }
    ranges.push(parsed)
  }
  return { ranges, problem: undefined }
}

function parseItem(item: string, isInList: boolean): LineRange | ToolError {
  const match = /^L?(\d+)(-|\.\.|\+)?L?(\d*)$/.exec(item)
  if (match === null)
    return invalid(
      item === '' ? 'A list of line ranges has an empty item.' : `"${item}" is not a line range.`,
      'Write ranges as :5-16, :5+3 or :5-16,20-30.',
    )
  const start = safeNumber(match[1])
  const separator = match[2]
  const rest = match[3]
  if (start === 0) return invalid('There is no line 0; lines count from 1.', 'Use :1 for the first line.')
  if (separator === undefined) return isInList ? { bounded: true, start, end: start } : { bounded: false, start }
  if (separator === '+') {
    const count = safeNumber(rest)
    if (count === 0) return invalid(`"${item}" asks for no lines.`, `Write the number of lines after +, such as :${start}+20.`)
    return { bounded: true, start, end: Math.min(start + count - 1, Number.MAX_SAFE_INTEGER) }
  }
  if (rest === '') return { bounded: false, start }
  const end = safeNumber(rest)
  if (end < start)
    return invalid(
      `The range ${start}-${end} ends before it starts.`,
      end === 0 ? `Use :${start}- to read to the end.` : `Use :${end}-${start}.`,
    )
  return { bounded: true, start, end }
}

/** 0 for no digits. Numbers beyond the size of any file stay beyond it. */
function safeNumber(digits: string | undefined): number {
  return Math.min(Number(digits ?? 0), Number.MAX_SAFE_INTEGER)
}

function invalid(message: string, nextStep: string): ToolError {
  return new ToolError('selector-invalid', message, { nextStep })
}

export interface ExpandedRanges {
  /** Ascending; neither overlapping nor adjacent. */
  readonly visible: readonly LineSpan[]
  /** The parts of the request, in its order, that are after the last line. */
  readonly beyond: readonly LineRange[]
}

/**
 * Bounded ranges get `context.before` and `context.after` lines; a range to the end of the file gets none. A range completely after the end
 * shows nothing. No ranges mean the whole file.
 */
export function expandRanges(
  ranges: readonly LineRange[],
  totalLines: number,
  context: { readonly before: number; readonly after: number },
): ExpandedRanges {
  const wanted: readonly LineRange[] = ranges.length === 0 ? [{ bounded: false, start: 1 }] : ranges
  const spans: LineSpan[] = []
  const beyond: LineRange[] = []
  for (const range of wanted) {
    if (range.start > totalLines) {
      if (ranges.length > 0) beyond.push(range)
    } else if (range.bounded) {
      if (range.end > totalLines) beyond.push({ bounded: true, start: totalLines + 1, end: range.end })
      spans.push({ start: Math.max(1, range.start - context.before), end: Math.min(totalLines, range.end + context.after) })
    } else {
      spans.push({ start: range.start, end: totalLines })
    }
  }
  return { visible: mergeSpans(spans), beyond }
}
