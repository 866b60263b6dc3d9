// Converts shell patterns to regular expressions: `*`, `?`, bracket expressions with character classes, and extended patterns. A
// quoted character is preceded by a backslash.

import { ownValue } from '../../../core/record.ts'
import { lastCased } from '../regex/last-cased.ts'

export interface PatternOptions {
  readonly isExtended?: boolean
  readonly ignoresCase?: boolean
  /** The pattern is a component of a path: `*` and `?` do not match a slash. */
  readonly isPath?: boolean
}

const classes: Readonly<Record<string, string>> = {
  alnum: '\\p{L}\\p{Nd}',
  alpha: '\\p{L}',
  ascii: '\\x00-\\x7f',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '\\x21-\\x7e\\u00a1-\\u{10ffff}',
  lower: '\\p{Ll}',
  print: '\\x20-\\x7e\\u00a0-\\u{10ffff}',
  punct: '!-\\/:-@\\[-`\\{-~\\p{P}',
  space: '\\s',
  upper: '\\p{Lu}',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
}

const cache = new Map<string, RegExp>()
const maxCached = 2000

/** Compiles a regular expression for the whole of `pattern`. `wrap` adds the anchors. */
export function compilePattern(pattern: string, options: PatternOptions = {}, wrap: (source: string) => string = whole): RegExp {
  const source = wrap(patternSource(pattern, options).source)
  const known = cache.get(source)
  if (known !== undefined) return known
  const compiled = compile(source)
  if (cache.size >= maxCached) cache.clear()
  cache.set(source, compiled)
  return compiled
}

const nothing = /[^\s\S]/

/** A bracket expression without an equivalent, such as a reversed range, matches nothing. */
function compile(source: string): RegExp {
  try {
    return new RegExp(source, 'su')
  } catch {
    return nothing
  }
}

function whole(source: string): string {
  return `^(?:${source})$`
}

