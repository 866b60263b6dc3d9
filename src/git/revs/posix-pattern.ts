// Regular expressions as git reads them: basic ones by default, extended with `-E`, plain text with `-F`. Converted to JavaScript's.

import { ownValue } from '../../core/record.ts'
import { fatal } from '../errors.ts'

export type PatternKind = 'basic' | 'extended' | 'fixed' | 'perl'

const classes: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: String.raw`\s`,
  blank: String.raw` \t`,
  punct: String.raw`!-\/:-@\[-\`{-~`,
  cntrl: String.raw`\x00-\x1f\x7f`,
  print: String.raw`\x20-\x7e`,
  graph: String.raw`\x21-\x7e`,
  xdigit: '0-9A-Fa-f',
}

export function posixPattern(source: string, kind: PatternKind, flags: string): RegExp {
  try {
    return new RegExp(
      kind === 'fixed'
        ? source.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
        : kind === 'perl'
          ? source
          : translate(source, kind),
      flags,
    )
  } catch {
    throw fatal(`invalid regular expression: ${source}`)
  }
}

function translate(source: string, kind: 'basic' | 'extended'): string {
  let result = ''
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? ''
    const next = source[at + 1] ?? ''
    if (character === '[') {
      const end = classEnd(source, at)
      if (end === -1) throw new SyntaxError('an open class')
      result += translateClass(source.slice(at + 1, end))
      at = end
    } else if (character === '\\') {
      at++
      if (kind === 'basic' && /[(){}|+?]/.test(next)) result += next
      else if (next === '<' || next === '>') result += next === '<' ? String.raw`\b(?=\w)` : String.raw`\b(?<=\w)`
      else if (/[wWsSbB1-9]/.test(next)) result += `\\${next}`
      else result += /[A-Za-z0-9]/.test(next) ? next : `\\${next}`
    } else if (kind === 'basic' && /[(){}|+?]/.test(character)) result += `\\${character}`
    // A star at the start of a basic expression is an ordinary character.
    else if (kind === 'basic' && character === '*' && (result === '' || result === '^' || result.endsWith('(')))
      result += String.raw`\*`
    else if (character === '{' && !/^\{\d+(?:,\d*)?\}/.test(source.slice(at))) result += String.raw`\{`
    else result += character
  }
  return result
}

function classEnd(source: string, start: number): number {
  let at = start + 1
  if (source[at] === '^') at++
  if (source[at] === ']') at++
  for (; at < source.length; at++) {
    if (source[at] === '[' && /[:.=]/.test(source[at + 1] ?? '')) {
      const close = source.indexOf(`${source[at + 1]}]`, at + 2)
      if (close === -1) return -1
      at = close + 1
    } else if (source[at] === ']') return at
  }
  return -1
}

function translateClass(body: string): string {
  const isNegated = body.startsWith('^')
  const inside = (isNegated ? body.slice(1) : body).replaceAll(
    /\[:(\w+):\]|\[([.=])(.)\2\]|[\\\]^[]/g,
    (whole, name?: string, _sign?: string, single?: string) =>
      name !== undefined ? (ownValue(classes, name) ?? '') : single !== undefined ? `\\${single}` : `\\${whole}`,
  )
  return `[${isNegated ? '^' : ''}${inside}]`
}
