import { joinBytesInText, readEscape } from '../../syntax/ansi-quotes.ts'
import { print, type Builtin } from './builtin.ts'

export const echo: Builtin = async (shell, args) => {
  let isLine = true
  let escapes = shell.hasShopt('xpg_echo')
  let index = 0
  for (; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (!/^-[neE]+$/.test(arg)) break
    for (const letter of arg.slice(1)) {
      if (letter === 'n') isLine = false
      else escapes = letter === 'e'
    }
  }
  const text = args.slice(index).join(' ')
  const end = isLine ? '\n' : ''
  if (!escapes || !text.includes('\\')) return print(shell, text + end)
  const decoded = decodeEscapes(text)
  return print(shell, decoded.isCut ? decoded.text : decoded.text + end)
}

/** Decodes the escapes of `echo -e` and `printf %b`. `\c` ends all output. Only `printf %b` accepts `\101` (`octal: 'both'`). */
export function decodeEscapes(
  text: string,
  octal: 'after-zero' | 'both' = 'after-zero',
): { readonly text: string; readonly isCut: boolean } {
  let result = ''
  for (let at = 0; at < text.length;) {
    const escape = text.indexOf('\\', at)
    if (escape !== at) {
      const end = escape < 0 ? text.length : escape
      result += text.slice(at, end)
      at = end
      continue
    }
    if (text.charAt(at + 1) === 'c') return { text: joinBytesInText(result), isCut: true }
    const { value, length } = readEscape(text, at, octal)
    result += value ?? '\\'
    at += length
  }
  return { text: joinBytesInText(result), isCut: false }
}
