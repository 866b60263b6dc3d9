// What an entry of a zip archive is called.

import { damaged } from '../error.ts'

/** The upper half of code page 437, which names had before there was UTF-8. Source: APPNOTE appendix D. */
const codePage437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/** `isUtf8`: the archive says so. Many write UTF-8 without saying it, so what is valid is taken for it. */
export function decodeName(bytes: Uint8Array, isUtf8: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    if (isUtf8) throw damaged('a name is not valid UTF-8')
    return Array.from(bytes, byte => (byte < 128 ? String.fromCharCode(byte) : (codePage437[byte - 128] ?? '?'))).join('')
  }
}
