// Functions that receive their arguments unevaluated. Written in jq, they would be too slow or impossible.

import { builtins } from './builtins.ts'
import type { Evaluator } from './evaluate.ts'
import { isArray, type Json } from './json.ts'
import { getPath, deletePaths, type Path } from './paths.ts'
import type { Scope } from './scope.ts'
import { iterate, shownLong, firstOnly, type Emit } from './steps.ts'
import type { Expression } from './syntax.ts'
import { isTrue, JqError, textOf } from './values.ts'

type SpecialForm = (
  evaluator: Evaluator,
  args: readonly Expression[],
  scope: Scope | undefined,
  input: Json,
  path: Path | null | undefined,
  emit: Emit,
) => void

export const specialForms: ReadonlyMap<string, SpecialForm> = new Map<string, SpecialForm>([
  ['empty/0', () => undefined],
  [
    'path/1',
    (evaluator, [body], scope, input, path, emit) => {
      if (body !== undefined) evaluator.paths(body, scope, input, at => emit(at, path && null))
    },
  ],
  [
    'getpath/1',
    (evaluator, [where], scope, input, path, emit) => {
      if (where === undefined) return
      evaluator.each(where, scope, input, keys => {
        if (!isArray(keys)) throw new JqError('Path must be specified as an array')
        if (path === null) throw new JqError(`Invalid path expression with result ${shownLong(input)}`)
        emit(getPath(input, keys), path && [...path, ...keys])
      })
    },
  ],
  [
    'select/1',
    (evaluator, [test], scope, input, path, emit) => {
      if (test !== undefined)
        evaluator.each(test, scope, input, value => {
          if (isTrue(value)) emit(input, path)
        })
    },
  ],
  [
    'map/1',
    (evaluator, [body], scope, input, path, emit) => {
      const items: Json[] = []
      if (body !== undefined) iterate(input, undefined, item => evaluator.each(body, scope, item, value => items.push(value)))
      emit(items, path && null)
    },
  ],
  [
    'recurse/1',
    (evaluator, [body], scope, input, path, emit) => {
      if (body === undefined) return
      const step = (value: Json, at: Path | null | undefined): void => {
        emit(value, at)
        evaluator.run(body, scope, value, at, step)
      }
      step(input, path)
    },
  ],
  [
    'range/1',
    (evaluator, [end], scope, input, path, emit) => {
      if (end !== undefined)
        evaluator.each(end, scope, input, value => {
          for (let at = 0; at < Number(value); at++) {
            evaluator.surroundings.checkStop()
            emit(at, path && null)
          }
        })
    },
  ],
  [
    'range/2',
    (evaluator, [start, end], scope, input, path, emit) => {
      if (start === undefined || end === undefined) return
      evaluator.each(start, scope, input, from =>
        evaluator.each(end, scope, input, to => {
          if (typeof from !== 'number' || typeof to !== 'number') throw new JqError('Range bounds must be numeric')
          for (let at = from; at < to; at++) {
            evaluator.surroundings.checkStop()
            emit(at, path && null)
          }
        }),
      )
    },
  ],
  [
    'first/1',
    (evaluator, [body], scope, input, path, emit) => {
      if (body === undefined) return
      let found: readonly [Json, Path | null | undefined] | undefined
      firstOnly(stop =>
        evaluator.run(body, scope, input, path, (value, at) => {
          found = [value, at]
          stop()
        }),
      )
      if (found !== undefined) emit(...found)
    },
  ],
  [
    'last/1',
    (evaluator, [body], scope, input, path, emit) => {
      let found: readonly [Json, Path | null | undefined] | undefined
      if (body !== undefined)
        evaluator.run(body, scope, input, path, (value, at) => {
          found = [value, at]
        })
      if (found !== undefined) emit(...found)
    },
  ],
  [
    'limit/2',
    (evaluator, [count, body], scope, input, path, emit) => {
      if (count === undefined || body === undefined) return
      evaluator.each(count, scope, input, most => {
        let rest = Number(most)
        if (rest <= 0) return
        firstOnly(stop =>
          evaluator.run(body, scope, input, path, (value, at) => {
            rest -= 1
            emit(value, at)
            if (rest <= 0) stop()
          }),
        )
      })
    },
  ],
  [
    'isempty/1',
    (evaluator, [body], scope, input, path, emit) => {
      let isEmpty = true
      if (body !== undefined)
        firstOnly(stop =>
          evaluator.each(body, scope, input, () => {
            isEmpty = false
            stop()
          }),
        )
      emit(isEmpty, path && null)
    },
  ],
  ['until/2', (evaluator, [test, next], scope, input, path, emit) => loop(evaluator, test, next, scope, input, path, emit, true)],
  [
    'while/2',
    (evaluator, [test, next], scope, input, path, emit) => loop(evaluator, test, next, scope, input, path, emit, false),
  ],
  [
    'repeat/1',
    (evaluator, [next], scope, input, path, emit) =>
      loop(evaluator, { kind: 'literal', value: true }, next, scope, input, path, emit, false),
  ],
  [
    'del/1',
    (evaluator, [body], scope, input, path, emit) => {
      const paths: Path[] = []
      if (body !== undefined) evaluator.paths(body, scope, input, at => paths.push(at))
      emit(deletePaths(input, paths), path && null)
    },
  ],
  [
    'error/0',
    (_evaluator, _args, _scope, input) => {
      throw new JqError(input)
    },
  ],
  [
    'error/1',
    (evaluator, [message], scope, input) => {
      if (message !== undefined)
        evaluator.each(message, scope, input, value => {
          throw new JqError(value)
        })
    },
  ],
  [
    'input/0',
    ({ surroundings }, _args, _scope, _input, path, emit) => {
      const value = surroundings.input()
      if (value === undefined) throw new JqError('No more inputs')
      emit(value, path && null)
    },
  ],
  [
    'inputs/0',
    ({ surroundings }, _args, _scope, _input, path, emit) => {
      for (let value = surroundings.input(); value !== undefined; value = surroundings.input()) {
        surroundings.checkStop()
        emit(value, path && null)
      }
    },
  ],
  [
    'debug/0',
    ({ surroundings }, _args, _scope, input, path, emit) => {
      surroundings.stderr(`["DEBUG:",${textOf([input]).slice(1, -1)}]\n`)
      emit(input, path)
    },
  ],
  [
    'stderr/0',
    ({ surroundings }, _args, _scope, input, path, emit) => {
      surroundings.stderr(textOf([input]).slice(1, -1))
      emit(input, path)
    },
  ],
  ...(['sort_by', 'group_by', 'unique_by', 'min_by', 'max_by'] as const).map((name): readonly [string, SpecialForm] => [
    `${name}/1`,
    (evaluator, [by], scope, input, path, emit) => {
      if (by === undefined) return
      const keyed: Json[] = []
      iterate(input, undefined, item => {
        const keys: Json[] = []
        evaluator.each(by, scope, item, key => keys.push(key))
        keyed.push(keys)
      })
      const native = builtins.get(`_${name}/1`)
      if (native === undefined) throw new Error(`unreachable: ${name} has its native part`)
      emit(native(input, [keyed], evaluator.surroundings), path && null)
    },
  ]),
])

/**
 * Implements `while` and `until` with an explicit stack, so that many iterations do not overflow the call stack. Values are
 * visited depth first.
 */
function loop(
  evaluator: Evaluator,
  test: Expression | undefined,
  next: Expression | undefined,
  scope: Scope | undefined,
  input: Json,
  path: Path | null | undefined,
  emit: Emit,
  isUntil: boolean,
): void {
  if (test === undefined || next === undefined) return
  let pending: (readonly [Json, Path | null | undefined])[] = [[input, path]]
  while (pending.length > 0) {
    evaluator.surroundings.checkStop()
    const [value, at] = pending.pop() ?? [null, undefined]
    let holds = false
    evaluator.each(test, scope, value, result => {
      holds = isTrue(result)
    })
    if (holds === isUntil) {
      if (isUntil) emit(value, at)
      continue
    }
    if (!isUntil) emit(value, at)
    const following: (readonly [Json, Path | null | undefined])[] = []
    evaluator.run(next, scope, value, at, (result, where) => following.push([result, where]))
    pending = pending.concat(following.toReversed())
  }
}
