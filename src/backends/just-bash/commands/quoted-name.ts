// Names of files in messages, quoted as GNU's programs quote them.

import { encodeText } from '../../../shell/byte-text.ts'

/** Control characters that have a letter, as in C. */
export const letterEscapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
}

/** In single quotes; a name with a single quote in double quotes where that is safe; control characters in `$'…'`. */
export function quotedName(name: string): string {
  // eslint-disable-next-line no-control-regex
  const isPlain = !/[\x00-\x1f\x7f]/.test(name)
  if (isPlain && name.includes("'") && !/["$`\\!]/.test(name)) return `"${name}"`
  const inner = name.replaceAll("'", "'\\''")
  // eslint-disable-next-line no-control-regex
  const shown = isPlain ? inner : inner.replace(/[\x00-\x1f\x7f]+/g, run => `'$'${Array.from(run, escapedCharacter).join('')}''`)
  // Behind an escape at the end, no empty quotes follow.
  return `'${shown}'`.replace(/(?<=\$'[^']*')''$/, '')
}

/** As in `$'…'`: a letter or the octal value of each byte, behind a backslash. */
export function escapedCharacter(character: string): string {
  return letterEscapes[character] ?? Array.from(encodeText(character), byte => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}
