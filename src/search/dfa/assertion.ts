// Whether an assertion holds at a position. The previous character is known. For the next one, the result is the set of kinds that are
// still allowed, which is checked when the character is read.

import { unreachable } from '../../core/errors.ts'
import type { Assertion } from '../regex/syntax.ts'
import { anyKind, kindEdge, kindNewline, kindOther, kindWord } from './alphabet.ts'

const notWord = kindOther | kindNewline | kindEdge

/** The kinds that may come next; 0 if the assertion cannot hold. */
export function kindsAllowedAfter(assertion: Assertion, previousKind: number): number {
  const isAfterWord = previousKind === kindWord
  switch (assertion) {
    case 'line-start':
      return previousKind === kindNewline || previousKind === kindEdge ? anyKind : 0
    case 'line-end':
      return kindNewline | kindEdge
    case 'text-start':
      return previousKind === kindEdge ? anyKind : 0
    case 'text-end':
      return kindEdge
    case 'word-boundary':
      return isAfterWord ? notWord : kindWord
    case 'not-word-boundary':
      return isAfterWord ? kindWord : notWord
    case 'word-start':
      return isAfterWord ? 0 : kindWord
    case 'word-end':
      return isAfterWord ? notWord : 0
    case 'word-start-half':
      return isAfterWord ? 0 : anyKind
    case 'word-end-half':
      return notWord
    default:
      return unreachable(assertion)
  }
}
