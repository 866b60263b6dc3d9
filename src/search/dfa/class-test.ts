// Whether one character is in a class, without expanding the class.

import { unreachable } from '../../core/errors.ts'
import { contains, maxCodePoint } from '../regex/code-points.ts'
import type { ClassExpression } from '../regex/syntax.ts'
import { foldOrbit } from '../regex/unicode.ts'

export function holdsCodePoint(expression: ClassExpression, codePoint: number): boolean {
  switch (expression.kind) {
    case 'ranges':
      return contains(expression.ranges, codePoint)
    case 'named':
      return codePoint <= maxCodePoint && classTest(expression.classSource).test(String.fromCodePoint(codePoint))
    case 'ascii-folded':
      return holdsCodePoint(expression.of, codePoint) || holdsCodePoint(expression.of, otherAsciiCase(codePoint))
    case 'folded':
      return foldOrbit(codePoint).some(member => holdsCodePoint(expression.of, member))
    case 'not':
      // A byte that is not a character is not in a negated class either.
      return codePoint <= maxCodePoint && !holdsCodePoint(expression.of, codePoint)
    case 'union':
      return expression.of.some(part => holdsCodePoint(part, codePoint))
    case 'intersection':
      return holdsCodePoint(expression.left, codePoint) && holdsCodePoint(expression.right, codePoint)
    case 'difference':
      return holdsCodePoint(expression.left, codePoint) && !holdsCodePoint(expression.right, codePoint)
    case 'symmetric-difference':
      return holdsCodePoint(expression.left, codePoint) !== holdsCodePoint(expression.right, codePoint)
    default:
      return unreachable(expression)
  }
}

function otherAsciiCase(codePoint: number): number {
  const lower = codePoint | 0x20
  return lower >= 0x61 && lower <= 0x7a ? codePoint ^ 0x20 : codePoint
}

const tests = new Map<string, RegExp>()

/** One character against a one-character class, so this cannot take long. */
function classTest(classSource: string): RegExp {
  let test = tests.get(classSource)
  if (test === undefined) {
    test = new RegExp(`^[${classSource}]$`, 'u')
    tests.set(classSource, test)
  }
  return test
}
