// Whether a text is one expression of SQL, so that it can stand in brackets without leaving them. What it does is judged by SQLite itself.

/** What is wrong with `text` as the inside of one pair of brackets, or `undefined`. */
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
