// The text to search in a file: unpacked, and in UTF-8.

import { ownValue } from '../../core/record.ts'

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
  return encoder.encode(inOwnTable(bytes, label) ?? platformText(bytes, label))
}

/** Whether `label` is one of the standard of encodings. It has one that decodes only to an error, which is none here. */
export function isEncodingLabel(label: string): boolean {
  if (Object.hasOwn(ownTables, label)) return true
  try {
    return new TextDecoder(label).encoding !== 'replacement'
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function platformText(bytes: Uint8Array, label: string): string {
  const decoder = new TextDecoder(label)
  const text = inOwnTable(bytes, decoder.encoding) ?? decoder.decode(bytes)
  // Node decodes two letters as those of KOI8-R.
  return decoder.encoding === 'koi8-u' ? text.replaceAll('╝', 'ў').replaceAll('╬', 'Ў') : text
}

/** Encodings that some versions of Node do not know, or decode as control characters: what differs from Latin 1, from a byte on. */
const ownTables: Readonly<Record<string, readonly [from: number, characters: string]>> = {
  'windows-1252': [0x80, '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'],
  'iso-8859-16': [0xa1, 'ĄąŁ€„Š\xa7š©Ș«Ź\xadźŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ'],
  'x-user-defined': [0x80, String.fromCharCode(...Array.from({ length: 128 }, (_, index) => 0xf780 + index))],
}

function inOwnTable(bytes: Uint8Array, encoding: string): string | undefined {
  const [from, characters] = ownValue(ownTables, encoding) ?? []
  if (from === undefined || characters === undefined) return undefined
  return textOfBytes(bytes).replaceAll(/[\x80-\xff]/g, byte => characters[byte.charCodeAt(0) - from] ?? byte)
}

/** A character for each byte, from U+0000 to U+00FF. */
export function textOfBytes(bytes: Uint8Array): string {
  const parts: string[] = []
  const sizeOfPart = 8192
  for (let start = 0; start < bytes.length; start += sizeOfPart)
    parts.push(String.fromCharCode(...bytes.subarray(start, start + sizeOfPart)))
  return parts.join('')
}
