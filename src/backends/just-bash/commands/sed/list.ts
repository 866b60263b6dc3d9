import { encodeText } from '../../../../shell/byte-text.ts'

const named: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  92: '\\\\',
}

/** As the command l shows a text: nothing in it is ambiguous, and longer lines are broken. A width of 0 or 1 breaks none. */
export function listed(text: string, width: number, lineEnd: string): string {
  let output = ''
  let column = 0
  for (const byte of encodeText(text)) {
    const shown = named[byte] ?? (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`)
    if (width > 1 && column + shown.length > width - 1) {
      output += `\\${lineEnd}`
      column = 0
    }
    output += shown
    column += shown.length
  }
  return `${output}$`
}
