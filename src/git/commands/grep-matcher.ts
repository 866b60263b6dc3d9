// Where one pattern of `git grep` matches in a line.

import { type PatternKind, posixPattern } from '../revs/posix-pattern.ts'
import { longestMatch } from './longest-match.ts'

/** A span of a line in characters. */
export type Match = readonly [start: number, end: number]

export interface GrepMatcher {
  readonly holds: (line: string) => boolean
  /** The first match at or after a place, and the longest of those that begin there. What stands before the place does not count. */
  readonly next: (line: string, from: number) => Match | undefined
}

const wordCharacter = /[A-Za-z0-9_]/

export function grepMatcher(
  source: string,
  kind: PatternKind,
  how: { readonly ignoresCase: boolean; readonly isWord: boolean },
): GrepMatcher {
  const pattern = posixPattern(source, kind, how.ignoresCase ? 'gi' : 'g')
  const longest = kind === 'perl' ? undefined : longestMatch(pattern)
  const first = (line: string, from: number): Match | undefined => {
    // The line feed ends words, and the place behind it is not the start of a line.
    const text = from === 0 ? line : `\n${line.slice(from)}`
    const shift = from === 0 ? 0 : from - 1
    pattern.lastIndex = from === 0 ? 0 : 1
    const found = pattern.exec(text)
    if (found === null) return undefined
    const end = longest?.(text, found.index) ?? found.index + found[0].length
    return [found.index + shift, end + shift]
  }
  if (!how.isWord) {
    const holds = (line: string): boolean => {
      pattern.lastIndex = 0
      return pattern.test(line)
    }
    return { holds, next: first }
  }
  const next = (line: string, from: number): Match | undefined => {
    for (let at = from; ;) {
      const match = first(line, at)
      if (match === undefined) return undefined
      const [start, end] = match
      if (start < end && !(start > at && isWordAt(line, start - 1)) && !isWordAt(line, end)) return match
      at = start + 1
      while (at < line.length && isWordAt(line, at - 1)) at++
      if (at >= line.length) return undefined
    }
  }
  return { holds: line => next(line, 0) !== undefined, next }
}

function isWordAt(line: string, at: number): boolean {
  return wordCharacter.test(line[at] ?? '')
}
