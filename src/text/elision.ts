// `// ... existing code ...` in a new text means that lines were omitted. Written to a file, it would delete them.

const marks = String.raw`(?://|#|--|;|%|/\*|<!--|\{/\*|"""|\*)`
const words = String.raw`(?:existing|unchanged|remaining|rest of|other|previous|same|omitted|keep|more)`
const pattern = new RegExp(
  String.raw`^\s*${marks}?\s*(?:\.{3}|…)\s*[^\n]{0,40}\b${words}\b[^\n]{0,60}$|^\s*${marks}\s*[^\n]{0,20}\b${words}\b[^\n]{0,40}(?:\.{3}|…)\s*(?:\*/|-->|\*/\})?\s*$`,
  'i',
)
const maxLineCharacters = 160

/** The first line of `after` that represents omitted lines and is not a line of `before`. */
export function findElision(after: string, before: string): string | undefined {
  // Nearly every edit ends here, so that a large file is not split.
  if (!after.includes('...') && !after.includes('…')) return undefined
  const found = linesOf(after).filter(line => line.length <= maxLineCharacters && pattern.test(line))
  if (found.length === 0) return undefined
  const known = new Set(linesOf(before).map(line => line.trim()))
  return found.find(line => !known.has(line.trim()))
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/)
}
