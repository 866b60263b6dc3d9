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
  space: String.raw` \t-\r`,
  blank: String.raw` \t`,
  punct: String.raw`!-\/:-@\[-\`{-~`,
  cntrl: String.raw`\x00-\x1f\x7f`,
  print: String.raw`\x20-\x7e`,
  graph: String.raw`\x21-\x7e`,
  xdigit: '0-9A-Fa-f',
}
/** Behind a backslash. `\s` of JavaScript takes a part of some letters in UTF-8 for a blank. */
const escapes: Readonly<Record<string, string>> = {
  s: String.raw`[ \t-\r]`,
  S: String.raw`[^ \t-\r]`,
  w: String.raw`\w`,
  W: String.raw`\W`,
}
/** These match a place, and nothing can repeat them. */
const places: Readonly<Record<string, string>> = {
  b: String.raw`\b`,
  B: String.raw`\B`,
  '<': String.raw`\b(?=\w)`,
  '>': String.raw`\b(?<=\w)`,
  '`': String.raw`(?<![^])`,
  "'": '(?![^])',
}
/** What JavaScript reads in another way than Perl; it refuses the rest that it does not know. */
const onlyPerl = /\\[A-Zaceghklopuvyz](?<!\\[BDSW])|\[\^?\]|\[[^\]]*\[:/
const mostRepetitions = 32_767

export function posixPattern(source: string, kind: PatternKind, flags: string): RegExp {
  try {
    if (kind === 'fixed') return new RegExp(literal(source), flags)
    if (kind !== 'perl') return new RegExp(translate(source, kind === 'extended', flags.includes('m')), flags)
    if (onlyPerl.test(source)) throw new SyntaxError('an escape or class of Perl')
    return new RegExp(source, `${flags}s`)
  } catch {
    throw fatal(`invalid regular expression${kind === 'perl' ? ', or one that only Perl reads' : ''}: ${source}`)
  }
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}

/** The result of a translation, with where the last thing in it begins that can be repeated. */
class Translated {
  text = ''
  last: number | undefined
  isRepeated = false
  /** Where `^` is an anchor in a basic expression. */
  isAtStart = true

  add(text: string): void {
    this.last = this.text.length
    this.isRepeated = false
    this.isAtStart = false
    this.text += text
  }

  addPlace(text: string): void {
    this.text += text
    this.last = undefined
    this.isAtStart = true
  }

  repeat(sign: string): void {
    const start = this.last ?? 0
    if (this.isRepeated) this.text = `${this.text.slice(0, start)}(?:${this.text.slice(start)})`
    this.text += sign
    this.isRepeated = true
  }
}

/** `isByLine`: a line feed ends a line for `^` and `$`. For JavaScript, a carriage return would too. */
function translate(source: string, isExtended: boolean, isByLine: boolean): string {
  const result = new Translated()
  let groupCount = 0
  const open: { readonly number: number; readonly start: number }[] = []
  const closed = new Set<number>()
  for (let at = 0; at < source.length;) {
    const isEscaped = source[at] === '\\'
    const sign = source[isEscaped ? at + 1 : at]
    if (sign === undefined) throw new SyntaxError('a backslash at the end')
    at += isEscaped ? 2 : 1
    const isOperator = '(){|+?'.includes(sign) ? isEscaped !== isExtended : !isEscaped
    if (isEscaped && !isOperator) {
      if (/[1-9]/.test(sign)) {
        if (!closed.has(Number(sign))) throw new SyntaxError('a reference to no group')
        result.add(`(?:\\${sign})`)
      } else if (Object.hasOwn(places, sign)) {
        result.addPlace(ownValue(places, sign) ?? '')
        result.isAtStart = false
      } else result.add(ownValue(escapes, sign) ?? literal(sign))
    } else if (sign === '[') {
      const { text, end } = bracket(source, at)
      result.add(text)
      at = end
    } else if (sign === '.') result.add(String.raw`[^\n\0]`)
    else if (sign === '(' && isOperator) {
      open.push({ number: ++groupCount, start: result.text.length })
      result.addPlace('(')
    } else if (sign === ')' && isOperator && (open.length > 0 || !isExtended)) {
      const group = open.pop()
      if (group === undefined) throw new SyntaxError('a group that was not opened')
      result.add(')')
      result.last = group.start
      closed.add(group.number)
    } else if (sign === '|' && isOperator) result.addPlace('|')
    else if (sign === '^' && (isExtended || result.isAtStart)) result.addPlace(isByLine ? String.raw`(?<![^\n])` : '^')
    else if (sign === '$' && (isExtended || /^(?:$|\\[|)])/.test(source.slice(at))))
      result.addPlace(isByLine ? String.raw`(?![^\n])` : '$')
    else if (!isOperator || !'*+?{'.includes(sign)) result.add(literal(sign))
    else if (result.last === undefined || (!isExtended && result.isRepeated && '*{'.includes(sign))) {
      if (isExtended || sign === '{' || result.last !== undefined) throw new SyntaxError('nothing to repeat')
      result.add(literal(sign))
    } else if (sign === '{') {
      const [whole, least, comma, most] = (isExtended ? /^(\d*)(,?)(\d*)\}/ : /^(\d*)(,?)(\d*)\\\}/).exec(source.slice(at)) ?? []
      if (whole === undefined || (least === '' && comma === '')) throw new SyntaxError('a number that is none')
      if (Math.max(Number(least), Number(most)) > mostRepetitions) throw new SyntaxError('too many repetitions')
      at += whole.length
      result.repeat(`{${Number(least)}${comma}${most}}`)
    } else result.repeat(sign)
  }
  if (open.length > 0) throw new SyntaxError('an open group')
  return result.text
}

/** The set of characters behind a `[`, and where the pattern goes on. */
function bracket(source: string, start: number): { readonly text: string; readonly end: number } {
  const isNegated = source[start] === '^'
  const first = isNegated ? start + 1 : start
  let at = first
  /** One character, or a class of them. */
  const element = (): { readonly text: string; readonly character: string | undefined } => {
    const [sign = '', kind = ''] = [source[at], source[at + 1]]
    if (sign !== '[' || !':.='.includes(kind) || kind === '') {
      at++
      return { text: setCharacter(sign), character: sign }
    }
    const close = source.indexOf(`${kind}]`, at + 2)
    const name = source.slice(at + 2, close)
    const found = kind === ':' ? ownValue(classes, name) : name.length === 1 ? setCharacter(name) : undefined
    if (close === -1 || found === undefined) throw new SyntaxError('an unknown class')
    at = close + 2
    return { text: found, character: kind === '.' ? name : undefined }
  }
  let inside = ''
  while (at === first || source[at] !== ']') {
    if (at >= source.length) throw new SyntaxError('an open class')
    if (at > first && source[at] === '-' && source[at + 1] !== ']') throw new SyntaxError('a range without a start')
    const from = element()
    inside += from.text
    if (source[at] !== '-' || source[at + 1] === ']') continue
    at++
    const to = element()
    // JavaScript refuses a range whose end comes before its start.
    if (from.character === undefined || to.character === undefined) throw new SyntaxError('a range of classes')
    inside += `-${to.text}`
  }
  return { text: isNegated ? `[^${inside}\\n]` : `[${inside}]`, end: at + 1 }
}

function setCharacter(character: string): string {
  return /[\\\]^[-]/.test(character) ? `\\${character}` : character
}
