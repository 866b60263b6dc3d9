// Where a hunk belongs, as GNU's patch looks for it: where it says, then ever further away, and only then with less of its context. A hunk
// whose first or last lines have less context than the other end says that it lies at that end of the file.

import type { Hunk, HunkLine } from './parse-patch.ts'

export type HunkResult =
  | { readonly kind: 'applied'; readonly lineNumber: number; readonly fuzz: number; readonly offset: number }
  | { readonly kind: 'failed'; readonly lineNumber: number }

export interface Applied {
  readonly results: readonly HunkResult[]
  /** With every hunk that was applied. */
  readonly lines: readonly string[]
  /** The first hunk fits nowhere, but would the other way round. */
  readonly looksReversed: boolean
}

export interface ApplyOptions {
  readonly maxFuzz: number
  readonly ignoresBlanks: boolean
}

interface Pattern {
  /** 1-based, where the hunk itself says that it begins. */
  readonly first: number
  readonly old: readonly string[]
  readonly fresh: readonly string[]
  readonly prefix: number
  readonly suffix: number
}

/** `lines` have their ends. Hunks are in the order of the file. */
export function applyHunks(lines: readonly string[], hunks: readonly Hunk[], options: ApplyOptions): Applied {
  const output: string[] = []
  const results: HunkResult[] = []
  let looksReversed = false
  // Lines before this one are done with.
  let frozen = 0
  let [inOffset, outOffset] = [0, 0]
  for (const [index, hunk] of hunks.entries()) {
    const pattern = patternOf(hunk)
    const mostFuzz = Math.min(options.maxFuzz, Math.max(pattern.prefix, pattern.suffix))
    let found: Place | undefined
    let fuzz = 0
    for (; fuzz <= mostFuzz; fuzz++) {
      found = locate(lines, pattern, { fuzz, inOffset, frozen, ...options })
      if (found !== undefined) break
      if (index === 0 && fuzz === 0)
        looksReversed = locate(lines, patternOf(reversed(hunk)), { fuzz, inOffset, frozen, ...options }) !== undefined
    }
    if (found === undefined || (looksReversed && index === 0)) {
      results.push({ kind: 'failed', lineNumber: pattern.first + outOffset })
      continue
    }
    inOffset = found.lineNumber - pattern.first
    const begin = found.lineNumber - 1 + found.prefixFuzz
    const end = found.lineNumber - 1 + pattern.old.length - found.suffixFuzz
    output.push(...lines.slice(frozen, begin), ...merged(lines, begin, hunk.lines, found))
    frozen = end
    results.push({ kind: 'applied', lineNumber: found.lineNumber + outOffset, fuzz, offset: inOffset })
    outOffset += pattern.fresh.length - pattern.old.length
  }
  return { results, lines: [...output, ...lines.slice(frozen)], looksReversed }
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
    // `-3,0` means behind line 3.
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

function locate(
  lines: readonly string[],
  pattern: Pattern,
  { fuzz, inOffset, frozen, ignoresBlanks }: Search,
): Place | undefined {
  const { first, old, prefix, suffix } = pattern
  const guess = first + inOffset
  if (old.length === 0) {
    // Nothing to compare: only a place that is there, and not yet done with, will do.
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
  }
  return undefined
}

function isSame(line: string, wanted: string, ignoresBlanks: boolean): boolean {
  if (!ignoresBlanks) return line === wanted
  const plain = (text: string): string => text.replace(/[ \t]+/g, ' ').replace(/ ?\n?$/, '')
  return plain(line) === plain(wanted)
}

/** The hunk's new lines between its fuzzy ends; context is taken from the file, which may have other blanks. */
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
