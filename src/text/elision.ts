// `// ... existing code ...` in a new text means that lines were omitted. Written to a file, it would delete them.

const marks = String.raw`(?://|#|--|;|%|/\*|<!--|\{/\*|"""|\*)`
const words = String.raw`(?:existing|unchanged|remaining|rest of|other|previous|same|omitted|keep|more)`
const pattern = new RegExp(
  String.raw`^\s*${marks}?\s*(?:\.{3}|…)\s*[^\n]{0,40}\b${words}\b[^\n]{0,60}$|^\s*${marks}\s*[^\n]{0,20}\b${words}\b[^\n]{0,40}(?:\.{3}|…)\s*(?:\*/|-->|\*/\})?\s*$`,
  'i',
)
const maxLineCharacters = 160

/** The first line of `after` that represents omitted lines and is not a line of `before`. */
export function findElision(after: readonly string[], before: readonly string[]): string | undefined {
  const found = after.find(line => line.length <= maxLineCharacters && pattern.test(line))
  if (found === undefined) return undefined
  const known = new Set(before.map(line => line.trim()))
  return after.find(line => line.length <= maxLineCharacters && pattern.test(line) && !known.has(line.trim()))
}
