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

/** Formats a text for the command `l`: escapes it unambiguously and breaks long lines. A width of 0 disables line breaks. */
export function listed(text: string, width: number, lineEnd: string): string {
  let output = ''
  let column = 0
  for (const byte of encodeText(text)) {
    const shown = named[byte] ?? (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`)
    if (width > 0 && column + shown.length > width - 1) {
      output += `\\${lineEnd}`
      column = 0
    }
    output += shown
    column += shown.length
  }
  return `${output}$`
}
