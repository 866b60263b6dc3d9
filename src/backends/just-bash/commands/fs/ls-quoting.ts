// How ls shows the characters of names that a line of text cannot hold, as GNU's does with -N, -b, -Q and -q.

import { escapedCharacter } from '../quoted-name.ts'
import type { Arguments } from '../options.ts'

const styles = ['literal', 'escape', 'c'] as const
type Style = (typeof styles)[number]

const styleLetters: Readonly<Record<string, Style>> = { N: 'literal', b: 'escape', Q: 'c' }

/** Control characters, and the lone surrogates that stand for bytes outside of UTF-8. */
// eslint-disable-next-line no-control-regex
const unprintable = /[\x00-\x1f\x7f-\x9f\ud800-\udfff]/gu

/** Shows a name or the target of a link. In the title of a directory, which ends in a colon, colons are escaped too. */
export type ShowName = (name: string, isTitle?: boolean) => string

/** The last option decides. Returns an error message for a style that is not built. */
export function showNames({ options }: Arguments): ShowName | string {
  let style: Style = 'literal'
  let hidesUnprintable = false
  for (const { name, value } of options) {
    const ofLetter = styleLetters[name]
    if (ofLetter !== undefined) style = ofLetter
    else if (name === 'q') hidesUnprintable = true
    else if (name === 'quoting') {
      const named = styles.find(each => each === value)
      if (named === undefined) return `'${value}' is not a value of '--quoting-style' here; known are ${styles.join(', ')}`
      style = named
    }
  }
  switch (style) {
    case 'literal':
      return hidesUnprintable ? name => name.replace(unprintable, '?') : name => name
    case 'escape':
      return (name, isTitle) => escaped(name, isTitle ? /[\\:]/g : /[\\ ]/g)
    case 'c':
      return (name, isTitle) => `"${escaped(name, isTitle ? /["\\:]/g : /["\\]/g)}"`
  }
}

function escaped(name: string, special: RegExp): string {
  return name.replace(special, '\\$&').replace(unprintable, escapedCharacter)
}
