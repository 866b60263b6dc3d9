// What stands before or behind a place in a text, as far as assertions ask for it.

import { unreachable } from '../../../core/errors.ts'
import { contains, wordSet } from './character-set.ts'
import type { Assertion } from './syntax.ts'

/** What a neighbour is: nothing, the end of a line, a character of a word, any other. */
export const Side = { none: 0, newline: 1, word: 2, other: 3 } as const
export type Side = (typeof Side)[keyof typeof Side]

export function holds(assertion: Assertion, before: Side, behind: Side): boolean {
  switch (assertion) {
    case 'text-start':
      return before === Side.none
    case 'text-end':
      return behind === Side.none
    case 'line-start':
      return before === Side.none || before === Side.newline
    case 'line-end':
      return behind === Side.none || behind === Side.newline
    case 'word-boundary':
      return (before === Side.word) !== (behind === Side.word)
    case 'not-word-boundary':
      return (before === Side.word) === (behind === Side.word)
    case 'word-start':
      return before !== Side.word && behind === Side.word
    case 'word-end':
      return before === Side.word && behind !== Side.word
    // Asked by the backtracker with the whole text at hand: the end, or before a newline that is the last character.
    case 'perl-end':
      return behind === Side.none
    default:
      return unreachable(assertion)
  }
}

export function sideOf(codePoint: number): Side {
  if (codePoint === 10) return Side.newline
  return isWord(codePoint) ? Side.word : Side.other
}

export function sideBefore(text: string, at: number): Side {
  if (at === 0) return Side.none
  const unit = text.charCodeAt(at - 1)
  return sideOf(
    unit >= 0xdc00 && unit <= 0xdfff && at > 1 && isHigh(text.charCodeAt(at - 2)) ? (text.codePointAt(at - 2) ?? 0) : unit,
  )
}

export function sideBehind(text: string, at: number): Side {
  return at >= text.length ? Side.none : sideOf(text.codePointAt(at) ?? 0)
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
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
