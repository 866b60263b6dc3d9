// The first simple command of a script, read only as far as an interceptor needs: its words and where it redirects its output.
// Substitutions, functions and everything after the first `;`, `&&` or `|` are left alone, on purpose: a rule that guesses about them
// blocks what it does not understand.

export interface FirstCommand {
  /** Without quotes. */
  readonly words: readonly string[]
  /** It writes standard output to a file: `> f`, `>> f`, `>| f`. Not `>&2`. */
  readonly writesFile: boolean
  readonly hasHeredoc: boolean
}

const separators = new Set([';', '|', '\n', '&'])

export function firstCommand(script: string): FirstCommand {
  const words: string[] = []
  let writesFile = false
  let hasHeredoc = false
  let word: string | undefined
  const endWord = (): void => {
    if (word !== undefined) words.push(word)
    word = undefined
  }
  const text = script.trimStart()
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (character === "'" || character === '"') {
      const end = closingQuote(text, index)
      word = `${word ?? ''}${text.slice(index + 1, end)}`
      index = end
    } else if (character === '\\') {
      word = `${word ?? ''}${text.charAt(++index)}`
    } else if (character === '>') {
      const operator = /^>{1,2}\|?&?/.exec(text.slice(index))?.[0] ?? '>'
      if (!operator.endsWith('&') && /\S/.test(text.slice(index + operator.length))) writesFile = true
      // `2>` redirects standard error, which no rule is about; the digit is no word.
      if (word !== undefined && /^\d$/.test(word)) word = undefined
      endWord()
      index += operator.length - 1
    } else if (character === '<') {
      if (text.startsWith('<<', index)) hasHeredoc = true
      endWord()
    } else if (separators.has(character)) {
      break
    } else if (/\s/.test(character)) {
      endWord()
    } else {
      word = `${word ?? ''}${character}`
    }
  }
  endWord()
  return { words, writesFile, hasHeredoc }
}

function closingQuote(text: string, open: number): number {
  const quote = text.charAt(open)
  for (let index = open + 1; index < text.length; index++) {
    if (quote === '"' && text.charAt(index) === '\\') index++
    else if (text.charAt(index) === quote) return index
  }
  return text.length
}

/** What is left of `cd somewhere && rest` or `cd somewhere; rest`; `undefined` when the script does not start so. */
export function withoutLeadingCd(script: string): string | undefined {
  return /^\s*cd\s+(?:"[^"]*"|'[^']*'|[^\s;&|]+)\s*(?:&&|;)([^]*)$/.exec(script)?.[1]
}
