// Whether an assertion holds at a position. The previous character is known. For the next one, the result is the set of kinds that are
// still allowed, which is checked when the character is read.

import { unreachable } from '../../core/errors.ts'
import type { Assertion } from '../regex/syntax.ts'
import { anyKind, kindEdge, kindInvalid, kindNewline, kindOther, kindReturn, kindWord } from './alphabet.ts'

const otherCharacter = kindOther | kindNewline | kindReturn | kindEdge
const notWord = otherCharacter | kindInvalid

/**
 * The kinds that may come next; 0 if the assertion cannot hold. As in ripgrep, an assertion that only asks for the absence of a word does
 * not hold beside an invalid byte.
 */
export function kindsAllowedAfter(assertion: Assertion, previousKind: number): number {
  const isAfterWord = previousKind === kindWord
  const isAfterInvalid = previousKind === kindInvalid
  switch (assertion) {
    case 'line-start':
      return previousKind === kindNewline || previousKind === kindEdge ? anyKind : 0
    case 'line-end':
      return kindNewline | kindEdge
    case 'line-start-crlf':
      if (previousKind === kindReturn) return anyKind & ~kindNewline
      return previousKind === kindNewline || previousKind === kindEdge ? anyKind : 0
    case 'line-end-crlf':
      return previousKind === kindReturn ? kindReturn | kindEdge : kindReturn | kindNewline | kindEdge
    case 'text-start':
      return previousKind === kindEdge ? anyKind : 0
    case 'text-end':
      return kindEdge
    case 'word-boundary':
      return isAfterWord ? notWord : kindWord
    case 'not-word-boundary':
      return isAfterInvalid ? 0 : isAfterWord ? kindWord : otherCharacter
    case 'word-start':
      return isAfterWord ? 0 : kindWord
    case 'word-end':
      return isAfterWord ? notWord : 0
    case 'word-start-half':
      return isAfterWord || isAfterInvalid ? 0 : anyKind
    case 'word-end-half':
      return otherCharacter
    default:
      return unreachable(assertion)
  }
}