export function hasPatternCharacters(text: string, isExtended: boolean): boolean {
  return /[*?[]/.test(text) || (isExtended && /[@!+]\(/.test(text))
}

/** The patterns that match the same names as `pattern` of those that begin with a dot: only a dot in the pattern matches that dot. */
export function patternsForHidden(pattern: string, isExtended: boolean, seen: Set<string> = new Set()): string[] {
  if (/^\\?\./.test(pattern)) return [pattern]
  // Groups within groups, such as `*(*(a))`, lead back to themselves.
  if (seen.has(pattern)) return []
  seen.add(pattern)
  const group = isExtended ? leadingGroup(pattern) : undefined
  if (group === undefined || group.sign === '!') return []
  const { sign, choices, rest } = group
  const tail = sign === '*' || sign === '+' ? `*(${choices.join('|')})${rest}` : rest
  const found = choices.flatMap(choice => (choice === '' ? [] : patternsForHidden(choice + tail, isExtended, seen)))
  const mayBeEmpty = sign === '*' || sign === '?' || choices.includes('')
  return mayBeEmpty ? [...found, ...patternsForHidden(rest, isExtended, seen)] : found
}

function leadingGroup(pattern: string): { readonly sign: string; readonly choices: string[]; readonly rest: string } | undefined {
  if (!/^[?*+@!]\(/.test(pattern)) return undefined
  const choices = ['']
  let depth = 1
  for (const [part] of pattern.slice(2).matchAll(/\\[^]|\[[!^]?\]?(?:\[:\w+:\]|[^\]])*\]|[^]/g)) {
    if (part === '(') depth += 1
    else if (part === ')') depth -= 1
    if (depth === 0) return { sign: pattern.charAt(0), choices, rest: pattern.slice(2 + choices.join('|').length + 1) }
    if (part === '|' && depth === 1) choices.push('')
    else choices.push((choices.pop() ?? '') + part)
  }
  return undefined
}

/** Escapes every character that is special in patterns. */
export function escapePattern(text: string): string {
  return text.replace(/[\\*?[\]()|@!+-]/g, '\\$&')
}

export function unescapePattern(pattern: string): string {
  return pattern.replace(/\\([^])/gu, '$1')
}

export interface PatternSource {
  readonly source: string
  /** What is before the first star and behind the last one, if it has no groups. A pattern without stars has neither. */
  readonly head: string | undefined
  readonly tail: string | undefined
}

export function patternSource(pattern: string, options: PatternOptions, isLazy = false): PatternSource {
  const translator = new Translator(pattern, options, isLazy)
  const source = translator.translate()
  return { source, head: translator.head, tail: translator.tail }
}

class Translator {
  head: string | undefined
  tail: string | undefined
  readonly #pattern: string
  readonly #isExtended: boolean
  readonly #any: string
  readonly #many: string
  readonly #ignoresCase: boolean
  #at = 0
  #nameCount = 0

  constructor(pattern: string, { isExtended = false, isPath = false, ignoresCase = false }: PatternOptions, isLazy: boolean) {
    this.#pattern = pattern
    this.#isExtended = isExtended
    this.#ignoresCase = ignoresCase
    this.#any = isPath ? '[^/]' : '.'
    this.#many = `${this.#any}*${isLazy ? '?' : ''}`
  }

  translate(isInGroup = false): string {
    let before = ''
    // Since the last star.
    let source = ''
    let hasStar = false
    let isPlain = true
    while (this.#at < this.#pattern.length) {
      const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0)
      if (isInGroup && (character === '|' || character === ')')) break
      if (this.#isExtended && '?*+@!'.includes(character) && this.#pattern[this.#at + 1] === '(' && this.#isClosed()) {
        source += this.#group(character)
        isPlain = false
        continue
      }
      this.#at += character.length
      switch (character) {
        case '*':
          while (this.#pattern[this.#at] === '*' && !(this.#isExtended && this.#pattern[this.#at + 1] === '(')) this.#at += 1
          if (!hasStar && isPlain && !isInGroup) this.head = source
          before += hasStar && isPlain && !isInGroup ? this.#between(source) : (hasStar ? this.#many : '') + source
          hasStar = true
          isPlain = true
          source = ''
          break
        case '?':
          source += this.#any
          break
        case '[':
          source += this.#bracket()
          break
        case '\\': {
          const next = this.#pattern.codePointAt(this.#at)
          if (next === undefined) source += '\\\\'
          else {
            const quoted = String.fromCodePoint(next)
            this.#at += quoted.length
            source += this.#literal(quoted)
          }
          break
        }
        default:
          source += this.#literal(character)
      }
    }
    if (!hasStar) return source
    if (isPlain && !isInGroup) this.tail = source
    return before + this.#many + source
  }

  /**
   * Any text up to the first match of `source`, which is between two stars. No later match needs to be tried, because the second star takes
   * any text: so a pattern with several stars takes no more time than the text is long. What a lookahead has matched is final.
   */
  #between(source: string): string {
    if (this.#any !== '.' || source === '') return this.#many + source
    const name = `found${this.#nameCount++}`
    return `(?=(?<${name}>${this.#any}*?${source}))\\k<${name}>`
  }

  /** Whether a closing parenthesis ends the group that begins here. */
  #isClosed(): boolean {
    let depth = 0
    for (let at = this.#at + 1; at < this.#pattern.length; at++) {
      const character = this.#pattern[at]
      if (character === '\\') at += 1
      else if (character === '(') depth += 1
      else if (character === ')' && (depth -= 1) === 0) return true
    }
    return false
  }

  #group(kind: string): string {
    this.#at += 2
    const choices: string[] = []
    for (;;) {
      choices.push(this.translate(true))
      const end = this.#pattern[this.#at]
      this.#at += 1
      if (end !== '|') break
    }
    const inner = choices.join('|')
    switch (kind) {
      case '?':
        return `(?:${inner})?`
      case '*':
        return `(?:${inner})*`
      case '+':
        return `(?:${inner})+`
      case '@':
        return `(?:${inner})`
      default: {
        // Any text that no alternative matches as a whole. What is ahead of its start and of its end tells where they are.
        const count = this.#nameCount++
        const excluded = `(?!(?:${inner})\\k<end${count}>$)`
        return `(?:(?=(?<start${count}>.*))${this.#many}(?=(?<end${count}>.*))(?<=${excluded}(?=\\k<start${count}>$).*))`
      }
    }
  }

  #literal(character: string): string {
    if (!this.#ignoresCase) return escapeRegex(character)
    const cases = bothCases(character)
    return cases.length === 1 ? escapeRegex(character) : `[${cases.join('')}]`
  }

  /** The character of a bracket expression at `at`, and what is behind it. */
  #bracketCharacter(at: number): readonly [string, number] {
    const from = this.#pattern[at] === '\\' && at + 1 < this.#pattern.length ? at + 1 : at
    const [all] = /^\[([.=])([^\]]*?)\1\]/.exec(this.#pattern.slice(at, at + 40)) ?? []
    if (all !== undefined) return [all.slice(2, -2), at + all.length]
    const character = String.fromCodePoint(this.#pattern.codePointAt(from) ?? 0)
    return [character, from + character.length]
  }

  #bracket(): string {
    const start = this.#at
    let at = start
    const isNegated = this.#pattern[at] === '!' || this.#pattern[at] === '^'
    if (isNegated) at += 1
    let body = ''
    for (let isFirst = true; ; isFirst = false) {
      const character = this.#pattern[at]
      if (character === undefined) {
        // The bracket is not closed, so it is literal.
        return '\\['
      }
      if (character === ']' && !isFirst) break
      const [named, name = ''] = /^\[:([^\]]*?):\]/.exec(this.#pattern.slice(at, at + 40)) ?? []
      if (named !== undefined) {
        body += ownValue(classes, name) ?? ''
        at += named.length
        continue
      }
      const [first, afterFirst] = this.#bracketCharacter(at)
      at = afterFirst
      if (this.#pattern[at] !== '-' || this.#pattern[at + 1] === ']' || this.#pattern[at + 1] === undefined) {
        body += (this.#ignoresCase ? bothCases(first) : [first]).map(escapeInBracket).join('')
        continue
      }
      const [last, afterLast] = this.#bracketCharacter(at + 1)
      at = afterLast
      body += this.#ignoresCase ? rangeInBothCases(first, last) : range(first, last)
    }
    this.#at = at + 1
    if (body === '') return isNegated ? this.#any : '[^\\s\\S]'
    return `${this.#any === '.' ? '' : '(?!/)'}[${isNegated ? '^' : ''}${body}]`
  }
}

