// Arithmetic and comparisons.

import { AwkError } from './error.ts'
import type { BinaryOperator, Comparison } from './syntax.ts'

export const arithmetic: Readonly<Record<BinaryOperator, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => {
    if (right === 0) throw new AwkError('division by zero attempted')
    return left / right
  },
  '%': (left, right) => {
    if (right === 0) throw new AwkError("division by zero attempted in `%'")
    return left % right
  },
  '^': (left, right) => left ** right,
}

/** The result of each comparison, from the order of two strings or from two numbers (NaN is unordered). */
export const comparisons: Readonly<
  Record<
    Comparison,
    { readonly ofOrder: (order: number) => boolean; readonly ofNumbers: (left: number, right: number) => boolean }
  >
> = {
  '<': { ofOrder: order => order < 0, ofNumbers: (left, right) => left < right },
  '<=': { ofOrder: order => order <= 0, ofNumbers: (left, right) => left <= right },
  '==': { ofOrder: order => order === 0, ofNumbers: (left, right) => left === right },
  '!=': { ofOrder: order => order !== 0, ofNumbers: (left, right) => left !== right },
  '>': { ofOrder: order => order > 0, ofNumbers: (left, right) => left > right },
  '>=': { ofOrder: order => order >= 0, ofNumbers: (left, right) => left >= right },
}
