// The lexer for dates and times as people write them.

export type Token =
  | { readonly kind: 'word'; readonly text: string }
  /** `isSigned`: a sign precedes the number, possibly with blanks between. `fraction`: nanoseconds, if there is a decimal point. */
  | {
      readonly kind: 'number'
      readonly value: number
      readonly digits: number
      readonly isSigned: boolean
      readonly fraction?: number
    }
  | { readonly kind: 'mark'; readonly text: string }

/** `undefined` if a comment in parentheses is not closed. */
export function tokensOf(text: string): readonly Token[] | undefined {
  const tokens: Token[] = []
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at)
    const comment = /^\([^()]*\)/.exec(rest)
    const number = /^(?:([-+])\s*)?(\d+)(?:[.,](\d+))?/.exec(rest)
    const word = /^[a-z](?:[a-z.]*)/i.exec(rest)
    if (/^[\s]/.test(rest)) at += 1
    else if (comment !== null) at += comment[0].length
    else if (rest.startsWith('(')) return undefined
    else if (number !== null) {
      at += number[0].length
      tokens.push(numberToken(number))
    } else if (word !== null) {
      at += word[0].length
      tokens.push({ kind: 'word', text: word[0].toLowerCase() })
    } else {
      at += 1
      // A sign without a number is ignored.
      if (!/^[-+]/.test(rest)) tokens.push({ kind: 'mark', text: rest.charAt(0) })
    }
  }
  return tokens
}

function numberToken([, sign, digits = '', fraction]: RegExpExecArray): Token {
  const value = Number(digits) * (sign === '-' ? -1 : 1)
  const token = { kind: 'number', value, digits: digits.length, isSigned: sign !== undefined } as const
  return fraction === undefined ? token : { ...token, fraction: Number(fraction.slice(0, 9).padEnd(9, '0')) }
}
