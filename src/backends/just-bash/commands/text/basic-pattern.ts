// A basic regular expression (POSIX, with GNU's additions) written as an extended one.

const swapped: ReadonlySet<string> = new Set(['(', ')', '{', '}', '|', '+', '?'])

/** `a\+` becomes `a+`, `a+` becomes `a\+`, and an asterisk, `^` or `$` that means itself is escaped. */
export function extendedPattern(basic: string): string {
  let output = ''
  // Where an expression begins: an asterisk there is a character, and `^` is an anchor.
  let isBegin: boolean = true
  for (let at = 0; at < basic.length; at++) {
    const character = basic.charAt(at)
    const wasBegin: boolean = isBegin
    isBegin = false
    if (character === '\\') {
      at += 1
      const next = basic.charAt(at)
      if (next === '<' || next === '>') output += '\\b'
      else output += swapped.has(next) ? next : `\\${next}`
      isBegin = next === '(' || next === '|'
    } else if (character === '[') {
      const end = endOfBracket(basic, at)
      output += basic.slice(at, end)
      at = end - 1
    } else if (swapped.has(character)) output += `\\${character}`
    else if (character === '*') output += wasBegin ? '\\*' : '*'
    else if (character === '^') {
      output += wasBegin ? '^' : '\\^'
      isBegin = wasBegin
    } else if (character === '$') output += /^(?:$|\\[)|])/.test(basic.slice(at + 1)) ? '$' : '\\$'
    else output += character
  }
  return output
}

/** A pattern that finds exactly `text`. */
export function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** Behind the bracket that closes the set at `start`; its first character may be one, and classes hold others. */
export function endOfBracket(pattern: string, start: number): number {
  const found = /^\[\^?\]?(?:\[:\w+:\]|\[=.=\]|\[\..\.\]|[^\]])*\]/.exec(pattern.slice(start))
  return found === null ? pattern.length : start + found[0].length
}
