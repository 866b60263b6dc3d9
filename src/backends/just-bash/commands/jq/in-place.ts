// Steps of `reduce` and `foreach` that change its state in place. A copy of the whole state for each step takes time with the square of its size.

import type { Evaluator } from './evaluate.ts'
import { isArray, isObject, type Json } from './json.ts'
import { OwnCopies } from './paths.ts'
import type { Scope } from './scope.ts'
import type { Steps } from './steps.ts'
import type { Expression } from './syntax.ts'
import { isClosed, isPlain } from './one-value.ts'
import { updated } from './updates.ts'
import { calculate } from './values.ts'

export type Step = (evaluator: Evaluator, scope: Scope | undefined, state: Json, emit: (next: Json) => Steps) => Steps

/** For an update that gives one state and keeps no part of the one before: plain assignments, `. + {…}` and `. + […]`, one after the other. */
export function stepInPlace(node: Expression, own: OwnCopies): Step | undefined {
  if (node.kind === 'pipe') {
    const [first, second] = [stepInPlace(node.left, own), stepInPlace(node.right, own)]
    if (first === undefined || second === undefined) return undefined
    return (evaluator, scope, state, emit) => first(evaluator, scope, state, next => second(evaluator, scope, next, emit))
  }
  if (node.kind === 'update') {
    const { target, value } = node
    const isPlainValue = node.operator === '|=' || value.kind === 'array' || isPlain(value)
    if (!isChain(target) || !isPlainValue) return undefined
    return (evaluator, scope, state, emit) => updated(evaluator, node, scope, state, emit, own)
  }
  if (node.kind !== 'binary' || node.operator !== '+' || node.left.kind !== 'identity' || !isClosed(node.right)) return undefined
  const { right } = node
  return (evaluator, scope, state, emit) =>
    evaluator.each(right, scope, null, given => {
      if (isObject(given) && (state === null || isObject(state))) {
        const all = own.object(state)
        for (const [key, value] of given) all.set(key, value)
        return emit(all)
      }
      if (isArray(given) && (state === null || isArray(state))) return emit(own.appended(state, given))
      return emit(calculate('+', state, given))
    })
}

/** `.a[$k].b`. */
function isChain(node: Expression): boolean {
  return node.kind === 'index' && (node.target.kind === 'identity' || isChain(node.target)) && isPlain(node.index)
}
