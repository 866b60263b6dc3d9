// iconv: texts from one encoding to another. UTF-8, UTF-16, UTF-32, ASCII and Latin-1 are built; other encodings are read and
// written by the platform's tables.

import { ownValue } from '../../../../core/record.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { joinBytes } from '../../../../core/bytes.ts'
import { has, parseArguments, valueOf } from '../options.ts'
import { complain, pathToWrite, readNamed } from '../program.ts'
import { reasonOf } from '../../errno.ts'

const table = {
  '-f': 'from=',
  '--from-code': 'from=',
  '-t': 'to=',
  '--to-code': 'to=',
  '-l': 'list',
  '--list': 'list',
  '-c': 'c',
  '-o': 'output=',
  '--output': 'output=',
  '-s': 's',
  '--silent': 's',
  '--verbose': 'verbose',
} as const

const built: Readonly<Record<string, string>> = {
  utf8: 'UTF-8',
  utf16: 'UTF-16',
  utf16le: 'UTF-16LE',
  utf16be: 'UTF-16BE',
  utf32: 'UTF-32',
  utf32le: 'UTF-32LE',
  utf32be: 'UTF-32BE',
  ucs2: 'UTF-16LE',
  ucs4: 'UTF-32BE',
  ascii: 'ASCII',
  usascii: 'ASCII',
  ansix341968: 'ASCII',
  iso88591: 'ISO-8859-1',
  latin1: 'ISO-8859-1',
  l1: 'ISO-8859-1',
  cp1252: 'CP1252',
  windows1252: 'CP1252',
}

/** What CP1252 has in place of the control characters from 0x80 to 0x9f; a dot is a gap. */
const westernLetters = '€.‚ƒ„…†‡ˆ‰Š‹Œ.Ž..‘’“”•–—˜™š›œ.žŸ'

/** Names of encodings that the platform knows under another one. */
const platformNames: Readonly<Record<string, string>> = { latin2: 'iso-8859-2', latin9: 'iso-8859-15', sjis: 'shift_jis' }

type Codec = string | TextDecoder

export async function iconv(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, table)
  if (typeof parsed === 'string') return complain(context, 'iconv', parsed)
  if (has(parsed, 'list')) {
    await context.stdout.write(`${[...new Set(Object.values(built))].map(name => `${name}//`).join('\n')}\n`)
    return 0
  }
  const [fromName, toName] = [valueOf(parsed, 'from') ?? 'UTF-8', valueOf(parsed, 'to') ?? 'UTF-8']
  const [from, to] = [codecOf(fromName), codecOf(toName)]
  if (from === undefined || to === undefined) {
    const wrong = from === undefined ? `conversion from '${fromName}'` : `conversion to '${toName}'`
    return complain(context, 'iconv', `${wrong} is not supported`)
  }
  if (typeof to !== 'string' && !isSingleByte(to))
    return complain(context, 'iconv', `conversion to '${toName}' is not available here; use UTF-8 or UTF-16`)
  const modifiers = toName.toUpperCase().split('/')
  const drops = has(parsed, 'c') || modifiers.includes('IGNORE')
  const replaces = modifiers.includes('TRANSLIT')
  const parts: Uint8Array[] = []
  let code = 0
  for (const name of parsed.operands.length === 0 ? ['-'] : parsed.operands) {
    let bytes: Uint8Array
    try {
      bytes = await readNamed(context, name)
    } catch (error) {
      code = await complain(context, 'iconv', `cannot open input file '${name}': ${reasonOf(error)}`)
      continue
    }
    const decoded = decode(bytes, from)
    const encoded = encode(decoded.text, to, { drops, replaces })
    const stop = decoded.isWhole ? encoded.stop : (encoded.stop ?? decoded.text.length)
    if (!decoded.isWhole && drops) {
      parts.push(encode(decode(bytes, from, true).text, to, { drops, replaces }).bytes)
      continue
    }
    parts.push(encoded.bytes)
    if (stop !== undefined) {
      await context.stdout.write(joinBytes(parts))
      const position = encodedLength(decoded.text.slice(0, stop), from)
      return complain(
        context,
        'iconv',
        encoded.stop === undefined && decoded.isCut
          ? 'incomplete character or shift sequence at end of buffer'
          : `illegal input sequence at position ${position}`,
      )
    }
    // With -c it is no error, but with //IGNORE it is.
    if (encoded.hasDropped && !has(parsed, 'c')) code = 1
  }
  const result = joinBytes(parts)
  const output = valueOf(parsed, 'output')
  if (output === undefined) await context.stdout.write(result)
  else
    try {
      await context.files.writeFile(pathToWrite(context, output), result)
    } catch (error) {
      return complain(context, 'iconv', `unable to open output file: ${reasonOf(error)}`)
    }
  return code
}

function codecOf(given: string): Codec | undefined {
  const name = given.replace(/\/.*$/, '')
  const key = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const known = ownValue(built, key === '' ? 'utf8' : key)
  if (known !== undefined) return known
  try {
    return new TextDecoder(ownValue(platformNames, key) ?? name.toLowerCase(), { fatal: true, ignoreBOM: true })
  } catch {
    // The platform names code pages with another prefix.
  }
  try {
    const page = /^(?:cp|windows)(125\d|874)$/.exec(key)?.[1]
    return page === undefined ? undefined : new TextDecoder(`windows-${page}`, { fatal: true, ignoreBOM: true })
  } catch {
    return undefined
  }
}

