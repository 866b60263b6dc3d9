// Models repeat the lines around a range, or forget the bracket that ends it. That is repaired only if it is proved to be such a mistake:
// the file was complete, the literal result is not, and exactly one correction makes it complete again.

import type { TextDocument } from '../../core/text.ts'
import { isBalanced, isPureCloser, netBrackets } from '../brackets.ts'
import type { LineEdits, RangeEdit } from './line-edits.ts'
import { rebuild } from './rebuild.ts'

/** Whether a text parses without errors, `undefined` if that is unknown. */
export type SyntaxCheck = (document: TextDocument) => boolean | undefined

interface Candidate {
  readonly kind: 'echo' | 'rows-above' | 'rows-below' | 'closers'
  readonly index: number
  readonly repaired: RangeEdit
  readonly warning: string
}

/** More hunks than this that each need a correction are not simple mistakes any more. */
const maxCandidates = 16

/** Returns the edits to apply, and what was changed about them. */
export function repairEdits(
  document: TextDocument,
  edits: LineEdits,
  isWhole: SyntaxCheck = () => undefined,
): { readonly edits: LineEdits; readonly warnings: readonly string[] } {
  const candidates = edits.ranges.flatMap((range, index) => candidatesFor(document, range, index))
  const isSuspicious = candidates.length > 0 || edits.ranges.some(range => !isNeutral(document, range))
  if (!isSuspicious) return { edits, warnings: [] }
  const check = wholenessOf(document, isWhole)
  if (check === undefined || check(rebuild(document, edits))) return { edits, warnings: echoWarnings(document, edits) }
  if (candidates.length <= maxCandidates) {
    const found = findRepair(document, edits, candidates, check)
    if (found !== undefined) return found
  }
  return { edits, warnings: [unbalanced(edits)] }
}

/** How to judge results: with the parser if it accepts the file, otherwise by brackets if those balance, otherwise not at all. */
function wholenessOf(document: TextDocument, isWhole: SyntaxCheck): ((edited: TextDocument) => boolean) | undefined {
  if (isWhole(document) === true) return edited => isWhole(edited) === true
  if (isBalanced(document.lines)) return edited => isBalanced(edited.lines)
  return undefined
}

function findRepair(
  document: TextDocument,
  edits: LineEdits,
  candidates: readonly Candidate[],
  check: (edited: TextDocument) => boolean,
): { readonly edits: LineEdits; readonly warnings: readonly string[] } | undefined {
  const mends = (chosen: readonly Candidate[]): boolean => check(rebuild(document, withRanges(edits, chosen)))
  const mending = candidates.filter(candidate => mends([candidate]))
  // Rows that repeat the lines on both sides are stronger evidence than those on one side.
  const echoes = mending.filter(candidate => candidate.kind === 'echo')
  const single = echoes.length > 0 ? echoes : mending
  const distinct = new Map(single.map(candidate => [`${candidate.index} ${shapeOf(candidate.repaired)}`, candidate]))
  const [only] = distinct.values()
  if (only !== undefined) {
    // If two corrections work, it is unknown which one was meant.
    return distinct.size > 1 ? undefined : { edits: withRanges(edits, [only]), warnings: [only.warning] }
  }
  // Several hunks may each have a mistake; the first kind of each is the most likely.
  const firsts = candidates.filter((candidate, at) => candidates.findIndex(other => other.index === candidate.index) === at)
  if (firsts.length < 2 || !mends(firsts)) return undefined
  return { edits: withRanges(edits, firsts), warnings: firsts.map(candidate => candidate.warning) }
}

function shapeOf({ start, end, rows }: RangeEdit): string {
  return `${start} ${end} ${rows.join('\n')}`
}

function withRanges(edits: LineEdits, chosen: readonly Candidate[]): LineEdits {
  const ranges = edits.ranges.map((range, index) => chosen.find(candidate => candidate.index === index)?.repaired ?? range)
  return { ...edits, ranges }
}

