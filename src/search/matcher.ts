// Finds the matching lines of one file. Bytes stay bytes: a byte search names candidate lines where the pattern has a certain
// literal, several lines at once are ruled out where it has none, and only what remains is asked of the engine line by line.

import { holdsForeignLetters, type LiteralFinder } from './literal.ts'
import { type Line, lineBreakFrom, type LineCursor, lineCursor, type LineEndings, lineEndingsOf } from './lines.ts'
import type { Decider, Pattern } from './pattern.ts'

export interface LineMatch {
  /** 1-based. */
  readonly lineNumber: number
  /** Byte offsets of the line, its ending and the file's BOM left out. */
  readonly start: number
  readonly end: number
}

export interface SearchOptions {
  /** Asked at least once per megabyte or thousand lines; true ends the search. */
  readonly shouldStop?: () => boolean
}

/**
 * `unsearchedLines` counts lines that were passed over because pattern and line together are too much work ({@link maxWork});
 * for a pattern that spans lines it is 1 when the file was.
 */
export type SearchOutcome =
  | { readonly kind: 'complete'; readonly unsearchedLines: number }
  | { readonly kind: 'stopped'; readonly by: 'sink' | 'caller'; readonly unsearchedLines: number }
  /** A null byte in the first 8 KiB, as git and ripgrep decide; UTF-16 text counts as binary. */
  | { readonly kind: 'binary' }

export const binaryProbeBytes = 8192
const windowBytes = 1 << 20
const joinedBytes = 32 * 1024
/** Program size × bytes in one question to the engine, which does 100 million of them per second at its worst (2026, one core). */
export const maxWork = 400_000_000
/** Work between two polls. The floors make it a megabyte or a thousand lines with the smallest programs. */
const pollWork = 20_000_000
const leastWorkPerByte = 20
const workPerLine = 20_000

export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, binaryProbeBytes).includes(0)
}

/** Calls `sink` for each matching line, in order, until it returns false. */
export function searchBytes(
  bytes: Uint8Array,
  pattern: Pattern,
  sink: (match: LineMatch) => boolean,
  options: SearchOptions = {},
): SearchOutcome {
  if (isBinary(bytes)) return { kind: 'binary' }
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const run: Run = {
    bytes,
    pattern,
    start: hasBom ? 3 : 0,
    sink,
    shouldStop: options.shouldStop ?? never,
    work: 0,
    unsearchedLines: 0,
  }
  const stoppedBy = runSearch(run)
  if (stoppedBy === undefined) return { kind: 'complete', unsearchedLines: run.unsearchedLines }
  return { kind: 'stopped', by: stoppedBy, unsearchedLines: run.unsearchedLines }
}

interface Run {
  readonly bytes: Uint8Array
  readonly pattern: Pattern
  readonly start: number
  readonly sink: (match: LineMatch) => boolean
  readonly shouldStop: () => boolean
  /** Done since the last poll. */
  work: number
  unsearchedLines: number
}

type StoppedBy = 'sink' | 'caller' | undefined

const never = (): boolean => false

/** Accounts for asking about `sizeBytes`; true when the caller wants to stop. */
function isStopped(run: Run, sizeBytes: number): boolean {
  const { decider } = run.pattern
  const perByte = decider.kind === 'engine' ? Math.max(decider.programSize, leastWorkPerByte) : leastWorkPerByte
  run.work += workPerLine + sizeBytes * perByte
  if (run.work < pollWork) return false
  run.work = 0
  return run.shouldStop()
}

function runSearch(run: Run): StoppedBy {
  const { bytes, pattern } = run
  const { decider } = pattern
  const finders = pattern.required?.some(needsForeignCheck) && holdsForeignLetters(bytes) ? undefined : pattern.required
  if (finders !== undefined) {
    const hits = hitSource(run, finders)
    const first = hits(run.start)
    if (first === 'stopped') return 'caller'
    if (first === -1) return undefined
    if (pattern.scope === 'line') return searchCandidates(run, hits, first)
  }
  if (pattern.scope === 'text' && decider.kind === 'engine') return searchText(run, decider)
  return searchEveryLine(run)
}

function needsForeignCheck(finder: LiteralFinder): boolean {
  return finder.isFolded && (finder.bytes.includes(0x6b) || finder.bytes.includes(0x73))
}

/** Where the next literal begins at or behind an offset, whichever it is; -1 for nowhere. Offsets must not go back. */
function hitSource(run: Run, finders: readonly LiteralFinder[]): (from: number) => number | 'stopped' {
  const nextHits = finders.map(() => -1)
  return from => {
    let nearest = Infinity
    for (const [index, finder] of finders.entries()) {
      let hit = nextHits[index] ?? -1
      if (hit < from) {
        const found = findInWindows(run, finder, from)
        if (found === 'stopped') return found
        hit = found
        nextHits[index] = hit
      }
      nearest = Math.min(nearest, hit)
    }
    return nearest === Infinity ? -1 : nearest
  }
}

function findInWindows(run: Run, finder: LiteralFinder, from: number): number | 'stopped' {
  for (let at = from; at < run.bytes.length; at += windowBytes) {
    if (at > from && run.shouldStop()) return 'stopped'
    // Windows overlap, so that a literal across their border is whole in one of them.
    const hit = finder.find(run.bytes, at, Math.min(at + windowBytes + finder.bytes.length - 1, run.bytes.length))
    if (hit !== -1) return hit
  }
  return Infinity
}

