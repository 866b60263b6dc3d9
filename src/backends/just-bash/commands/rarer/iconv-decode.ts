// Texts from the bytes of an encoding, in parts of bounded size.

import { characterStart, inParts, type Pace } from '../pace.ts'

/** The name of an encoding that is built, or a decoder of the platform. */
export type Codec = string | TextDecoder

/** What CP1252 has in place of the control characters from 0x80 to 0x9f; a dot is a gap. */
export const westernLetters = '€.‚ƒ„…†‡ˆ‰Š‹Œ.Ž..‘’“”•–—˜™š›œ.žŸ'

export interface Decoded {
  readonly text: string
  readonly isWhole: boolean
  /** The input ends within a character. */
  readonly isCut: boolean
}

const bytesAtOnce = 64 * 1024

/** Decodes up to the first invalid byte, or with `skips` what is around invalid bytes. */
export async function decode(bytes: Uint8Array, codec: Codec, pace: Pace, skips = false): Promise<Decoded> {
  if (typeof codec !== 'string') return decodeBy(codec, bytes, skips, pace)
  if (codec === 'UTF-8') return decodeBy(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }), bytes, skips, pace)
  if (codec === 'ASCII' || codec === 'ISO-8859-1' || codec === 'CP1252') return decodeSingleBytes(bytes, codec, skips, pace)
  return decodeUnits(bytes, codec, skips, pace)
}

async function decodeSingleBytes(bytes: Uint8Array, codec: string, skips: boolean, pace: Pace): Promise<Decoded> {
  const parts: string[] = []
  let isWhole = true
  await inParts(
    bytes.length,
    pace,
    (from, to) => {
      const letters: string[] = []
      for (let at = from; at < to && isWhole; at++) {
        const byte = bytes[at] ?? 0
        const letter = codec === 'CP1252' && byte >> 5 === 4 ? westernLetters.charAt(byte & 31) : String.fromCharCode(byte)
        const isGap = byte > 127 && (codec === 'ASCII' || letter === '.')
        if (!isGap) letters.push(letter)
        else if (!skips) isWhole = false
      }
      parts.push(letters.join(''))
    },
    bytesAtOnce,
  )
  return { text: parts.join(''), isWhole, isCut: false }
}

async function decodeBy(decoder: TextDecoder, bytes: Uint8Array, skips: boolean, pace: Pace): Promise<Decoded> {
  const whole = await decodeWhole(decoder.encoding, bytes, pace)
  if (whole !== undefined) return { text: whole, isWhole: true, isCut: false }
  const parts: string[] = []
  let at = 0
  /** Bytes before this position are decoded character by character. */
  let slowEnd = 0
  while (at < bytes.length) {
    // In other encodings than UTF-8 the start of a character is found by decoding only.
    if (decoder.encoding === 'utf-8' && at >= slowEnd) {
      const end = Math.max(at + 1, characterStart(bytes, Math.min(bytes.length, at + bytesAtOnce)))
      await pace.rest()
      const part = decodeValid(decoder, bytes.subarray(at, end))
      if (part === undefined) slowEnd = end
      else {
        parts.push(part)
        at = end
        continue
      }
    }
    const { text, length } = decodeOne(decoder, bytes, at)
    if (pace.isDue(charactersCost)) await pace.rest()
    if (text === undefined && (!skips || isCutAt(bytes, at)))
      return { text: parts.join(''), isWhole: false, isCut: isCutAt(bytes, at) }
    if (text !== undefined) parts.push(text)
    at += length
  }
  return { text: parts.join(''), isWhole: true, isCut: false }
}

async function decodeWhole(encoding: string, bytes: Uint8Array, pace: Pace): Promise<string | undefined> {
  // A decoder that has thrown in a stream is not as it was.
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  const parts: string[] = []
  try {
    for (let at = 0; at < bytes.length; at += bytesAtOnce) {
      parts.push(decoder.decode(bytes.subarray(at, at + bytesAtOnce), { stream: true }))
      if (pace.isDue(4 * bytesAtOnce)) await pace.rest()
    }
    parts.push(decoder.decode())
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
  return parts.join('')
}

/** Decoding one character may throw several errors, which costs more than a byte. */
const charactersCost = 64

/** The character at `at`; without `text` a byte that is invalid. */
function decodeOne(decoder: TextDecoder, bytes: Uint8Array, at: number): { readonly text?: string; readonly length: number } {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
    const text = decodeValid(decoder, bytes.subarray(at, at + length))
    if (text !== undefined) return { text, length }
  }
  return { length: 1 }
}

function decodeValid(decoder: TextDecoder, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    // The decoder is fatal: the bytes are invalid.
    return undefined
  }
}

/** The bytes end within the UTF-8 character that begins at `at`. */
function isCutAt(bytes: Uint8Array, at: number): boolean {
  const lead = bytes[at] ?? 0
  const needed = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  return at + needed > bytes.length && bytes.subarray(at + 1, at + needed).every(byte => byte >> 6 === 2)
}

const loneHalf = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

async function decodeUnits(bytes: Uint8Array, codec: string, skips: boolean, pace: Pace): Promise<Decoded> {
  const size = codec.startsWith('UTF-16') ? 2 : 4
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  let isLittle = !codec.endsWith('BE')
  if (!/[LB]E$/.test(codec) && bytes.length >= size) {
    const isMark = (little: boolean): boolean => (size === 2 ? view.getUint16(0, little) : view.getUint32(0, little)) === 0xfeff
    if (isMark(true) || isMark(false)) {
      isLittle = isMark(true)
      at = size
    }
  }
  const parts: string[] = []
  while (at + size <= bytes.length) {
    let part = ''
    let isValid = true
    // A part does not end between the two halves of a character.
    for (let unit = 0, end = at + bytesAtOnce; at + size <= bytes.length && (at < end || unit >> 10 === 0x36); at += size) {
      unit = size === 2 ? view.getUint16(at, isLittle) : view.getUint32(at, isLittle)
      isValid = size === 2 || (unit <= 0x10ffff && (unit < 0xd800 || unit >= 0xe000))
      if (!isValid) break
      part += size === 2 ? String.fromCharCode(unit) : String.fromCodePoint(unit)
    }
    const isLast = at + size > bytes.length
    const cutAt = isValid && isLast && part.charCodeAt(part.length - 1) >> 10 === 0x36 ? part.length - 1 : part.length
    const lone = part.slice(0, cutAt).search(loneHalf)
    if (skips) parts.push(part.slice(0, cutAt).replaceAll(loneHalf, ''))
    else parts.push(part.slice(0, lone < 0 ? cutAt : lone))
    if (!skips && (!isValid || lone >= 0)) return { text: parts.join(''), isWhole: false, isCut: false }
    if (cutAt < part.length) return { text: parts.join(''), isWhole: false, isCut: true }
    if (!isValid) at += size
    if (pace.isDue(bytesAtOnce)) await pace.rest()
  }
  return { text: parts.join(''), isWhole: at === bytes.length, isCut: at !== bytes.length }
}
