// Reads, replaces and deletes values at paths.

import { isArray, isObject, type Json, type JsonObject } from './json.ts'
import { compareJson } from './order.ts'
import { indexed, JqError, sliceBounds, typeOf } from './values.ts'

export type Path = readonly Json[]

export function getPath(value: Json, path: Path): Json {
  let at = value
  for (const key of path) {
    if (at === null) return null
    at = indexed(at, key)
  }
  return at
}

const longestArray = 536_870_911

export function setPath(value: Json, path: Path, next: Json): Json {
  return updatePath(value, path, 0, () => next)
}

/** Arrays and objects that one change of many paths has made. It changes them in place, instead of copying a long array for each path. */
export class OwnCopies {
  readonly #made = new Set<Json>()

  /** Call this before `value` is given away: what was made so far can then be seen from elsewhere. */
  giveAway(value: Json): void {
    if (this.#made.has(value)) this.giveAllAway()
  }

  giveAllAway(): void {
    this.#made.clear()
  }

  object(value: JsonObject | null): Map<string, Json> {
    // Only what this class has made is in the set, and it made them changeable.
    return this.#own(value, () => new Map(value ?? [])) as Map<string, Json>
  }

  array(value: readonly Json[] | null): Json[] {
    return this.#own(value, () => [...(value ?? [])]) as Json[]
  }

  appended(value: readonly Json[] | null, items: readonly Json[]): Json[] {
    const all = this.array(value)
    for (const item of items) all.push(item)
    return all
  }

  #own(value: Json, copy: () => Json): Json {
    if (this.#made.has(value)) return value
    const made = copy()
    this.#made.add(made)
    return made
  }
}

export function updatePath(
  value: Json,
  path: Path,
  at: number,
  change: (before: Json) => Json,
  own: OwnCopies = new OwnCopies(),
): Json {
  const key = path[at]
  if (key === undefined) return change(value)
  return put(value, key, updatePath(value === null ? null : indexed(value, key), path, at + 1, change, own), own)
}

function put(value: Json, key: Json, next: Json, own: OwnCopies = new OwnCopies()): Json {
  if (typeof key === 'string' && (value === null || isObject(value))) return own.object(value).set(key, next)
  if (typeof key === 'number' && (value === null || isArray(value))) {
    const array = own.array(value)
    let index = Math.trunc(key)
    if (index < 0) index += array.length
    if (index < 0) throw new JqError('Out of bounds negative array index')
    if (index > longestArray) throw new JqError('Array index too large')
    while (array.length < index) array.push(null)
    array[index] = next
    return array
  }
  if (isObject(key) && (value === null || isArray(value))) {
    if (!isArray(next)) throw new JqError('A slice of an array can only be assigned another array')
    const array = value ?? []
    const [start, end] = sliceBounds(array.length, key.get('start') ?? null, key.get('end') ?? null)
    return [...array.slice(0, start), ...next, ...array.slice(end)]
  }
  if (typeof key === 'string') throw new JqError(`Cannot index ${typeOf(value)} with string "${key}"`)
  throw new JqError(
    isObject(key)
      ? `Cannot update field at object index of ${typeOf(value)}`
      : `Cannot index ${typeOf(value)} with ${typeOf(key)}`,
  )
}

/** Deletes `paths` from last to first, so that no deletion shifts the remaining paths. */
export function deletePaths(value: Json, paths: readonly Path[]): Json {
  const sorted = [...paths].sort((one, other) => compareJson(other, one))
  return sorted.reduce((rest, path) => deletePath(rest, path, 0), value)
}

function deletePath(value: Json, path: Path, at: number): Json {
  const key = path[at]
  if (key === undefined || value === null) return null
  if (at < path.length - 1) {
    const inner = indexed(value, key)
    return inner === null ? value : put(value, key, deletePath(inner, path, at + 1))
  }
  if (isObject(value) && typeof key === 'string') {
    const rest = new Map(value)
    rest.delete(key)
    return rest
  }
  if (isArray(value) && typeof key === 'number') {
    const index = Math.trunc(key) < 0 ? Math.trunc(key) + value.length : Math.trunc(key)
    return value.filter((_, position) => position !== index)
  }
  if (isArray(value) && isObject(key)) {
    const [start, end] = sliceBounds(value.length, key.get('start') ?? null, key.get('end') ?? null)
    return [...value.slice(0, start), ...value.slice(end)]
  }
  throw new JqError(`Cannot delete field at ${typeof key === 'string' ? 'object' : 'array'} index of ${typeOf(value)}`)
}
