// The format strings of `hexdump -e` and `-f`.

/** A part of a format: text, or one conversion. */
type Part =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'address'
      readonly flags: string
      readonly width: number
      readonly precision: number | undefined
      readonly radix: string
      readonly isLast: boolean
    }
  | {
      readonly kind: 'value'
      readonly flags: string
      readonly width: number
      readonly precision: number | undefined
      readonly letter: string
      readonly size: number
    }

interface Unit {
  repeats: number
  readonly isCounted: boolean
  readonly sizeBytes: number
  readonly parts: readonly Part[]
}

/** One format string, applied to each block of the input. */
type Format = readonly Unit[]

export interface HexdumpFormats {
  readonly blockBytes: number
  /** Formats a block, which is shorter at the end of the input. */
  readonly show: (block: string, address: number) => string
  /** What `%_A` prints behind the last block. */
  readonly showEnd: (address: number) => string
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', a: '\x07', b: '\b', f: '\f', r: '\r', v: '\v', '0': '\0' }

/** Returns an error message for a format that cannot be read. */
export function readHexdumpFormats(texts: readonly string[]): HexdumpFormats | string {
  const formats: Unit[][] = []
  for (const text of texts) {
    const format = readFormat(text)
    if (typeof format === 'string') return format
    formats.push(format)
  }
  const sizeOf = (format: Format): number => format.reduce((sum, unit) => sum + unit.repeats * unit.sizeBytes, 0)
  const blockBytes = Math.max(1, ...formats.map(sizeOf))
  for (const format of formats) {
    // A last unit without a count is repeated up to the end of the block.
    const last = format.findLast(({ sizeBytes }) => sizeBytes > 0)
    if (last !== undefined && !last.isCounted) last.repeats += Math.floor((blockBytes - sizeOf(format)) / last.sizeBytes)
  }
  return {
    blockBytes,
    show: (block, address) => formats.map(format => showBlock(format, block, address)).join(''),
    showEnd: address =>
      formats
        .flat()
        .filter(({ parts }) => parts.some(part => part.kind === 'address' && part.isLast))
        .map(({ parts }) =>
          parts
            .map(part => (part.kind === 'text' ? part.text : part.kind === 'address' ? showAddress(part, address) : ''))
            .join(''),
        )
        .join(''),
  }
}

function readFormat(text: string): Unit[] | string {
  const units: Unit[] = []
  const bad = `bad format {${text}}`
  let rest = text.trim()
  while (rest !== '') {
    const [whole, count, slash, size, format] = /^(\d*)\s*(\/?)\s*(\d*)\s*"([^"]*)"\s*/.exec(rest) ?? []
    if (whole === undefined || format === undefined || (slash === '' && size !== '')) return bad
    const parts = readParts(format, size === '' || size === undefined ? undefined : Number(size))
    if (typeof parts === 'string') return parts
    if (size !== '' && parts.filter(({ kind }) => kind === 'value').length > 1)
      return 'byte count with multiple conversion characters'
    const sizeBytes = parts.reduce((sum, part) => sum + (part.kind === 'value' ? part.size : 0), 0)
    units.push({ repeats: count === '' ? 1 : Number(count), isCounted: count !== '', sizeBytes, parts })
    rest = rest.slice(whole.length)
  }
  return units
}

