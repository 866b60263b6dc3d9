/** Compares two strings by code points, which is also the order of their UTF-8 bytes. */
export function compareCodePoints(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at++) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)]
    if (a === b) continue
    // Surrogates encode characters above U+FFFF, which sort after all others.
    const [isWide, isOtherWide] = [a >= 0xd800 && a <= 0xdfff, b >= 0xd800 && b <= 0xdfff]
    return isWide === isOtherWide ? a - b : isWide ? 1 : -1
  }
  return one.length - other.length
}
