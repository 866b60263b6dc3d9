// Work on lists of any length. `list.push(...items)` and `Math.max(...numbers)` pass every item on the stack, which overflows from
// about a hundred thousand items on.

/** Adds `items` at the end of `list`. */
export function pushAll<T>(list: T[], items: readonly T[]): void {
  for (const item of items) list.push(item)
}

export function largest(numbers: Iterable<number>, least: number = 0): number {
  let found = least
  for (const number of numbers) if (number > found) found = number
  return found
}