/** In the order in which they are tried: boundary echo, duplicated end, duplicated start, dropped closers. */
function candidatesFor(document: TextDocument, range: RangeEdit, index: number): readonly Candidate[] {
  if (range.rows.length === 0) return []
  const { rows } = range
  const lead = leadingEcho(document, range)
  const trail = trailingEcho(document, range)
  const found: Candidate[] = []
  const add = (kind: Candidate['kind'], repaired: RangeEdit, what: string): void => {
    const warning = `Line ${range.scriptLine} of the script: \`${range.operation}\` would have left brackets without a partner, so ${what}. Check the diff, and write only the final text of the range next time.`
    found.push({ kind, index, repaired, warning })
  }
  if (lead > 0 && trail > 0 && lead + trail < rows.length) {
    add(
      'echo',
      { ...range, rows: rows.slice(lead, rows.length - trail) },
      `its first ${rowCount(lead)} and last ${rowCount(trail)}, which repeat the lines around the range, were left out`,
    )
  }
  const surplus = surplusOf(document, range)
  if (surplus.every(count => count === 0)) return found
  const tail = longest(trail, rows.length - 1, count => equalCounts(netBrackets(rows.slice(rows.length - count)), surplus))
  if (tail > 0) {
    add(
      'rows-below',
      { ...range, rows: rows.slice(0, rows.length - tail) },
      `its last ${rowCount(tail)}, which repeat the lines below the range, were left out`,
    )
  }
  const head = longest(lead, rows.length - 1, count => equalCounts(netBrackets(rows.slice(0, count)), surplus))
  if (head > 0) {
    add(
      'rows-above',
      { ...range, rows: rows.slice(head) },
      `its first ${rowCount(head)}, which repeat the lines above the range, were left out`,
    )
  }
  const kept = closersToKeep(document, range, surplus)
  if (kept > 0) {
    add(
      'closers',
      { ...range, end: range.end - kept },
      kept === 1
        ? 'the last line of the range, which only closes brackets, was kept'
        : `the last ${kept} lines of the range, which only close brackets, were kept`,
    )
  }
  return found
}

function rowCount(count: number): string {
  return count === 1 ? 'row' : `${count} rows`
}

/** How many brackets of each kind the rows leave open in addition to the lines that they replace. */
function surplusOf(document: TextDocument, range: RangeEdit): readonly number[] {
  const before = netBrackets(document.lines.slice(range.start - 1, range.end))
  return netBrackets(range.rows).map((count, kind) => count - (before[kind] ?? 0))
}

function isNeutral(document: TextDocument, range: RangeEdit): boolean {
  return surplusOf(document, range).every(count => count === 0)
}

function equalCounts(left: readonly number[], right: readonly number[]): boolean {
  return left.every((count, kind) => count === right[kind])
}

function longest(from: number, limit: number, fits: (count: number) => boolean): number {
  for (let count = Math.min(from, limit); count > 0; count--) if (fits(count)) return count
  return 0
}

/** The number of rows that are compared at a boundary; a longer repetition is not this kind of mistake. */
const maxEchoRows = 64

/** How many rows at the start equal the lines just above the range; 0 if those are blank. */
function leadingEcho({ lines }: TextDocument, { start, rows }: RangeEdit): number {
  for (let count = Math.min(rows.length, start - 1, maxEchoRows); count > 0; count--) {
    const isEcho = rows.slice(0, count).every((row, index) => row === lines[start - 1 - count + index])
    if (isEcho) return rows.slice(0, count).some(row => row.trim() !== '') ? count : 0
  }
  return 0
}

/** How many rows at the end equal the lines just below the range. */
function trailingEcho({ lines }: TextDocument, { end, rows }: RangeEdit): number {
  for (let count = Math.min(rows.length, Math.max(0, lines.length - end), maxEchoRows); count > 0; count--) {
    if (rows.slice(rows.length - count).every((row, index) => row === lines[end + index])) return count
  }
  return 0
}

/** How many lines at the end of the range to keep: the fewest that only close brackets, and exactly those that the rows lack. */
function closersToKeep({ lines }: TextDocument, { start, end }: RangeEdit, surplus: readonly number[]): number {
  const last = Math.min(end, lines.length)
  for (let count = 1; count <= last - start; count++) {
    if (!isPureCloser(lines[last - count] ?? '')) return 0
    const net = netBrackets(lines.slice(last - count, last))
    if (net.every((closed, kind) => closed === -(surplus[kind] ?? 0))) return count + end - last
  }
  return 0
}

function echoWarnings(document: TextDocument, { ranges }: LineEdits): readonly string[] {
  return ranges.flatMap(range => {
    if (leadingEcho(document, range) === 0 || trailingEcho(document, range) === 0) return []
    return [
      `Line ${range.scriptLine} of the script: the rows of \`${range.operation}\` begin and end with the lines that already stand around the range. They were written as given; check the diff for doubled lines.`,
    ]
  })
}

function unbalanced({ ranges }: LineEdits): string {
  const lines = ranges.map(range => range.scriptLine)
  return `After this edit the brackets of the file no longer balance, as they did before (script ${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, 8).join(', ')}). It was applied as written; check the diff.`
}
