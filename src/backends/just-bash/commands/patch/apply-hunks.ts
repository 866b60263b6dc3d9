// Finds the place of each hunk as GNU patch does: first at its line number, then at growing offsets, and only then with fuzz. A
// hunk with less leading than trailing context is anchored at the start of the file; one with less trailing context, at the end.

import { unitsPerItem, type Pace } from '../pace.ts'
import type { Hunk, HunkLine } from './parse-patch.ts'

export type HunkResult =
  | { readonly kind: 'applied'; readonly lineNumber: number; readonly fuzz: number; readonly offset: number }
  | { readonly kind: 'failed'; readonly lineNumber: number }

export interface Applied {
  readonly results: readonly HunkResult[]
  /** The file after all hunks that were applied. */
  readonly lines: readonly string[]
  /** The first hunk does not apply, but its reverse does. */
  readonly looksReversed: boolean
}

export interface ApplyOptions {
  readonly maxFuzz: number
  readonly ignoresBlanks: boolean
  /** Whether a first hunk whose reverse applies is a failure. */
  readonly looksForReversed: boolean
}

interface Pattern {
  /** The 1-based line number of the hunk's first old line, according to its header. */
  readonly first: number
  readonly old: readonly string[]
  readonly fresh: readonly string[]
  readonly prefix: number
  readonly suffix: number
}

/** `lines` include their newlines. Hunks are in file order. */
export async function applyHunks(
  lines: readonly string[],
  hunks: readonly Hunk[],
  options: ApplyOptions,
  pace: Pace,
): Promise<Applied> {
  const output: string[] = []
  const results: HunkResult[] = []
  let looksReversed = false
  // The number of lines that are already copied or replaced; later hunks must follow them.
  let frozen = 0
  let [inOffset, outOffset] = [0, 0]
  for (const [index, hunk] of hunks.entries()) {
    const pattern = patternOf(hunk)
    const mostFuzz = Math.min(options.maxFuzz, Math.max(pattern.prefix, pattern.suffix))
    let found: Place | undefined
    let fuzz = 0
    for (; fuzz <= mostFuzz; fuzz++) {
      found = await locate(lines, pattern, { fuzz, inOffset, frozen, ...options }, pace)
      if (found !== undefined) break
      if (index === 0 && fuzz === 0 && options.looksForReversed)
        looksReversed =
          (await locate(lines, patternOf(reversed(hunk)), { fuzz, inOffset, frozen, ...options }, pace)) !== undefined
    }
    if (found === undefined || (looksReversed && index === 0)) {
      results.push({ kind: 'failed', lineNumber: pattern.first + outOffset })
      continue
    }
    inOffset = found.lineNumber - pattern.first
    const begin = found.lineNumber - 1 + found.prefixFuzz
    const end = found.lineNumber - 1 + pattern.old.length - found.suffixFuzz
    await addLines(output, lines, frozen, begin, pace)
    const fresh = merged(lines, begin, hunk.lines, found)
    await addLines(output, fresh, 0, fresh.length, pace)
    frozen = end
    results.push({ kind: 'applied', lineNumber: found.lineNumber + outOffset, fuzz, offset: inOffset })
    outOffset += pattern.fresh.length - pattern.old.length
  }
  await addLines(output, lines, frozen, lines.length, pace)
  return { results, lines: output, looksReversed }
}

/** Adds the lines from `from` to `to`. A call of `push` with all of them would exceed the number of arguments that engines take. */
async function addLines(output: string[], lines: readonly string[], from: number, to: number, pace: Pace): Promise<void> {
  for (let at = from; at < to; at++) {
    output.push(lines[at] ?? '')
    if (pace.isDue(unitsPerItem)) await pace.rest()
  }
}

export function reversed(hunk: Hunk): Hunk {
  const swapped = { ' ': ' ', '-': '+', '+': '-' } as const
  return {
    oldStart: hunk.newStart,
    newStart: hunk.oldStart,
    lines: hunk.lines.map(({ mark, text }) => ({ mark: swapped[mark], text })),
  }
}

