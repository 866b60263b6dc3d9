// Sorting and grouping of jq, in steps, so that others can run while a long array is sorted.

import { isArray, type Json } from './json.ts'
import { compareJson } from './order.ts'
import { JqError, withType } from './values.ts'

interface Keyed {
  readonly key: Json
  readonly value: Json
}

/** The items of `input` with their keys; an item without one is its own key. */
export function keyedBy(input: Json, keys: readonly Json[] = []): readonly Keyed[] {
  if (!isArray(input)) throw new JqError(`${withType(input)} cannot be sorted, as it is not an array`)
  return input.map((value, index) => ({ key: keys[index] ?? value, value }))
}

const runLength = 256

export function* sortedBy(items: readonly Keyed[], isDue: () => boolean): Generator<undefined, readonly Keyed[]> {
  let runs: Keyed[][] = []
  for (let at = 0; at < items.length; at += runLength) {
    runs.push(items.slice(at, at + runLength).sort((one, other) => compareJson(one.key, other.key)))
    for (let item = 0; item < runLength; item++) if (isDue()) yield
  }
  while (runs.length > 1) {
    const longer: Keyed[][] = []
    for (let index = 0; index < runs.length; index += 2)
      longer.push(yield* merged(runs[index] ?? [], runs[index + 1] ?? [], isDue))
    runs = longer
  }
  return runs[0] ?? []
}

/** Of equal items, those of `first` come first. */
function* merged(first: readonly Keyed[], second: readonly Keyed[], isDue: () => boolean): Generator<undefined, Keyed[]> {
  const result: Keyed[] = []
  let at = 0
  for (const one of first) {
    for (let other = second[at]; other !== undefined && compareJson(other.key, one.key) < 0; other = second[at]) {
      result.push(other)
      at += 1
      if (isDue()) yield
    }
    result.push(one)
    if (isDue()) yield
  }
  for (let other = second[at]; other !== undefined; other = second[at]) {
    result.push(other)
    at += 1
  }
  return result
}

export function groupsBy(sorted: readonly Keyed[]): Json[][] {
  const result: Json[][] = []
  let last: Json | undefined
  for (const { key, value } of sorted) {
    if (last === undefined || compareJson(last, key) !== 0) result.push([])
    result.at(-1)?.push(value)
    last = key
  }
  return result
}
