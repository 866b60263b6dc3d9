// `reduce` and `foreach`.

import type { Evaluator } from './evaluate.ts'
import type { Expression } from './syntax.ts'
import type { Scope } from './scope.ts'
import { isContainer, type Json } from './json.ts'
import { OwnCopies, type Path } from './paths.ts'
import { type Emit, finished, inOrder, type Steps } from './steps.ts'
import { destructure } from './bind.ts'
import { stepInPlace } from './in-place.ts'

export function reduce(
  evaluator: Evaluator,
  node: Extract<Expression, { kind: 'reduce' }>,
  scope: Scope | undefined,
  input: Json,
  path: Path | null | undefined,
  emit: Emit,
): Steps {
  const step = path === undefined ? stepInPlace(node.update, new OwnCopies()) : undefined
  return evaluator.run(node.init, scope, input, path, (init, initPath) => {
    let state = init
    const pathOf = pathsFrom(init, initPath)
    const keep = (next: Json): undefined => {
      state = next
    }
    const fold = (value: Json): Steps =>
      destructure(evaluator, node.pattern, value, scope, input, inner => {
        const before = state
        // An update without a value leaves null.
        state = null
        if (step !== undefined) return step(evaluator, inner, before, keep)
        return evaluator.run(node.update, inner, before, pathOf(before), keep)
      })
    return inOrder(
      () => eachWithPauses(evaluator, node.source, scope, input, fold),
      () => emit(state, pathOf(state)),
    )
  })
}

/** Each update begins again at the path of the first state, and leads from there only if the state is still the value at that path. */
function pathsFrom(init: Json, path: Path | null | undefined): (state: Json) => Path | null | undefined {
  return state => (state === init ? path : path && null)
}

export function foreach(
  evaluator: Evaluator,
  node: Extract<Expression, { kind: 'foreach' }>,
  scope: Scope | undefined,
  input: Json,
  path: Path | null | undefined,
  emit: Emit,
): Steps {
  const own = new OwnCopies()
  const step = path === undefined ? stepInPlace(node.update, own) : undefined
  return evaluator.run(node.init, scope, input, path, (init, initPath) => {
    let state = init
    const pathOf = pathsFrom(init, initPath)
    const given: Emit = (value, at) => {
      if (isContainer(value)) own.giveAllAway()
      return emit(value, at)
    }
    return eachWithPauses(evaluator, node.source, scope, input, value =>
      destructure(evaluator, node.pattern, value, scope, input, inner => {
        const use: Emit = (next, at) => {
          state = next
          return node.extract === undefined ? given(next, at) : evaluator.run(node.extract, inner, next, at, given)
        }
        if (step !== undefined) return step(evaluator, inner, state, next => use(next, undefined))
        return evaluator.run(node.update, inner, state, pathOf(state), use)
      }),
    )
  })
}

/** As `each`, with pauses between the values. */
function eachWithPauses(
  evaluator: Evaluator,
  node: Expression,
  scope: Scope | undefined,
  input: Json,
  use: (value: Json) => Steps,
): Steps {
  const { isDue } = evaluator.surroundings
  return evaluator.each(node, scope, input, value => {
    const steps = use(value)
    return isDue() ? pauseAfter(steps) : steps
  })
}

function* pauseAfter(steps: Steps): Generator<undefined, void> {
  yield* finished(steps)
  yield
}
