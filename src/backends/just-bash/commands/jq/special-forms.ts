// Functions that receive their arguments unevaluated. Written in jq, they would be too slow or impossible.

import { builtins } from './builtins.ts'
import type { Evaluator } from './evaluate.ts'
import { isArray, isObject, type Json } from './json.ts'
import { groupsBy, keyedBy, sortedBy } from './ordering.ts'
import { getPath, deletePaths, type Path } from './paths.ts'
import { preludeNames } from './prelude.ts'
import type { Scope } from './scope.ts'
import { finished, iterate, offPath, firstOnly, type Emit, type Steps } from './steps.ts'
import type { Expression } from './syntax.ts'
import { textForms } from './text-forms.ts'
import { add, isTrue, JqError, textOf, withType } from './values.ts'

export type SpecialForm = (
  evaluator: Evaluator,
  args: readonly Expression[],
  scope: Scope | undefined,
  input: Json,
  path: Path | null | undefined,
  emit: Emit,
) => Steps

export const specialForms: ReadonlyMap<string, SpecialForm> = new Map<string, SpecialForm>([
  ['empty/0', () => undefined],
  ...textForms,
  [
    'builtins/0',
    (_evaluator, _args, _scope, _input, path, emit) =>
      emit(
        [...builtins.keys(), ...specialForms.keys(), ...preludeNames()].filter(name => !name.startsWith('_')),
        path && null,
      ),
  ],
  [
    'path/1',
    (evaluator, [body], scope, input, path, emit) => body && evaluator.paths(body, scope, input, at => emit(at, path && null)),
  ],
  [
    'getpath/1',
    (evaluator, [where], scope, input, path, emit) =>
      where &&
      evaluator.each(where, scope, input, keys => {
        if (!isArray(keys)) throw new JqError('Path must be specified as an array')
        if (path === null) throw offPath(input)
        return emit(getPath(input, keys), path && [...path, ...keys])
      }),
  ],
  [
    'select/1',
    (evaluator, [test], scope, input, path, emit) =>
      test && evaluator.each(test, scope, input, value => (isTrue(value) ? emit(input, path) : undefined)),
  ],
  [
    'map/1',
    function* (evaluator, [body], scope, input, path, emit) {
      const items: Json[] = []
      if (body !== undefined)
        yield* iterate(input, undefined, evaluator.surroundings, item =>
          evaluator.each(body, scope, item, value => {
            items.push(value)
          }),
        )
      yield* finished(emit(items, path && null))
    },
  ],
  [
    'recurse/1',
    (evaluator, [body], scope, input, path, emit) => {
      if (body === undefined) return undefined
      const { isDue } = evaluator.surroundings
      const step = function* (value: Json, at: Path | null | undefined): Generator<undefined, void> {
        yield* finished(emit(value, at))
        if (isDue()) yield
        yield* finished(evaluator.run(body, scope, value, at, step))
      }
      return step(input, path)
    },
  ],
  [
    'range/1',
    (evaluator, [end], scope, input, path, emit) =>
      end && evaluator.each(end, scope, input, to => range(evaluator, 0, Number(to), value => emit(value, path && null))),
  ],
  [
    'range/2',
    (evaluator, [start, end], scope, input, path, emit) =>
      start &&
      end &&
      evaluator.each(start, scope, input, from =>
        evaluator.each(end, scope, input, to => {
          if (typeof from !== 'number' || typeof to !== 'number') throw new JqError('Range bounds must be numeric')
          return range(evaluator, from, to, value => emit(value, path && null))
        }),
      ),
  ],
  [
    'first/1',
    function* (evaluator, [body], scope, input, path, emit) {
      if (body === undefined) return
      const found: (readonly [Json, Path | null | undefined])[] = []
      yield* firstOnly(stop =>
        evaluator.run(body, scope, input, path, (value, at) => {
          found.push([value, at])
          return stop()
        }),
      )
      for (const [value, at] of found) yield* finished(emit(value, at))
    },
  ],
  [
    // As a reduction it keeps a value and not its path.
    'last/1',
    (evaluator, [body], scope, input, path, emit) =>
      body && lastOf(evaluator, body, scope, input, path, value => emit(value, value === input ? path : path && null)),
  ],
  ['_last/1', (evaluator, [body], scope, input, path, emit) => body && lastOf(evaluator, body, scope, input, path, emit)],
  [
    'limit/2',
    (evaluator, [count, body], scope, input, path, emit) =>
      count &&
      body &&
      evaluator.each(count, scope, input, most => {
        let rest = Number(most)
        if (rest === 0) return undefined
        if (rest < 0) return evaluator.run(body, scope, input, path, emit)
        return firstOnly(stop =>
          evaluator.run(body, scope, input, path, function* (value, at) {
            rest -= 1
            yield* finished(emit(value, at))
            if (rest <= 0) stop()
          }),
        )
      }),
  ],
  [
    'isempty/1',
    function* (evaluator, [body], scope, input, path, emit) {
      let isEmpty = true
      if (body !== undefined)
        yield* firstOnly(stop =>
          evaluator.each(body, scope, input, () => {
            isEmpty = false
            return stop()
          }),
        )
      yield* finished(emit(isEmpty, path && null))
    },
  ],
  ['until/2', (evaluator, [test, next], scope, input, path, emit) => loop(evaluator, test, next, scope, input, path, emit, true)],
  [
    'while/2',
    (evaluator, [test, next], scope, input, path, emit) => loop(evaluator, test, next, scope, input, path, emit, false),
  ],
  [
    'repeat/1',
    function* (evaluator, [body], scope, input, path, emit) {
      while (body !== undefined) {
        yield* finished(evaluator.run(body, scope, input, path, emit))
        if (evaluator.surroundings.isDue()) yield
      }
    },
  ],
  [
    'del/1',
    (evaluator, [body], scope, input, path, emit) =>
      body && evaluator.gatheredPaths(body, scope, input, paths => emit(deletePaths(input, paths), path && null)),
  ],
  [
    'error/0',
    (_evaluator, _args, _scope, input) => {
      throw new JqError(input)
    },
  ],
  [
    'error/1',
    (evaluator, [message], scope, input) =>
      message &&
      evaluator.each(message, scope, input, value => {
        throw new JqError(value)
      }),
  ],
  [
    'input/0',
    function* ({ surroundings }, _args, _scope, _input, path, emit) {
      const value = yield* surroundings.input()
      if (value === undefined) throw new JqError('No more inputs')
      yield* finished(emit(value, path && null))
    },
  ],
  [
    'inputs/0',
    function* ({ surroundings }, _args, _scope, _input, path, emit) {
      for (;;) {
        const value = yield* surroundings.input()
        if (value === undefined) return
        yield* finished(emit(value, path && null))
        if (surroundings.isDue()) yield
      }
    },
  ],
  [
    'debug/0',
    ({ surroundings }, _args, _scope, input, path, emit) => {
      surroundings.stderr(`["DEBUG:",${textOf([input]).slice(1, -1)}]\n`)
      return emit(input, path)
    },
  ],
  [
    'stderr/0',
    ({ surroundings }, _args, _scope, input, path, emit) => {
      surroundings.stderr(textOf([input]).slice(1, -1))
      return emit(input, path)
    },
  ],
  [
    'add/0',
    function* ({ surroundings }, _args, _scope, input, path, emit) {
      yield* finished(emit(yield* sumOf(input, surroundings.isDue), path && null))
    },
  ],
  ...(['sort', 'group', 'unique'] as const).map((name): readonly [string, SpecialForm] => [
    `${name}_by/1`,
    function* (evaluator, [by], scope, input, path, emit) {
      if (by === undefined) return
      const keys = yield* keysBy(evaluator, by, scope, input)
      yield* finished(emit(yield* ordered(evaluator, name, input, keys), path && null))
    },
  ]),
  ...(['sort', 'unique'] as const).map((name): readonly [string, SpecialForm] => [
    `${name}/0`,
    function* (evaluator, _args, _scope, input, path, emit) {
      yield* finished(emit(yield* ordered(evaluator, name, input, undefined), path && null))
    },
  ]),
  ...(['min_by', 'max_by'] as const).map((name): readonly [string, SpecialForm] => [
    `${name}/1`,
    function* (evaluator, [by], scope, input, path, emit) {
      if (by === undefined) return
      const keys = yield* keysBy(evaluator, by, scope, input)
      const native = builtins.get(`_${name}/1`)
      if (native === undefined) throw new Error(`unreachable: ${name} has its native part`)
      yield* finished(emit(native(input, [keys], evaluator.surroundings), path && null))
    },
  ]),
])

