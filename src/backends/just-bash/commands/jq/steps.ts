// Shared by all parts of the evaluation: values with their paths, the environment of a program, pauses and early exits.

import { isArray, isObject, printJson, type Json } from './json.ts'
import type { Path } from './paths.ts'
import { JqError, withType } from './values.ts'

/**
 * Work that pauses at each step, so that others can run; `undefined` if it is done already. Whoever gets it returns it or runs it to its end
 * before anything else. Most expressions hand on the work of what they call, so only loops have a generator.
 */
export type Steps = Generator<undefined, void> | undefined

/** `path` is `undefined` if no paths are requested, and `null` if the value is not part of the input. */
export type Emit = (value: Json, path: Path | null | undefined) => Steps

export interface Surroundings {
  /** The next input; `undefined` after the last one. */
  readonly input: () => Generator<undefined, Json | undefined>
  readonly inputName: () => Json
  readonly inputLine: () => number
  readonly env: ReadonlyMap<string, Json>
  readonly stderr: (text: string) => void
  /** Called for each turn of a loop, which pauses if it is true. Throws if the script must end. */
  readonly isDue: () => boolean
  readonly timeZone: string
}

/** Thrown by `break`; `mark` identifies the `label`. */
export class Break extends Error {
  readonly mark: object

  constructor(mark: object) {
    super('break')
    this.mark = mark
  }
}

export function* iterate(
  value: Json,
  path: Path | null | undefined,
  { isDue }: Surroundings,
  emit: Emit,
): Generator<undefined, void> {
  if (path === null) throw offPath(value, {})
  if (!isArray(value) && !isObject(value)) throw new JqError(`Cannot iterate over ${value === null ? 'null' : withType(value)}`)
  for (const [key, item] of value.entries()) {
    const steps = emit(item, path && [...path, key])
    if (steps !== undefined) yield* steps
    if (isDue()) yield
  }
}

const none: readonly undefined[] = []

/** Passes the value of `work` to `use`. Work without a pause needs no steps of its own. */
export function whenDone<T>(work: Generator<undefined, T>, use: (value: T) => Steps): Steps {
  const first = work.next()
  return first.done === true ? use(first.value) : whenRestDone(work, use)
}

function* whenRestDone<T>(work: Generator<undefined, T>, use: (value: T) => Steps): Generator<undefined, void> {
  yield
  yield* finished(use(yield* work))
}

/** For `yield*`: runs `steps` to their end. */
export function finished(steps: Steps): Iterable<undefined> {
  return steps ?? none
}

export function* inOrder(...parts: readonly (() => Steps)[]): Generator<undefined, void> {
  for (const part of parts) {
    const steps = part()
    if (steps !== undefined) yield* steps
  }
}

/** The error of a step from a value that is at no path. */
export function offPath(value: Json, attempt?: { readonly key?: Json }): JqError {
  const way =
    attempt === undefined
      ? 'with result'
      : attempt.key === undefined
        ? 'near attempt to iterate through'
        : `near attempt to access element ${shortened(attempt.key, 14)} of`
  return new JqError(`Invalid path expression ${way} ${shortened(value, 29)}`)
}

function shortened(value: Json, size: number): string {
  const text = printJson(value)
  return text.length > size ? `${text.slice(0, size - 3)}...` : text
}

export function isBreak(value: Json): boolean {
  return isObject(value) && value.get('__jq') !== undefined
}

export function* catchBreak(mark: object, work: () => Steps): Generator<undefined, void> {
  try {
    const steps = work()
    if (steps !== undefined) yield* steps
  } catch (error) {
    if (!(error instanceof Break) || error.mark !== mark) throw error
  }
}

/** Runs `work` until it calls `stop`. */
export function firstOnly(work: (stop: () => never) => Steps): Generator<undefined, void> {
  const mark = {}
  return catchBreak(mark, () =>
    work(() => {
      throw new Break(mark)
    }),
  )
}
