// The engine's `\b` knows ASCII words only. Text is rewritten so that it is right for all of Unicode: each word character beyond
// ASCII is put between underscores, which are ASCII word characters, and an underscore of the text becomes a stand-in between two.
// The pattern is printed to match (print.ts). Reading from the start, whole characters can be told from parts of one: `_` always
// opens or closes three.

import { wordClass } from '../../search/regex/unicode.ts'

export const markCodePoint = 0x5f
/** Stands for an underscore of the text. A noncharacter (Unicode 23.7): text that holds it is not matched there. */
export const underscoreCodePoint = 0xfdd0

let wrappable: RegExp | undefined

export function markWords(text: string): string {
  wrappable ??= new RegExp(`_|(?![\\0-\\x7f])[${wordClass}]`, 'gu')
  return text.replace(wrappable, character => `_${character === '_' ? String.fromCodePoint(underscoreCodePoint) : character}_`)
}