function* sumOf(input: Json, isDue: () => boolean): Generator<undefined, Json> {
  if (!isArray(input) && !isObject(input)) throw new JqError(`Cannot iterate over ${input === null ? 'null' : withType(input)}`)
  const items = isArray(input) ? input : [...input.values()]
  // One by one, each step would copy what is there.
  if (items.length > 1 && items.every(item => typeof item === 'string')) return items.join('')
  if (items.length > 1 && items.every(isArray)) return items.flat() as Json[]
  if (items.length > 1 && items.every(isObject)) {
    const whole = new Map<string, Json>()
    for (const item of items) {
      for (const [key, value] of item) whole.set(key, value)
      if (isDue()) yield
    }
    return whole
  }
  let sum: Json = null
  for (const item of items) {
    sum = add(sum, item)
    if (isDue()) yield
  }
  return sum
}

/** The values of `by` for each item of `input`. */
function* keysBy(
  evaluator: Evaluator,
  by: Expression,
  scope: Scope | undefined,
  input: Json,
): Generator<undefined, readonly Json[]> {
  const keyed: Json[] = []
  yield* iterate(input, undefined, evaluator.surroundings, item =>
    evaluator.gathered(by, scope, item, keys => {
      keyed.push(keys)
    }),
  )
  return keyed
}

