// The syntax tree of a pattern, independent of its notation and of the engine. Captures are present only on request, because a search that
// shows lines does not need them. A class is evaluated only when the universe is known, because full tables are expensive and ASCII lines
// need none.

import { unreachable } from '../../core/errors.ts'
import { allCodePoints, type CodePointSet, complement, difference, intersection, maxAscii, union } from './code-points.ts'
import { foldAscii, foldCase, setOfClass, type Universe } from './unicode.ts'

export type ClassExpression =
  | { readonly kind: 'ranges'; readonly ranges: CodePointSet }
  /** The contents of a JavaScript class, such as `\p{Nd}`. */
  | { readonly kind: 'named'; readonly classSource: string }
  | { readonly kind: 'folded'; readonly of: ClassExpression }
  /** Only ASCII letters have two cases. */
  | { readonly kind: 'ascii-folded'; readonly of: ClassExpression }
  | { readonly kind: 'not'; readonly of: ClassExpression }
  | { readonly kind: 'union'; readonly of: readonly ClassExpression[] }
  | {
      readonly kind: 'intersection' | 'difference' | 'symmetric-difference'
      readonly left: ClassExpression
      readonly right: ClassExpression
    }

export type Assertion =
  | 'line-start'
  | 'line-end'
  /** `\r`, `\n` and both together end a line, and it begins behind both. */
  | 'line-start-crlf'
  | 'line-end-crlf'
  | 'text-start'
  | 'text-end'
  | 'word-boundary'
  | 'not-word-boundary'
  | 'word-start'
  | 'word-end'
  | 'word-start-half'
  | 'word-end-half'

export type Node =
  | { readonly kind: 'character'; readonly codePoint: number; readonly isFolded: boolean }
  | { readonly kind: 'class'; readonly set: ClassExpression }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  /** `index` starts at 1; 0 is the whole match, which is not a node. */
  | { readonly kind: 'capture'; readonly index: number; readonly node: Node }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'alternatives'; readonly parts: readonly Node[] }
  | {
      readonly kind: 'repeat'
      readonly node: Node
      readonly min: number
      readonly max: number | undefined
      readonly isGreedy: boolean
    }

/** The members of `expression` within `universe`. */
export function evaluateClass(expression: ClassExpression, universe: Universe): CodePointSet {
  const set = evaluate(expression, universe)
  return universe === 'ascii' ? intersection(set, [0, maxAscii]) : set
}

function evaluate(expression: ClassExpression, universe: Universe): CodePointSet {
  switch (expression.kind) {
    case 'ranges':
      return expression.ranges
    case 'named':
      return setOfClass(expression.classSource, universe)
    case 'folded':
      return foldCase(evaluate(expression.of, universe), universe)
    case 'ascii-folded':
      return foldAscii(evaluate(expression.of, universe))
    case 'not':
      return complement(evaluate(expression.of, universe))
    case 'union':
      return union(...expression.of.map(part => evaluate(part, universe)))
    case 'intersection':
      return intersection(evaluate(expression.left, universe), evaluate(expression.right, universe))
    case 'difference':
      return difference(evaluate(expression.left, universe), evaluate(expression.right, universe))
    case 'symmetric-difference': {
      const left = evaluate(expression.left, universe)
      const right = evaluate(expression.right, universe)
      return union(difference(left, right), difference(right, left))
    }
    default:
      return unreachable(expression)
  }
}

export const anyCharacter: ClassExpression = { kind: 'ranges', ranges: allCodePoints }

export const empty: Node = { kind: 'sequence', parts: [] }