function range(first: string, last: string): string {
  return `${escapeInBracket(first)}-${escapeInBracket(last)}`
}

/** Both ends are compared as small letters, as every character is. */
function rangeInBothCases(first: string, last: string): string {
  const [from, to] = [first.toLowerCase(), last.toLowerCase()]
  const least = (text: string): string => (from > text ? from : text)
  const most = (text: string): string => (to < text ? to : text)
  const capitals = [least('a').toUpperCase(), most(to > '\x7f' ? to : 'z').toUpperCase()] as const
  const parts = [[from, most('@')], [least('['), to], capitals] as const
  return parts.flatMap(([start, end]) => (start <= end ? [range(start, end)] : [])).join('')
}

/** As in bash, two characters are equal if their small letters are. */
function bothCases(character: string): readonly string[] {
  const small = smallLetter(character)
  return [small, ...(capitalsOf().get(small) ?? [])]
}

function smallLetter(character: string): string {
  const [small = character] = character.toLowerCase()
  return small
}

let capitals: ReadonlyMap<string, readonly string[]> | undefined

/** The other letters of each small letter. */
function capitalsOf(): ReadonlyMap<string, readonly string[]> {
  if (capitals !== undefined) return capitals
  const made = new Map<string, string[]>()
  for (let codePoint = 65; codePoint <= lastCased; codePoint++) {
    if (codePoint === 0xd800) codePoint = 0xe000
    const character = String.fromCodePoint(codePoint)
    const small = smallLetter(character)
    if (small !== character) made.set(small, [...(made.get(small) ?? []), character])
  }
  capitals = made
  return made
}

function escapeInBracket(text: string): string {
  return text.replace(/[\\\]^[&~!#$%*+,./:;<=>?@`{|}()-]/g, character =>
    /[\\\]^[/{|}()-]/.test(character) ? `\\${character}` : character,
  )
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