function patternOf({ oldStart, lines }: Hunk): Pattern {
  const old = lines.filter(({ mark }) => mark !== '+').map(({ text }) => text)
  const fresh = lines.filter(({ mark }) => mark !== '-').map(({ text }) => text)
  const firstChange = lines.findIndex(({ mark }) => mark !== ' ')
  const lastChange = lines.findLastIndex(({ mark }) => mark !== ' ')
  return {
    // `-3,0` means after line 3.
    first: old.length === 0 ? oldStart + 1 : oldStart,
    old,
    fresh,
    prefix: firstChange === -1 ? lines.length : firstChange,
    suffix: firstChange === -1 ? lines.length : lines.length - 1 - lastChange,
  }
}

interface Place {
  readonly lineNumber: number
  readonly prefixFuzz: number
  readonly suffixFuzz: number
}

interface Search extends ApplyOptions {
  readonly fuzz: number
  readonly inOffset: number
  readonly frozen: number
}

async function locate(
  lines: readonly string[],
  pattern: Pattern,
  { fuzz, inOffset, frozen, ignoresBlanks }: Search,
  pace: Pace,
): Promise<Place | undefined> {
  const { first, old, prefix, suffix } = pattern
  const guess = first + inOffset
  if (old.length === 0) {
    // An insertion without context: its line must exist and must not precede an earlier hunk.
    const isThere = guess >= 1 && guess <= lines.length + 1 && guess > frozen
    return isThere ? { lineNumber: guess, prefixFuzz: 0, suffixFuzz: 0 } : undefined
  }
  const context = Math.max(prefix, suffix)
  const atBegin = fuzz + prefix - context < 0 && first <= 1
  const prefixFuzz = Math.max(0, fuzz + prefix - context)
  const atEnd = fuzz + suffix - context < 0
  const suffixFuzz = Math.max(0, fuzz + suffix - context)
  const fits = (lineNumber: number): Place | undefined => {
    const begin = lineNumber - 1
    if (begin < 0 || begin + prefixFuzz < frozen || begin + old.length - suffixFuzz > lines.length) return undefined
    for (let at = prefixFuzz; at < old.length - suffixFuzz; at++) {
      if (!isSame(lines[begin + at] ?? '', old[at] ?? '', ignoresBlanks)) return undefined
    }
    return { lineNumber, prefixFuzz, suffixFuzz }
  }
  if (atBegin) return atEnd && old.length !== lines.length ? undefined : fits(1)
  if (atEnd) return fits(lines.length - old.length + 1)
  const mostOffset = Math.max(guess, lines.length - guess + 1)
  for (let offset = 0; offset <= mostOffset; offset++) {
    const place = fits(guess + offset) ?? (offset === 0 ? undefined : fits(guess - offset))
    if (place !== undefined) return place
    if (pace.isDue(unitsPerItem)) await pace.rest()
  }
  return undefined
}

function isSame(line: string, wanted: string, ignoresBlanks: boolean): boolean {
  if (!ignoresBlanks) return line === wanted
  const plain = (text: string): string => text.replace(/[ \t]+/g, ' ').replace(/ ?\n?$/, '')
  return plain(line) === plain(wanted)
}

/** The new lines of a hunk without the lines ignored by fuzz. Context lines come from the file, whose blanks may differ. */
function merged(lines: readonly string[], begin: number, hunk: readonly HunkLine[], { prefixFuzz, suffixFuzz }: Place): string[] {
  const output: string[] = []
  let at = begin
  for (const { mark, text } of hunk.slice(prefixFuzz, hunk.length - suffixFuzz)) {
    if (mark === '+') output.push(text)
    if (mark === ' ') output.push(lines[at] ?? text)
    if (mark !== '+') at += 1
  }
  return output
}
