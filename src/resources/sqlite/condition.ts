// Whether a text is one SQL expression, so that it can be put in parentheses and stays inside them. SQLite itself judges its effect.

/** The problem with `text` as the content of one pair of parentheses, or `undefined`. */
export function conditionProblem(text: string): string | undefined {
  let depth = 0
  for (const [token] of text.matchAll(/'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`(?:[^`]|``)*`?|\[[^\]]*\]?|--|\/\*|[();\0]/g)) {
    if (token === '--' || token === '/*') return 'it has a comment'
    if (token === ';') return 'it holds ";"'
    if (token === '\0') return 'it contains a null character'
    if (token === '(') depth++
    else if (token === ')') {
      if (--depth < 0) return 'it closes a bracket that it does not open'
    } else if (!isClosed(token)) return 'a quotation mark is not closed'
  }
  return depth > 0 ? 'it opens a bracket that it does not close' : undefined
}

function isClosed(token: string): boolean {
  if (token.startsWith('[')) return token.endsWith(']')
  const [quote = ''] = token
  return token.length > 1 && (token.split(quote).length - 1) % 2 === 0
}
