// Sorts by code point, as Python sorts text. UTF-16 order puts characters beyond U+FFFF before some smaller ones.

export function byCodePoint(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let index = 0; index < shorter; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

/** Unpaired surrogates come last. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