function readParts(format: string, given: number | undefined): readonly Part[] | string {
  const parts: Part[] = []
  const pieces = format.matchAll(/%([-#+ 0]*)(\d*)(?:\.(\d+))?(_[aA][dox]|_[cpu]|[^_])|((?:\\[^]|[^%\\])+|[^])/g)
  for (const [whole, flags = '', width = '', precision, conversion, text] of pieces) {
    const shape = { flags, width: Number(width), precision: precision === undefined ? undefined : Number(precision) }
    if (conversion === undefined || conversion === '%')
      parts.push({
        kind: 'text',
        text: conversion === '%' ? '%' : (text ?? '').replace(/\\([^])/g, (_, letter: string) => escapes[letter] ?? letter),
      })
    else if (/^_[aA]/.test(conversion))
      parts.push({ kind: 'address', ...shape, radix: conversion.charAt(2), isLast: conversion.charAt(1) === 'A' })
    else {
      const size = sizeOfConversion(conversion, given, shape.precision)
      if (size === undefined)
        return `'${whole}' is not available here; known are %c, %d, %i, %o, %u, %x, %X, %s, %_a, %_A, %_c, %_p and %_u`
      parts.push({ kind: 'value', ...shape, letter: conversion, size })
    }
  }
  return parts
}

function sizeOfConversion(letter: string, given: number | undefined, precision: number | undefined): number | undefined {
  if (/^(?:c|_[cpu])$/.test(letter)) return given === undefined || given === 1 ? 1 : undefined
  if (letter === 's') return precision ?? given
  if (!/^[dioxuX]$/.test(letter)) return undefined
  return given === undefined ? 4 : [1, 2, 4, 8].includes(given) ? given : undefined
}

function showBlock(format: Format, block: string, address: number): string {
  let text = ''
  let at = 0
  for (const { repeats, parts } of format) {
    if (parts.some(part => part.kind === 'address' && part.isLast)) continue
    for (let turn = 1; turn <= repeats; turn++) {
      // The blanks at the end of a repeated unit stand only between its turns.
      const isLast = repeats > 1 && turn === repeats
      for (const [index, part] of parts.entries()) {
        if (part.kind === 'text')
          text += isLast && index === parts.length - 1 ? part.text.replace(/[ \t\n\v\f\r]+$/, '') : part.text
        else if (part.kind === 'address') text += showAddress(part, address + at)
        else {
          const isBehind = at >= block.length
          text += isBehind ? blank(part) : showValue(part, block.slice(at, at + part.size).padEnd(part.size, '\0'))
          at += part.size
        }
      }
    }
  }
  return text
}

type Value = Extract<Part, { readonly kind: 'value' }>

function blank({ width }: Value): string {
  return ' '.repeat(width)
}

function showAddress({ flags, width, precision, radix }: Extract<Part, { readonly kind: 'address' }>, address: number): string {
  const digits = address.toString(radix === 'x' ? 16 : radix === 'o' ? 8 : 10)
  return padded(precision === undefined ? digits : digits.padStart(precision, '0'), flags, width, precision === undefined)
}

function padded(text: string, flags: string, width: number, mayBeZeros: boolean): string {
  if (flags.includes('-')) return text.padEnd(width)
  return text.padStart(width, flags.includes('0') && mayBeZeros ? '0' : ' ')
}

function showValue(part: Value, bytes: string): string {
  const { letter, flags, width, precision, size } = part
  if (letter === 's') return padded(bytes.replace(/\0[^]*$/, ''), flags, width, false)
  if (letter === 'c') return padded(bytes, flags, width, false)
  if (letter.startsWith('_')) return padded(characterOf(letter.slice(1), bytes), flags, width, false)
  let value = 0n
  for (let index = 0; index < size; index++) value |= BigInt(bytes.charCodeAt(index)) << BigInt(8 * index)
  const signed = letter === 'd' || letter === 'i' ? BigInt.asIntN(size * 8, value) : value
  const radix = letter === 'o' ? 8 : /x/i.test(letter) ? 16 : 10
  const plain = (signed < 0n ? -signed : signed).toString(radix)
  const digits = (letter === 'X' ? plain.toUpperCase() : plain).padStart(precision ?? 1, '0')
  const sign = signed < 0n ? '-' : flags.includes('+') && radix === 10 && letter !== 'u' ? '+' : ''
  const prefix = flags.includes('#') && value !== 0n ? (radix === 16 ? `0${letter}` : radix === 8 ? '0' : '') : ''
  const zeros = flags.includes('0') && !flags.includes('-') && precision === undefined
  return padded(sign + prefix + (zeros ? digits.padStart(width - sign.length - prefix.length, '0') : digits), flags, width, false)
}

const controls =
  'nul soh stx etx eot enq ack bel bs ht lf vt ff cr so si dle dcl dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us'.split(' ')

function characterOf(kind: string, byte: string): string {
  const code = byte.charCodeAt(0)
  const isPrintable = code >= 32 && code < 127
  if (kind === 'p') return isPrintable ? byte : '.'
  if (isPrintable) return byte
  if (kind === 'u') return code === 127 ? 'del' : (controls[code] ?? code.toString(16).padStart(2, '0'))
  const escape = Object.entries(escapes).find(([, character]) => character === byte)
  return escape === undefined ? code.toString(8).padStart(3, '0') : `\\${escape[0]}`
}
