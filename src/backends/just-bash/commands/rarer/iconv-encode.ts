// The bytes of a text in an encoding, made in parts of bounded size.

import { joinBytes } from '../../../../core/bytes.ts'
import { encodeText } from '../../../../shell/byte-text.ts'
import { partsOf, type Pace } from '../pace.ts'
import { type Codec, westernLetters } from './iconv-decode.ts'

export interface Way {
  readonly drops: boolean
  readonly replaces: boolean
}

export interface Encoded {
  readonly bytes: Uint8Array
  /** The index of the first character that the encoding lacks. */
  readonly stop: number | undefined
  readonly hasDropped: boolean
}

const charactersAtOnce = 32 * 1024

export async function encode(text: string, codec: Codec, { drops, replaces }: Way, pace: Pace): Promise<Encoded> {
  if (typeof codec === 'string' && codec.startsWith('UTF-')) {
    const bytes = codec === 'UTF-8' ? await utf8(text, pace) : await units(text, codec, pace)
    return { bytes, stop: undefined, hasDropped: false }
  }
  const byteOf = bytesOf(codec)
  const parts: Uint8Array[] = []
  let index = 0
  let hasDropped = false
  for (const part of partsOf(text, charactersAtOnce)) {
    const bytes: number[] = []
    for (const letter of part) {
      const byte = byteOf(letter)
      if (byte !== undefined) bytes.push(byte)
      else if (replaces) for (const plain of plainText(letter)) bytes.push(byteOf(plain) ?? 63)
      else if (drops) hasDropped = true
      else return { bytes: joinBytes([...parts, Uint8Array.from(bytes)]), stop: index, hasDropped }
      index += letter.length
    }
    parts.push(Uint8Array.from(bytes))
    // A character costs more than a byte that is copied.
    if (pace.isDue(4 * part.length)) await pace.rest()
  }
  return { bytes: joinBytes(parts), stop: undefined, hasDropped }
}

/** How many bytes of `codec` a text has. */
export async function encodedLength(text: string, codec: Codec, pace: Pace): Promise<number> {
  return typeof codec === 'string'
    ? (await encode(text, codec, { drops: true, replaces: false }, pace)).bytes.length
    : text.length
}

async function utf8(text: string, pace: Pace): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for (const part of partsOf(text)) {
    parts.push(encodeText(part))
    if (pace.isDue(4 * part.length)) await pace.rest()
  }
  return joinBytes(parts)
}

async function units(text: string, codec: string, pace: Pace): Promise<Uint8Array> {
  const isWide = codec.startsWith('UTF-32')
  const isLittle = !codec.endsWith('BE')
  const marked = /[LB]E$/.test(codec) || text === '' ? text : `\ufeff${text}`
  const parts: Uint8Array[] = []
  for (const part of partsOf(marked, charactersAtOnce)) {
    const values = isWide ? Array.from(part, letter => letter.codePointAt(0) ?? 0) : undefined
    const count = values?.length ?? part.length
    const bytes = new Uint8Array(count * (isWide ? 4 : 2))
    const view = new DataView(bytes.buffer)
    for (let at = 0; at < count; at++)
      if (values === undefined) view.setUint16(at * 2, part.charCodeAt(at), isLittle)
      else view.setUint32(at * 4, values[at] ?? 0, isLittle)
    parts.push(bytes)
    if (pace.isDue(4 * part.length)) await pace.rest()
  }
  return joinBytes(parts)
}

function bytesOf(codec: Codec): (letter: string) => number | undefined {
  if (typeof codec === 'string') {
    const most = codec === 'ASCII' ? 127 : 255
    return letter => {
      const point = letter.codePointAt(0) ?? 0
      if (codec === 'CP1252' && point > 127 && (point < 160 || point > 255)) {
        const at = westernLetters.indexOf(letter)
        return at < 0 ? undefined : 128 + at
      }
      return point <= most ? point : undefined
    }
  }
  const bytes = new Map<string, number>()
  for (let byte = 255; byte >= 0; byte--)
    try {
      bytes.set(codec.decode(Uint8Array.of(byte)), byte)
    } catch {
      // No character has this byte.
    }
  return letter => bytes.get(letter)
}

export function isSingleByte(codec: TextDecoder): boolean {
  return /^(?:windows-|iso-8859-|koi8|ibm|macintosh|x-mac)/.test(codec.encoding)
}

/** What stands for a character in ASCII, as with //TRANSLIT. */
function plainText(letter: string): string {
  const known: Readonly<Record<string, string>> = {
    '\u2018': "'",
    '\u2019': "'",
    '\u201c': '"',
    '\u201d': '"',
    '\u2013': '-',
    '\u2014': '--',
    '\u2026': '...',
    '\u20ac': 'EUR',
    '\u00a0': ' ',
    '\u00df': 'ss',
    '\u00e6': 'ae',
    '\u00c6': 'AE',
  }
  const base = letter.normalize('NFD').replace(/\p{M}/gu, '')
  return known[letter] ?? (base === letter ? '?' : base)
}
