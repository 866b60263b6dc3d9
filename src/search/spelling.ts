// How a text may be spelled if case is ignored: besides its two cases in ASCII, `k` may be U+212A (Kelvin sign) and `s` may be U+017F (long
// s), which take more bytes. A search that knows these spellings need not check whether a file contains such letters.

const letterK = 0x6b
const letterS = 0x73
/** In UTF-8. */
const kelvin = [0xe2, 0x84, 0xaa] as const
const longS = [0xc5, 0xbf] as const

const sameByte = Uint8Array.from({ length: 256 }, (_, byte) => byte)
const lowerCase = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte))

/** A text to search for, in bytes. If it is folded, its ASCII letters are lower case and match all their spellings. */
export interface Needle {
  readonly bytes: Uint8Array
  readonly isFolded: boolean
}

const encoder = new TextEncoder()

export function needleOf(text: string, isFolded: boolean): Needle {
  return { bytes: encoder.encode(isFolded ? text.toLowerCase() : text), isFolded }
}

/** The end of a needle that has one length in all its spellings. */
export function fixedEndOf({ bytes, isFolded }: Needle): Uint8Array {
  return isFolded ? bytes.slice(Math.max(bytes.lastIndexOf(letterK), bytes.lastIndexOf(letterS)) + 1) : bytes
}

/** All spellings of the byte of a needle. */
function spellingsOf(byte: number, isFolded: boolean): readonly (readonly number[])[] {
  if (!isFolded || byte < 0x61 || byte > 0x7a) return [[byte]]
  const foreign = byte === letterK ? [kelvin] : byte === letterS ? [longS] : []
  return [[byte], [byte - 32], ...foreign]
}

/** The bytes that may be the needle's last, the one before that, and so on for `count`, in all spellings. */
export function lastBytesOf({ bytes, isFolded }: Needle, count: number): readonly ReadonlySet<number>[] {
  if (!isFolded) return Array.from(bytes.slice(-count).reverse(), byte => new Set([byte]))
  const places = Array.from({ length: count }, () => new Set<number>())
  let distances = new Set([0])
  for (const byte of bytes.slice(-count).reverse()) {
    const next = new Set<number>()
    for (const distance of distances) {
      for (const spelling of spellingsOf(byte, isFolded)) {
        for (const [index, spelled] of spelling.entries()) places[distance + spelling.length - 1 - index]?.add(spelled)
        if (distance + spelling.length < count) next.add(distance + spelling.length)
      }
    }
    distances = next
  }
  return places
}

/** Whether an occurrence of the needle in `haystack` ends at `end` (exclusive) and begins at `begin` or later. */
export function isSpelledUpTo(haystack: Uint8Array, end: number, begin: number, { bytes, isFolded }: Needle): boolean {
  const fold = isFolded ? lowerCase : sameByte
  let at = end - 1
  for (let index = bytes.length - 1; index >= 0; index--) {
    if (at < begin) return false
    const byte = haystack[at] ?? 0
    const wanted = bytes[index]
    if (fold[byte] === wanted) at--
    else if (isFolded && wanted === letterS && byte === longS[1] && haystack[at - 1] === longS[0]) at -= 2
    else if (
      isFolded &&
      wanted === letterK &&
      byte === kelvin[2] &&
      haystack[at - 1] === kelvin[1] &&
      haystack[at - 2] === kelvin[0]
    )
      at -= 3
    else return false
  }
  return at >= begin - 1
}