function searchCandidates(run: Run, hits: (from: number) => number | 'stopped', firstHit: number): StoppedBy {
  const { bytes } = run
  const lines = lineCursor(bytes, run.start, lineEndingsOf(bytes))
  const decide = lineDecider(run)
  let hit = firstHit
  while (hit !== -1) {
    const line = lines.lineAt(hit)
    if (line === undefined) return undefined
    if (isStopped(run, line.end - line.start)) return 'caller'
    if (run.pattern.decider.kind === 'literal' || decide(line)) {
      if (!run.sink({ lineNumber: line.lineNumber, start: line.start, end: line.end })) return 'sink'
    }
    const next = hits(line.next)
    if (next === 'stopped') return 'caller'
    hit = next
  }
  return undefined
}

function searchEveryLine(run: Run): StoppedBy {
  const { bytes } = run
  const endings = lineEndingsOf(bytes)
  const lines = lineCursor(bytes, run.start, endings)
  const decide = lineDecider(run)
  const canRuleOut = blockRuler(run, endings)
  // Where most blocks match, asking about them first is wasted: after each that did, more are taken line by line.
  let unaskedBlocks = 0
  let nextUnasked = 1
  for (let block = run.start; block < bytes.length;) {
    const blockEnd = lineBreakFrom(bytes, Math.min(block + joinedBytes, bytes.length), endings).next
    if (isStopped(run, blockEnd - block)) return 'caller'
    if (unaskedBlocks > 0) unaskedBlocks--
    else if (canRuleOut(block, blockEnd)) {
      nextUnasked = 1
      block = blockEnd
      continue
    } else {
      unaskedBlocks = nextUnasked - 1
      nextUnasked = Math.min(nextUnasked * 2, 32)
    }
    const stoppedBy = searchBlock(run, lines, decide, block, blockEnd)
    if (stoppedBy !== undefined) return stoppedBy
    block = blockEnd
  }
  return undefined
}

function searchBlock(run: Run, lines: LineCursor, decide: (line: Line) => boolean, from: number, to: number): StoppedBy {
  for (let line = lines.lineAt(from); line !== undefined && line.start < to; line = lines.lineAt(line.next)) {
    if (isStopped(run, line.end - line.start)) return 'caller'
    if (decide(line) && !run.sink({ lineNumber: line.lineNumber, start: line.start, end: line.end })) return 'sink'
  }
  return undefined
}

function blockRuler(run: Run, endings: LineEndings): (from: number, to: number) => boolean {
  const { decider } = run.pattern
  if (decider.kind !== 'engine' || decider.joins === 'never' || endings === 'any') return never
  if (decider.joins === 'without-carriage-returns' && endings !== 'lf') return never
  return (from, to) => {
    if (decider.programSize * (to - from) > maxWork) return false
    const block = run.bytes.subarray(from, to)
    return !decider.engine.test(block, isAscii(block))
  }
}

function lineDecider(run: Run): (line: Line) => boolean {
  const { bytes, pattern } = run
  const { decider } = pattern
  if (decider.kind === 'literal') return line => holdsFoldedText(bytes.subarray(line.start, line.end), decider)
  return line => {
    // The line's `\r`, if the pattern asks for it by name; never its `\n`.
    const withReturn = pattern.seesCarriageReturns && bytes[line.end] === 13 ? line.end + 1 : line.end
    if (decider.programSize * (withReturn - line.start) > maxWork) {
      run.unsearchedLines++
      return false
    }
    const subject = bytes.subarray(line.start, withReturn)
    return decider.engine.test(subject, isAscii(subject))
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** For files with letters beyond ASCII that equal `k` or `s` when case is ignored: see `holdsForeignLetters`. */
function holdsFoldedText(bytes: Uint8Array, decider: Extract<Decider, { kind: 'literal' }>): boolean {
  const text = decoder
    .decode(bytes)
    .replaceAll('\u212a', 'k')
    .replaceAll('\u017f', 's')
    .replace(/[A-Z]+/g, letters => letters.toLowerCase())
  return decider.texts.some(literal => text.includes(literal.toLowerCase()))
}

function isAscii(bytes: Uint8Array): boolean {
  for (let index = 0; index < bytes.length; index++) if ((bytes[index] ?? 0) > 0x7f) return false
  return true
}

/** A pattern that names a line break sees the whole file, with every line ending as `\n` unless it names `\r` too. */
function searchText(run: Run, decider: Extract<Decider, { kind: 'engine' }>): StoppedBy {
  const { bytes, pattern } = run
  if (decider.programSize * bytes.length > maxWork) {
    run.unsearchedLines = 1
    return undefined
  }
  const raw = decoder.decode(bytes.subarray(run.start))
  const lines = lineCursor(bytes, run.start, lineEndingsOf(bytes))
  let line = lines.lineAt(run.start)
  let nextLineIndex = 0
  let stoppedBy: StoppedBy
  decider.engine.eachSpan(pattern.seesCarriageReturns ? raw : raw.replaceAll(/\r\n?/g, '\n'), (firstLineIndex, lastLineIndex) => {
    if (run.shouldStop()) stoppedBy = 'caller'
    // A line that an earlier match reached was reported then.
    for (let index = Math.max(firstLineIndex, nextLineIndex); stoppedBy === undefined && index <= lastLineIndex; index++) {
      while (line !== undefined && line.lineNumber - 1 < index) line = lines.lineAt(line.next)
      if (line === undefined) return false
      if (!run.sink({ lineNumber: line.lineNumber, start: line.start, end: line.end })) stoppedBy = 'sink'
    }
    nextLineIndex = Math.max(nextLineIndex, lastLineIndex + 1)
    return stoppedBy === undefined
  })
  return stoppedBy
}
