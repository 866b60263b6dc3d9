// The text to search in a file: unpacked, and in UTF-8.

export type TextOfFile =
  | { readonly kind: 'text'; readonly bytes: Uint8Array }
  | { readonly kind: 'problem'; readonly message: string }

/** The content of a compressed file; the name tells the format. A file of no known format is returned as it is. */
export type Unpack = (name: string, bytes: Uint8Array) => TextOfFile

const encoder = new TextEncoder()

/** `encoding` is a label, `auto` or `none`, see {@link RgOptions}. */
export function textOfFile(name: string, stored: Uint8Array, encoding: string, unpack?: Unpack): TextOfFile {
  const unpacked: TextOfFile = unpack === undefined ? { kind: 'text', bytes: stored } : unpack(name, stored)
  return unpacked.kind === 'text' ? { kind: 'text', bytes: inUtf8(unpacked.bytes, encoding) } : unpacked
}

function inUtf8(bytes: Uint8Array, encoding: string): Uint8Array {
  if (encoding === 'none') return bytes
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return decoded(bytes.subarray(3), encoding)
  // A byte order mark of UTF-16 overrides any label, one of UTF-8 does not.
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
  return decoded(bytes, marked ?? encoding)
}

function decoded(bytes: Uint8Array, label: string): Uint8Array {
  if (label === 'auto') return bytes
  const decoder = new TextDecoder(label)
  return encoder.encode(decoder.encoding === 'windows-1252' ? latinText(bytes) : decoder.decode(bytes))
}

/** Windows-1252 from 0x80 to 0x9f. Some versions of Node decode these bytes as control characters. */
const latinExtras = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

function latinText(bytes: Uint8Array): string {
  return textOfBytes(bytes).replaceAll(/[\x80-\x9f]/g, character => latinExtras[character.charCodeAt(0) - 0x80] ?? character)
}

/** A character for each byte, from U+0000 to U+00FF. */
export function textOfBytes(bytes: Uint8Array): string {
  const parts: string[] = []
  const sizeOfPart = 8192
  for (let start = 0; start < bytes.length; start += sizeOfPart)
    parts.push(String.fromCharCode(...bytes.subarray(start, start + sizeOfPart)))
  return parts.join('')
}
