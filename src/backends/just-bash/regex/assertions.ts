// What stands before or behind a place in a text, as far as assertions ask for it.

import { unreachable } from '../../../core/errors.ts'
import { isHighSurrogate, isLowSurrogate } from '../../../core/surrogates.ts'
import { contains } from '../../../search/regex/code-points.ts'
import { wordSet } from './character-set.ts'
import type { Assertion } from './syntax.ts'

/** What a neighbour is: nothing, the end of a line, a character of a word (in ASCII, or `wideWord`), any other. */
export const Side = { none: 0, newline: 1, word: 2, other: 3, wideWord: 4 } as const
export type Side = (typeof Side)[keyof typeof Side]

export function holds(assertion: Assertion, before: Side, behind: Side): boolean {
  switch (assertion) {
    case 'text-start':
      return before === Side.none
    case 'text-end':
      return behind === Side.none
    case 'line-start':
      return before === Side.none || before === Side.newline
    case 'perl-line-start':
      return before === Side.none || (before === Side.newline && behind !== Side.none)
    case 'line-end':
      return behind === Side.none || behind === Side.newline
    case 'word-boundary':
      return isWordSide(before) !== isWordSide(behind)
    case 'not-word-boundary':
      return isWordSide(before) === isWordSide(behind)
    case 'word-start':
      return !isWordSide(before) && isWordSide(behind)
    case 'word-end':
      return isWordSide(before) && !isWordSide(behind)
    case 'ascii-boundary':
      return (before === Side.word) !== (behind === Side.word)
    case 'not-ascii-boundary':
      return (before === Side.word) === (behind === Side.word)
    case 'no-word-before':
      return !isWordSide(before)
    case 'no-word-behind':
      return !isWordSide(behind)
    // The backtracker has the whole text, so this is exact: the end, or before a newline that is the last character.
    case 'perl-end':
      return behind === Side.none
    // Asked by the backtracker, which knows where it began.
    case 'search-start':
      return false
    default:
      return unreachable(assertion)
  }
}

function isWordSide(side: Side): boolean {
  return side === Side.word || side === Side.wideWord
}

export function sideOf(codePoint: number): Side {
  if (codePoint === 10) return Side.newline
  if (!isWord(codePoint)) return Side.other
  return codePoint < 128 ? Side.word : Side.wideWord
}

export function sideBefore(text: string, at: number): Side {
  if (at === 0) return Side.none
  const unit = text.charCodeAt(at - 1)
  return sideOf(
    isLowSurrogate(unit) && at > 1 && isHighSurrogate(text.charCodeAt(at - 2)) ? (text.codePointAt(at - 2) ?? 0) : unit,
  )
}

export function sideBehind(text: string, at: number, end: number = text.length): Side {
  return at >= end ? Side.none : sideOf(text.codePointAt(at) ?? 0)
}

function isWord(codePoint: number): boolean {
  if (codePoint < 128) {
    return (
      (codePoint >= 97 && codePoint <= 122) ||
      (codePoint >= 65 && codePoint <= 90) ||
      (codePoint >= 48 && codePoint <= 57) ||
      codePoint === 95
    )
  }
  return contains(wordSet(), codePoint)
}
