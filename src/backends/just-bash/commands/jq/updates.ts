// The operators that change parts of a value: `=`, `|=`, `+=` and their kind.

import type { Evaluator } from './evaluate.ts'
import type { Expression } from './syntax.ts'
import type { Scope } from './scope.ts'
import { isClosed } from './one-value.ts'
import { isArray, isContainer, type Json } from './json.ts'
import { finished, firstOnly, type Steps } from './steps.ts'
import { calculate, isTrue } from './values.ts'
import { deletePaths, getPath, OwnCopies, type Path, updatePath } from './paths.ts'

export function updated(
  evaluator: Evaluator,
  node: Extract<Expression, { kind: 'update' }>,
  scope: Scope | undefined,
  input: Json,
  emit: (value: Json) => Steps,
  own: OwnCopies = new OwnCopies(),
): Steps {
  const { operator, target, value } = node
  if (operator === '|=')
    return evaluator.gatheredPaths(target, scope, input, paths => updateEach(evaluator, value, paths, scope, input, emit, own))
  return evaluator.each(value, scope, input, given => {
    // A part of the input is then in two places.
    if (isContainer(given) && !isClosed(value) && !(value.kind === 'array' && isArray(given) && !given.some(isContainer)))
      own.giveAllAway()
    const change = (before: Json): Json => {
      if (operator === '=') return given
      if (operator === '//=') return isTrue(before) ? before : given
      if (operator === '+=' && isArray(before) && isArray(given)) return own.appended(before, given)
      return calculate(operator.slice(0, -1) as '+', before, given)
    }
    return evaluator.gatheredPaths(target, scope, input, paths => updateAll(evaluator, paths, input, change, emit, own))
  })
}

function* updateAll(
  evaluator: Evaluator,
  paths: readonly Path[],
  input: Json,
  change: (before: Json) => Json,
  emit: (value: Json) => Steps,
  own: OwnCopies,
): Generator<undefined, void> {
  let whole = input
  for (const path of paths) {
    whole = updatePath(whole, path, 0, change, own)
    if (evaluator.surroundings.isDue()) yield
  }
  yield* finished(emit(whole))
}

/** `|=`, which deletes the paths for which the right side has no value. */
function* updateEach(
  evaluator: Evaluator,
  value: Expression,
  paths: readonly Path[],
  scope: Scope | undefined,
  input: Json,
  emit: (value: Json) => Steps,
  own: OwnCopies,
): Generator<undefined, void> {
  const removed: Path[] = []
  let whole = input
  for (const path of paths) {
    let first: Json | undefined
    const before = getPath(whole, path)
    own.giveAway(before)
    yield* firstOnly(stop =>
      evaluator.each(value, scope, before, next => {
        first = next
        return stop()
      }),
    )
    const next = first
    if (next === undefined) removed.push(path)
    else whole = updatePath(whole, path, 0, () => next, own)
    if (evaluator.surroundings.isDue()) yield
  }
  yield* finished(emit(removed.length === 0 ? whole : deletePaths(whole, removed)))
}
