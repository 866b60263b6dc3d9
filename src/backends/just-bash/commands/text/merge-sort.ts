// A stable sort in steps, so that an abort takes effect while millions of lines are sorted.

/** The number of lines that are sorted or merged between checks for an abort. */
export const stepLength = 2_000

/** Like `Array.sort`, with `step` awaited in between. */
export async function sortInSteps<T>(
  values: readonly T[],
  compare: (one: T, other: T) => number,
  step: () => Promise<void>,
): Promise<T[]> {
  let runs: T[][] = []
  for (let at = 0; at < values.length; at += stepLength) {
    runs.push(values.slice(at, at + stepLength).sort(compare))
    await step()
  }
  while (runs.length > 1) {
    const longer: T[][] = []
    for (let index = 0; index < runs.length; index += 2)
      longer.push(await mergeTwo(runs[index] ?? [], runs[index + 1] ?? [], compare, step))
    runs = longer
  }
  return runs[0] ?? []
}

/** Stable merge: of equal elements, those of `first` come first. */
async function mergeTwo<T>(
  first: readonly T[],
  second: readonly T[],
  compare: (one: T, other: T) => number,
  step: () => Promise<void>,
): Promise<T[]> {
  const merged: T[] = []
  const others = second.values()
  let other = others.next()
  for (const one of first) {
    while (other.done !== true && compare(other.value, one) < 0) {
      merged.push(other.value)
      other = others.next()
      if (merged.length % stepLength === 0) await step()
    }
    merged.push(one)
    if (merged.length % stepLength === 0) await step()
  }
  for (; other.done !== true; other = others.next()) {
    merged.push(other.value)
    if (merged.length % stepLength === 0) await step()
  }
  return merged
}
