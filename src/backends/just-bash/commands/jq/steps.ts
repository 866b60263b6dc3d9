// What every part of the evaluation shares: values with their paths, what surrounds a program, and ways to leave early.

import { isArray, isObject, type Json } from './json.ts'
import type { Path } from './paths.ts'
import { JqError, textOf, withType } from './values.ts'

/** `path`: `undefined` where none is asked for, `null` where the value is no part of the input. */
export type Emit = (value: Json, path: Path | null | undefined) => void

export interface Surroundings {
  /** The next input, `undefined` behind the last one. */
  readonly input: () => Json | undefined
  readonly inputName: () => Json
  readonly inputLine: () => number
  readonly env: ReadonlyMap<string, Json>
  readonly stderr: (text: string) => void
  /** Throws where the script must end. */
  readonly checkStop: () => void
  readonly timeZone: string
}

/** What leaves a `label`, with its mark. */
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

/** Runs `work` until it calls what it is given. */
export function firstOnly(work: (stop: () => never) => void): void {
  const mark = {}
  catchBreak(mark, () =>
    work(() => {
      throw new Break(mark)
    }),
  )
}
