// The sort order of jq: null, false, true, numbers, strings, arrays, objects.

import { compareCodePoints } from './code-points.ts'
import { isArray, isObject, type Json } from './json.ts'

function rank(value: Json): number {
  if (value === null) return 0
  if (value === false) return 1
  if (value === true) return 2
  if (typeof value === 'number') return 3
  if (typeof value === 'string') return 4
  return isArray(value) ? 5 : 6
}

export function compareJson(one: Json, other: Json): number {
  const byKind = rank(one) - rank(other)
  if (byKind !== 0) return byKind
  // NaN sorts before every number.
  if (typeof one === 'number' && typeof other === 'number') return one === other ? 0 : Number.isNaN(one) || one < other ? -1 : 1
  if (typeof one === 'string' && typeof other === 'string') return compareCodePoints(one, other)
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') return 0
  if (isArray(one) && isArray(other)) return compareLists(one, other)
  if (!isObject(one) || !isObject(other)) return 0
  const [keys, otherKeys] = [sortedKeys(one), sortedKeys(other)]
  const byKeys = compareLists(keys, otherKeys)
  if (byKeys !== 0) return byKeys
  return compareLists(
    keys.map(key => one.get(key) ?? null),
    keys.map(key => other.get(key) ?? null),
  )
}

function compareLists(one: readonly Json[], other: readonly Json[]): number {
  for (const [index, value] of one.entries()) {
    const against = other[index]
    if (against === undefined) return 1
    const order = compareJson(value, against)
    if (order !== 0) return order
  }
  return one.length - other.length
}

export function sortedKeys(object: ReadonlyMap<string, Json>): string[] {
  return [...object.keys()].sort(compareCodePoints)
}
