// What an entry of an archive is called, and whether it may be called that. A name decides where bytes go, so what could lead out of the
// directory is refused and never mended.

import { pathProblem } from '../../core/path.ts'
import { damagedZip, unsafeZip } from './limits.ts'

/** The upper half of code page 437, which names had before there was UTF-8. Source: APPNOTE appendix D. */
const codePage437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/** `isUtf8`: the archive says so. Many write UTF-8 without saying it, so what is valid is taken for it. */
export function decodeName(bytes: Uint8Array, isUtf8: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    if (isUtf8) throw damagedZip('a name is no valid UTF-8')
    return Array.from(bytes, byte => (byte < 128 ? String.fromCharCode(byte) : (codePage437[byte - 128] ?? '?'))).join('')
  }
}

/** The parts of a checked name. A directory's ends in '/'. `isWindows`: made where 'c:' is a drive; elsewhere it is a name. */
export function safeParts(name: string, isWindows: boolean): readonly string[] {
  if (name === '' || name === '/') throw unsafeZip(name, 'which is no name')
  if (name.startsWith('/')) throw unsafeZip(name, 'an absolute path')
  if ((isWindows ? /^[a-z]:/i : /^[a-z]:[/\\]/i).test(name)) throw unsafeZip(name, 'a path on another drive')
  const parts = (name.endsWith('/') ? name.slice(0, -1) : name).split('/')
  if (parts.includes('..')) throw unsafeZip(name, "which leads out of its directory with '..'")
  if (parts.includes('') || parts.includes('.')) throw unsafeZip(name, 'a path that is not in its normal form')
  const problem = pathProblem(`/${parts.join('/')}`)
  if (problem !== undefined) throw unsafeZip(name, `where ${problem.reason}`)
  return parts
}
