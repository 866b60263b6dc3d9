// The order in which `for (key in array)` visits keys: PROCINFO["sorted_in"] if set, else insertion order.

import { AwkError } from './error.ts'
import { compare, InputText, toNumber, type AwkArray, type Value } from './values.ts'

export function orderedKeys(array: AwkArray, order: string, textOf: (value: Value) => string): readonly string[] {
  const keys = [...array.keys()]
  if (order === '' || order === '@unsorted') return keys
  const [, by, kind, direction] = /^@(ind|val)_(str|num|type)_(asc|desc)$/.exec(order) ?? []
  if (by === undefined)
    throw new AwkError(`PROCINFO["sorted_in"]: \`${order}' is not available here; use @ind_str_asc and its like`)
  const valueOf = (key: string): Value => (by === 'ind' ? new InputText(key) : array.get(key))
  const sorted = keys.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)]
    const result =
      kind === 'num'
        ? toNumber(a) - toNumber(b) || compareText(textOf(a), textOf(b))
        : kind === 'str'
          ? compareText(textOf(a), textOf(b))
          : compareByType(a, b, textOf)
    return result || compareText(one, other)
  })
  return direction === 'desc' ? sorted.toReversed() : sorted
}

export function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** Numbers sort before strings. */
export function compareByType(one: Value, other: Value, textOf: (value: Value) => string): number {
  const [a, b] = [isNumeric(one), isNumeric(other)]
  return a === b ? compare(one, other, textOf) : a ? -1 : 1
}

function isNumeric(value: Value): boolean {
  return value === undefined || typeof value === 'number' || (value instanceof InputText && value.number !== undefined)
}
