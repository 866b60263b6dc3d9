// A change from one text to another in the form of the toolsets that name the old text, computed independently of the tested code.

/** The fewest whole lines of `before` that occur only once, and their replacement. `undefined` if nothing changes. */
export function uniqueEdit(before: string, after: string): { readonly oldText: string; readonly newText: string } | undefined {
  if (before === after) return undefined
  const shorter = Math.min(before.length, after.length)
  let prefix = 0
  while (prefix < shorter && before[prefix] === after[prefix]) prefix++
  let suffix = 0
  while (suffix < shorter - prefix && before.at(-1 - suffix) === after.at(-1 - suffix)) suffix++
  let start = lineStart(before, prefix)
  let end = lineEnd(before, before.length - suffix)
  for (;;) {
    const oldText = before.slice(start, end)
    const isUnique = oldText !== '' && before.indexOf(oldText) === before.lastIndexOf(oldText)
    if (isUnique) return { oldText, newText: after.slice(start, after.length - (before.length - end)) }
    if (start === 0 && end === before.length) return undefined
    start = lineStart(before, start - 1)
    end = lineEnd(before, end)
  }
}

/** Where the line that contains `at` begins. */
function lineStart(text: string, at: number): number {
  // For a position below 0, lastIndexOf would check position 0.
  return at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

/** The position after the next line feed from `from` on. */
function lineEnd(text: string, from: number): number {
  const feed = text.indexOf('\n', from)
  return feed === -1 ? text.length : feed + 1
}
