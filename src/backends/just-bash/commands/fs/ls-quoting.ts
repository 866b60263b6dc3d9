// How ls shows the characters of names that a line of text cannot hold, as GNU's does with -N, -b, -Q, -q and --quoting-style.

import { escapedCharacter, quotedName } from '../quoted-name.ts'
import type { Arguments } from '../options.ts'

const styles = [
  'literal',
  'shell',
  'shell-always',
  'shell-escape',
  'shell-escape-always',
  'c',
  'escape',
  'locale',
  'clocale',
] as const
type Style = (typeof styles)[number]

const styleLetters: Readonly<Record<string, Style>> = { N: 'literal', b: 'escape', Q: 'c' }

/** Control characters, and the lone surrogates that stand for bytes outside of UTF-8. */
// eslint-disable-next-line no-control-regex
const unprintable = /[\x00-\x1f\x7f-\x9f\ud800-\udfff]/gu

/** Shows a name or the target of a link. In the title of a directory, which ends in a colon, colons are escaped too. */
export type ShowName = (name: string, isTitle?: boolean) => string

/** The last option decides. Returns an error message for a style that is not built. */
export function showNames({ options }: Arguments, usual: Style = 'literal'): ShowName | string {
  let style: Style = usual
  let hidesUnprintable = false
  for (const { name, value } of options) {
    const ofLetter = styleLetters[name]
    if (ofLetter !== undefined) style = ofLetter
    else if (name === 'q') hidesUnprintable = true
    else if (name === 'show') hidesUnprintable = false
    else if (name === 'quoting') {
      const named = styles.find(each => each === value)
      if (named === undefined) return `invalid argument '${value}' for '--quoting-style'; valid are ${styles.join(', ')}`
      style = named
    }
  }
  const shell = (name: string): string => (style.includes('escape') ? quotedName(name) : shellQuoted(name))
  switch (style) {
    case 'literal':
      return hidesUnprintable ? name => name.replace(unprintable, '?') : name => name
    case 'escape':
      return (name, isTitle) => escaped(name, isTitle ? /[\\:]/g : /[\\ ]/g)
    case 'shell':
    case 'shell-escape':
      return name => (needsQuotes.test(name) ? shell(name) : name)
    case 'shell-always':
    case 'shell-escape-always':
      return shell
    case 'locale':
    case 'clocale':
      return name => `\u2018${escaped(name, /\\|\u2019/g)}\u2019`
    case 'c':
      return (name, isTitle) => `"${escaped(name, isTitle ? /["\\:]/g : /["\\]/g)}"`
  }
}

// eslint-disable-next-line no-control-regex
const needsQuotes = /^$|^[#~]|^[{}]$|[\x00-\x20!"$&'()*;<=>?[\\^`|\x7f]/

/** Without escapes for control characters. */
function shellQuoted(name: string): string {
  return name.includes("'") && !/["$`\\!]/.test(name) ? `"${name}"` : `'${name.replaceAll("'", "'\\''")}'`
}

/** Whether a name of a shell style stands in quotes. */
export function isQuoted(shown: string): boolean {
  return /^["']/.test(shown)
}

function escaped(name: string, special: RegExp): string {
  return name.replace(special, '\\$&').replace(unprintable, escapedCharacter)
}
