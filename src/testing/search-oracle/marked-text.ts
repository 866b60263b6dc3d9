// The engine's `\b` only knows ASCII words. The text is rewritten so that it is correct for all of Unicode: each non-ASCII word character
// is put between underscores, which are ASCII word characters, and an underscore of the text becomes a replacement character between two
// underscores. The pattern is printed accordingly (print.ts). Read from the start, this is unambiguous: `_` always opens or closes a group
// of three.

import { wordClass } from '../../search/regex/unicode.ts'

export const markCodePoint = 0x5f
/** Replaces an underscore of the text. A noncharacter (Unicode 23.7): texts that contain it are not matched there. */
export const underscoreCodePoint = 0xfdd0

let wrappable: RegExp | undefined

export function markWords(text: string): string {
  wrappable ??= new RegExp(`_|(?![\\0-\\x7f])[${wordClass}]`, 'gu')
  return text.replace(wrappable, character => `_${character === '_' ? String.fromCodePoint(underscoreCodePoint) : character}_`)
}
