// Shared by all parts of the evaluation: values with their paths, the environment of a program, and early exits.

import { isArray, isObject, type Json } from './json.ts'
import type { Path } from './paths.ts'
import { JqError, textOf, withType } from './values.ts'

/** `path` is `undefined` if no paths are requested, and `null` if the value is not part of the input. */
export type Emit = (value: Json, path: Path | null | undefined) => void

export interface Surroundings {
  /** The next input; `undefined` after the last one. */
  readonly input: () => Json | undefined
  readonly inputName: () => Json
  readonly inputLine: () => number
  readonly env: ReadonlyMap<string, Json>
  readonly stderr: (text: string) => void
  /** Throws if the script must end. */
  readonly checkStop: () => void
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

export function iterate(value: Json, path: Path | null | undefined, emit: Emit): void {
  if (path === null && (isArray(value) || isObject(value)))
    throw new JqError(`Invalid path expression with result ${shownLong(value)}`)
  if (isArray(value)) for (const [index, item] of value.entries()) emit(item, path && [...path, index])
  else if (isObject(value)) for (const [key, item] of value) emit(item, path && [...path, key])
  else throw new JqError(`Cannot iterate over ${value === null ? 'null' : withType(value)}`)
}

export function shownLong(value: Json): string {
  const text = textOf(value)
  return text.length > 30 ? `${text.slice(0, 27)}...` : text
}

export function isBreak(value: Json): boolean {
  return isObject(value) && value.get('__jq') !== undefined
}

export function catchBreak(mark: object, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof Break) || error.mark !== mark) throw error
  }
}

/** Runs `work` until it calls `stop`. */
export function firstOnly(work: (stop: () => never) => void): void {
  const mark = {}
  catchBreak(mark, () =>
    work(() => {
      throw new Break(mark)
    }),
  )
}
