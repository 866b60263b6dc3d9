// Text in an encoding of one byte per character.

import { notBuilt } from '../errors.ts'

/** The character of each byte. `TextDecoder` reads Latin-1 as windows-1252, which differs from it. */
function charactersOf(encoding: string): readonly string[] {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte)
  if (/^(?:iso-?8859-1|iso_8859-1|latin-?1)$/i.test(encoding)) return bytes.map(byte => String.fromCharCode(byte))
  try {
    const decoder = new TextDecoder(encoding)
    const characters = bytes.map(byte => decoder.decode(Uint8Array.of(byte)))
    if (/^(?:iso-?8859|windows|cp125|koi8|ibm866|macintosh)/i.test(encoding)) return characters
  } catch {
    // An encoding that the platform does not know is refused below.
  }
  throw notBuilt(`printing messages in ${encoding}`)
}

/** Text that the encoding cannot express stays as it is, as with git. */
export function singleByteRecoder(encoding: string): (text: string) => string {
  const bytes = new Map(charactersOf(encoding).map((character, byte) => [character, byte]))
  bytes.delete('\uFFFD')
  return text => {
    let result = ''
    for (const character of text) {
      const byte = bytes.get(character)
      if (byte === undefined) return text
      result += byte < 0x80 ? character : String.fromCharCode(0xdc00 + byte)
    }
    return result
  }
}