function* ordered(
  { surroundings: { isDue } }: Evaluator,
  kind: 'sort' | 'group' | 'unique',
  input: Json,
  keys: readonly Json[] | undefined,
): Generator<undefined, Json> {
  const sorted = yield* sortedBy(keyedBy(input, keys), isDue)
  if (kind === 'sort') return sorted.map(({ value }) => value)
  const groups = groupsBy(sorted)
  return kind === 'group' ? groups : groups.map(([first = null]) => first)
}

function* range(
  { surroundings: { isDue } }: Evaluator,
  from: number,
  to: number,
  emit: (value: Json) => Steps,
): Generator<undefined, void> {
  for (let at = from; at < to; at++) {
    const steps = emit(at)
    if (steps !== undefined) yield* steps
    if (isDue()) yield
  }
}

/** The last value of `body`, with its path. */
function* lastOf(
  evaluator: Evaluator,
  body: Expression,
  scope: Scope | undefined,
  input: Json,
  path: Path | null | undefined,
  emit: Emit,
): Generator<undefined, void> {
  let found: readonly [Json, Path | null | undefined] | undefined
  yield* finished(
    evaluator.run(body, scope, input, path, (value, at) => {
      found = [value, at]
    }),
  )
  if (found !== undefined) yield* finished(emit(...found))
}

/**
 * Implements `while` and `until` with an explicit stack, so that many iterations do not overflow the call stack. Values are
 * visited depth first.
 */
function* loop(
  evaluator: Evaluator,
  test: Expression | undefined,
  next: Expression | undefined,
  scope: Scope | undefined,
  input: Json,
  path: Path | null | undefined,
  emit: Emit,
  isUntil: boolean,
): Generator<undefined, void> {
  if (test === undefined || next === undefined) return
  let pending: (readonly [Json, Path | null | undefined])[] = [[input, path]]
  while (pending.length > 0) {
    if (evaluator.surroundings.isDue()) yield
    const [value, at] = pending.pop() ?? [null, undefined]
    let holds = false
    yield* finished(
      evaluator.each(test, scope, value, result => {
        holds = isTrue(result)
      }),
    )
    if (holds === isUntil) {
      if (isUntil) yield* finished(emit(value, at))
      continue
    }
    if (!isUntil) yield* finished(emit(value, at))
    const following: (readonly [Json, Path | null | undefined])[] = []
    yield* finished(
      evaluator.run(next, scope, value, at, (result, where) => {
        following.push([result, where])
      }),
    )
    pending = pending.concat(following.toReversed())
  }
}
