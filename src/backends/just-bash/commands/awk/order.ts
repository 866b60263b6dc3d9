// The order in which `for (key in array)` visits elements, and in which `asort` and `asorti` put them.

import { AwkError } from './error.ts'
import { compare, InputText, type Slot, toNumber, type Value } from './values.ts'

export type Element = readonly [key: string, value: Slot]
export type ElementOrder = (one: Element, other: Element) => number

export interface OrderContext {
  readonly textOf: (value: Value) => string
  /** The order that a function of the program gives: its arguments are key, value, key, value. */
  readonly byFunction: (name: string) => ElementOrder
}

/** `order` is `@val_num_asc` and its like, or the name of a function. Elements that compare equal are ordered by their keys. */
export function elementOrder(order: string, { textOf, byFunction }: OrderContext): ElementOrder {
  if (!order.startsWith('@')) return byFunction(order)
  const [, by, kind, direction] = /^@(ind|val)_(str|num|type)_(asc|desc)$/.exec(order) ?? []
  if (by === undefined) throw new AwkError(`the order \`${order}' is not known; use @val_num_asc and its like, or a function`)
  const compareValues = (a: Value, b: Value): number => {
    if (kind === 'num') return toNumber(a) - toNumber(b) || compareText(textOf(a), textOf(b))
    return kind === 'str' ? compareText(textOf(a), textOf(b)) : compareByType(a, b, textOf)
  }
  const ascending: ElementOrder = ([oneKey, oneValue], [otherKey, otherValue]) => {
    const [a, b] = by === 'ind' ? [new InputText(oneKey), new InputText(otherKey)] : [oneValue, otherValue]
    // Arrays are after all scalars.
    const result =
      a instanceof Map || b instanceof Map ? Number(a instanceof Map) - Number(b instanceof Map) : compareValues(a, b)
    return result || compareText(oneKey, otherKey)
  }
  return direction === 'desc' ? (one, other) => ascending(other, one) : ascending
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** Numbers sort before strings. */
function compareByType(one: Value, other: Value, textOf: (value: Value) => string): number {
  const [a, b] = [isNumeric(one), isNumeric(other)]
  return a === b ? compare(one, other, textOf) : a ? -1 : 1
}

function isNumeric(value: Value): boolean {
  return value === undefined || typeof value === 'number' || (value instanceof InputText && value.number !== undefined)
}
