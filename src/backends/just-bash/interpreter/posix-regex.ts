// POSIX extended regular expressions, as `[[ … =~ … ]]` and `expr` take them, in JavaScript's terms.

const classes: Readonly<Record<string, string>> = {
  alnum: '\\p{L}\\p{Nd}',
  alpha: '\\p{L}',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '\\x21-\\x7e',
  lower: '\\p{Ll}',
  print: '\\x20-\\x7e',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\s',
  upper: '\\p{Lu}',
  xdigit: '0-9A-Fa-f',
}

/** `undefined` for what is none. */
export function compileExtendedRegex(source: string, ignoresCase = false, isAnchored = false): RegExp | undefined {
  try {
    const translated = translate(source)
    return new RegExp(isAnchored ? `^(?:${translated})` : translated, ignoresCase ? 'sui' : 'su')
  } catch {
    return undefined
  }
}

const escapes: Readonly<Record<string, string>> = {
  w: '\\w',
  W: '\\W',
  s: '\\s',
  S: '\\S',
  b: '\\b',
  B: '\\B',
  '<': '\\b(?=\\w)',
  '>': '\\b(?<=\\w)',
}

function translate(source: string): string {
  let result = ''
  for (let at = 0; at < source.length;) {
    const character = source.charAt(at)
    if (character === '\\') {
      const next = source.charAt(at + 1)
      result += escapes[next] ?? (/\d/.test(next) && next !== '0' ? `\\${next}` : escaped(next))
      at += 2
    } else if (character === '[') {
      const bracket = readBracket(source, at)
      result += bracket.text
      at = bracket.end
    } else {
      // A brace that begins no bound is itself; so is a closing one.
      const isBound = character === '{' && /^\{\d*(?:,\d*)?\}/.test(source.slice(at)) && at > 0
      const bound = isBound ? /^\{(\d*)(,?)(\d*)\}/.exec(source.slice(at)) : null
      if (bound !== null) {
        result += `{${bound[1] || '0'}${bound[2]}${bound[3]}}`
        at += bound[0].length
        continue
      }
      const isStray =
        character === '{' ||
        character === '}' ||
        character === ']' ||
        (/[*+?]/.test(character) && (at === 0 || source.charAt(at - 1) === '('))
      result += isStray ? `\\${character}` : character === '/' ? '\\/' : character
      at += 1
    }
  }
  return result
}

function escaped(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character === '' ? '\\\\' : character
}

function readBracket(source: string, start: number): { readonly text: string; readonly end: number } {
  let at = start + 1
  const isNegated = source.charAt(at) === '^'
  if (isNegated) at += 1
  let body = ''
  for (let isFirst = true; ; isFirst = false) {
    const character = source.charAt(at)
    if (character === '') throw new SyntaxError('a bracket is not closed')
    if (character === ']' && !isFirst) break
    const named = /^\[([:.=])(.*?)\1\]/.exec(source.slice(at))
    if (named !== null) {
      body += named[1] === ':' ? (classes[named[2] ?? ''] ?? '') : inBracket(named[2] ?? '')
      at += named[0].length
      continue
    }
    const whole = String.fromCodePoint(source.codePointAt(at) ?? 0)
    const isRange = whole === '-' && !isFirst && source.charAt(at + 1) !== ']'
    body += isRange ? '-' : inBracket(whole)
    at += whole.length
  }
  return { text: `[${isNegated ? '^' : ''}${body}]`, end: at + 1 }
}

function inBracket(text: string): string {
  return text.replace(/[\\\]^[/{|}()-]/g, '\\$&')
}