interface Decoded {
  readonly text: string
  readonly isWhole: boolean
  /** The input ends within a character. */
  readonly isCut: boolean
}

/** Decodes up to the first invalid byte, or with `skips` what is around invalid bytes. */
function decode(bytes: Uint8Array, codec: Codec, skips = false): Decoded {
  if (typeof codec !== 'string') return decodeBy(codec, bytes, skips)
  if (codec === 'UTF-8') return decodeBy(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }), bytes, skips)
  if (codec === 'ASCII' || codec === 'ISO-8859-1' || codec === 'CP1252') {
    let text = ''
    for (const byte of bytes) {
      const letter = codec === 'CP1252' && byte >> 5 === 4 ? westernLetters.charAt(byte & 31) : String.fromCharCode(byte)
      const isGap = (codec === 'ASCII' && byte > 127) || (byte > 127 && letter === '.')
      if (isGap && !skips) return { text, isWhole: false, isCut: false }
      if (!isGap) text += letter
    }
    return { text, isWhole: true, isCut: false }
  }
  return decodeUnits(bytes, codec)
}

function decodeBy(decoder: TextDecoder, bytes: Uint8Array, skips: boolean): Decoded {
  try {
    return { text: decoder.decode(bytes), isWhole: true, isCut: false }
  } catch {
    // It is decoded piece by piece below.
  }
  let text = ''
  let at = 0
  while (at < bytes.length) {
    let length = 1
    let piece: string | undefined
    for (; length <= 4 && at + length <= bytes.length && piece === undefined; length++)
      try {
        piece = decoder.decode(bytes.subarray(at, at + length))
      } catch {
        // More bytes may complete the character.
      }
    if (piece === undefined) {
      if (!skips) {
        const lead = bytes[at] ?? 0
        const needed = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
        const tail = bytes.subarray(at + 1, at + needed)
        return { text, isWhole: false, isCut: at + needed > bytes.length && tail.every(byte => byte >> 6 === 2) }
      }
      at += 1
    } else {
      text += piece
      at += length - 1
    }
  }
  return { text, isWhole: true, isCut: false }
}

function decodeUnits(bytes: Uint8Array, codec: string): Decoded {
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
  let text = ''
  for (; at + size <= bytes.length; at += size) {
    const unit = size === 2 ? view.getUint16(at, isLittle) : view.getUint32(at, isLittle)
    if (size === 4 && (unit > 0x10ffff || (unit >= 0xd800 && unit < 0xe000))) return { text, isWhole: false, isCut: false }
    text += size === 2 ? String.fromCharCode(unit) : String.fromCodePoint(unit)
  }
  const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.exec(text)
  if (lone !== null) return { text: text.slice(0, lone.index), isWhole: false, isCut: lone.index === text.length - 1 }
  return { text, isWhole: at === bytes.length, isCut: at !== bytes.length }
}

interface Way {
  readonly drops: boolean
  readonly replaces: boolean
}

interface Encoded {
  readonly bytes: Uint8Array
  /** The index of the first character that the encoding lacks. */
  readonly stop: number | undefined
  readonly hasDropped: boolean
}

function encode(text: string, codec: Codec, { drops, replaces }: Way): Encoded {
  if (codec === 'UTF-8') return { bytes: new TextEncoder().encode(text), stop: undefined, hasDropped: false }
  if (typeof codec === 'string' && codec.startsWith('UTF-'))
    return { bytes: units(text, codec), stop: undefined, hasDropped: false }
  const byteOf = bytesOf(codec)
  const bytes: number[] = []
  let index = 0
  let hasDropped = false
  for (const letter of text) {
    const byte = byteOf(letter)
    if (byte !== undefined) bytes.push(byte)
    else if (replaces) for (const plain of plainText(letter)) bytes.push(byteOf(plain) ?? 63)
    else if (drops) hasDropped = true
    else return { bytes: Uint8Array.from(bytes), stop: index, hasDropped }
    index += letter.length
  }
  return { bytes: Uint8Array.from(bytes), stop: undefined, hasDropped }
}

function units(text: string, codec: string): Uint8Array {
  const isWide = codec.startsWith('UTF-32')
  const isLittle = !codec.endsWith('BE')
  const marked = /[LB]E$/.test(codec) ? text : `\ufeff${text}`
  const values = isWide
    ? Array.from(marked, letter => letter.codePointAt(0) ?? 0)
    : Array.from({ length: marked.length }, (_, at) => marked.charCodeAt(at))
  const bytes = new Uint8Array(values.length * (isWide ? 4 : 2))
  const view = new DataView(bytes.buffer)
  for (const [at, value] of values.entries())
    if (isWide) view.setUint32(at * 4, value, isLittle)
    else view.setUint16(at * 2, value, isLittle)
  return bytes
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

function isSingleByte(codec: TextDecoder): boolean {
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

function encodedLength(text: string, codec: Codec): number {
  return typeof codec === 'string' ? encode(text, codec, { drops: true, replaces: false }).bytes.length : text.length
}
