// Converts shell patterns to regular expressions: `*`, `?`, bracket expressions with character classes, and extended patterns. A
// quoted character is preceded by a backslash.

import { ownValue } from '../../../core/record.ts'

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
  const flags = options.ignoresCase === true ? 'sui' : 'su'
  const key = `${flags}${source}`
  const known = cache.get(key)
  if (known !== undefined) return known
  const compiled = compile(source, flags)
  if (cache.size >= maxCached) cache.clear()
  cache.set(key, compiled)
  return compiled
}

const nothing = /[^\s\S]/

/** A bracket expression without an equivalent, such as a reversed range, matches nothing. */
function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags)
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
  readonly #finds: boolean
  #at = 0
  #foundCount = 0

  /** `finds`: see `#between`. */
  constructor(pattern: string, { isExtended = false, isPath = false }: PatternOptions, isLazy: boolean, finds = !isPath) {
    this.#finds = finds
    this.#pattern = pattern
    this.#isExtended = isExtended
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
            source += escapeRegex(quoted)
          }
          break
        }
        default:
          source += escapeRegex(character)
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
    if (!this.#finds || source === '') return this.#many + source
    const name = `found${this.#foundCount++}`
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
        // Matches any text that none of the alternatives match, up to where the rest of the pattern matches.
        const rest = new Translator(
          this.#pattern.slice(this.#at),
          { isExtended: true, isPath: this.#any !== '.' },
          false,
          // Names would be there twice.
          false,
        ).translate()
        return `(?:(?!(?:${inner})${rest}$)${this.#any}*)`
      }
    }
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
      const named = /^\[([:.=])([^\]]*?)\1\]/.exec(this.#pattern.slice(at, at + 40))
      if (named !== null) {
        const [all, kind, name = ''] = named
        body += kind === ':' ? (ownValue(classes, name) ?? '') : escapeInBracket(name)
        at += all.length
        continue
      }
      if (character === '\\' && at + 1 < this.#pattern.length) {
        const quoted = String.fromCodePoint(this.#pattern.codePointAt(at + 1) ?? 0)
        body += escapeInBracket(quoted)
        at += 1 + quoted.length
        continue
      }
      const whole = String.fromCodePoint(this.#pattern.codePointAt(at) ?? 0)
      at += whole.length
      const isRange = whole === '-' && body !== '' && this.#pattern[at] !== ']'
      body += isRange ? '-' : escapeInBracket(whole)
    }
    this.#at = at + 1
    if (body === '') return isNegated ? this.#any : '[^\\s\\S]'
    return `${this.#any === '.' ? '' : '(?!/)'}[${isNegated ? '^' : ''}${body}]`
  }
}

function escapeInBracket(text: string): string {
  return text.replace(/[\\\]^[&~!#$%*+,./:;<=>?@`{|}()-]/g, character =>
    /[\\\]^[/{|}()-]/.test(character) ? `\\${character}` : character,
  )
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
