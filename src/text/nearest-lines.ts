// Finds the lines of a text that are most similar to some wanted lines, to show them to a model if the text that it named is missing.

const maxTextLines = 20_000
const maxWantedLines = 40
const minLikeness = 0.6
const shownLines = 6
const shownCharacters = 160

/** Some rows `N: text`, or `undefined` if nothing is similar to the wanted lines. The work is limited: a large text is not searched. */
export function findNearestLines(text: string, wanted: readonly string[]): string | undefined {
  const keys = wanted.slice(0, maxWantedLines).map(line => wordsOf(line))
  while (keys.length > 1 && keys.at(-1)?.size === 0) keys.pop()
  const first = keys.findIndex(key => key.size > 0)
  const lines = text.split(/\r?\n/)
  if (first === -1 || lines.length > maxTextLines) return undefined
  const textKeys = lines.map(line => wordsOf(line))
  let best = { start: 0, likeness: 0 }
  for (let start = 0; start + keys.length <= Math.max(lines.length, keys.length); start++) {
    // Most places differ in the first significant line, which is fast to check.
    if (likeness(keys[first], textKeys[start + first]) === 0 && keys.length < 3) continue
    let sum = 0
    let weight = 0
    for (const [index, key] of keys.entries()) {
      if (key.size === 0) continue
      sum += likeness(key, textKeys[start + index]) * key.size
      weight += key.size
    }
    if (sum / weight > best.likeness) best = { start, likeness: sum / weight }
  }
  if (best.likeness < minLikeness) return undefined
  const end = Math.min(lines.length, best.start + Math.min(keys.length, shownLines))
  return lines
    .slice(best.start, end)
    .map(
      (line, index) =>
        `${best.start + index + 1}: ${line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line}`,
    )
    .join('\n')
}

/** The words and signs of a line, each as often as it occurs. */
function wordsOf(line: string): ReadonlySet<string> {
  const counts = new Map<string, number>()
  const words = new Set<string>()
  for (const [word] of line.slice(0, 1000).matchAll(/\w+|[^\s\w]/g)) {
    const count = (counts.get(word) ?? 0) + 1
    counts.set(word, count)
    words.add(`${word} ${count}`)
  }
  return words
}

/** 0 for nothing in common, 1 for the same words. */
function likeness(one: ReadonlySet<string> | undefined, other: ReadonlySet<string> | undefined): number {
  if (one === undefined || other === undefined || one.size + other.size === 0) return 0
  let common = 0
  for (const word of one) if (other.has(word)) common++
  return (2 * common) / (one.size + other.size)
}
