// od and hexdump: print bytes in the requested formats.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { latin1Bytes, latin1Text } from '../../encoding.ts'
import { ByteWindow, Rows } from '../filter/byte-stream.ts'
import { eachStream } from '../filter/each-input.ts'
import { type Arguments, countOf, has, type OptionTable, optionTable, parseArguments, valueOf } from '../options.ts'
import { complain, readNamed } from '../program.ts'
import { letterEscapes } from '../quoted-name.ts'
import { hexOf, printable } from './xxd.ts'
import { reasonOf } from '../../errno.ts'
import { pushAll } from '../../../../core/many.ts'

const table: OptionTable = optionTable(`
  -A --address-radix: address=, -t --format: type=, -N --read-bytes: length=, -j --skip-bytes: skip=, -w --width: width?,
  --endian: endian=, -v --output-duplicates: all, -a: a, -b: o1, -c: c, -d: u2, -o: o2, -x: x2, -f: f4, -e: f8, -h: x2, -i: d4,
  -l: d8, -s: d2
`)
const shortTypes: ReadonlySet<string> = new Set(['a', 'o1', 'c', 'u2', 'o2', 'x2', 'f4', 'f8', 'd2', 'd4', 'd8'])

interface Format {
  readonly kind: 'a' | 'c' | 'x' | 'o' | 'd' | 'u' | 'f'
  readonly size: 1 | 2 | 4 | 8
  readonly showsText: boolean
}

/**
 * `od [-A d|o|x|n] [-t TYPE]... [-N N] [-j N] [-w N] [-v] [-bcdefox] [FILE]...`. Numbers are little-endian; TYPE is a, c, f4, f8,
 * or d, u, o or x with a size of 1, 2, 4 or 8.
 */
export async function od(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, table)
  if (typeof parsed === 'string') return complain(context, 'od', parsed)
  const formats: Format[] = []
  for (const { name, value } of parsed.options) {
    if (name !== 'type' && !shortTypes.has(name)) continue
    const read = readTypes(name === 'type' ? value : name)
    if (typeof read === 'string') return complain(context, 'od', read)
    pushAll(formats, read)
  }
  if (formats.length === 0) formats.push({ kind: 'o', size: 2, showsText: false })
  const radix = valueOf(parsed, 'address') ?? 'o'
  if (!/^[doxn]$/.test(radix)) return complain(context, 'od', `invalid address radix '${radix}'; it is d, o, x or n`)
  const [skip = 0, length = Infinity, width = 16] = ['skip', 'length', 'width'].map(name => {
    const value = valueOf(parsed, name)
    return value === undefined ? undefined : name === 'width' && value === '' ? 32 : (countOf(value) ?? Number.NaN)
  })
  if ([skip, length, width].some(Number.isNaN) || width < 1 || width > 4096) return complain(context, 'od', 'invalid number')
  const endian = valueOf(parsed, 'endian') ?? 'little'
  if (endian !== 'little' && endian !== 'big')
    return complain(context, 'od', `invalid argument '${endian}' for '--endian'; it is little or big`)
  const address = addressOf(radix)
  const rows = new Rows(
    width,
    has(parsed, 'all'),
    rowOf(formats, width, at => address(skip + at), endian === 'big'),
  )
  const window = new ByteWindow(skip, length)
  return dump(context, 'od', parsed.operands, { rows, window, last: radix === 'n' ? undefined : size => address(skip + size) })
}

interface HexdumpFormat {
  readonly format: Format
  readonly cellWidth: number
}

const hexdumpFormats: Readonly<Record<string, HexdumpFormat>> = {
  usual: { format: { kind: 'x', size: 2, showsText: false }, cellWidth: 4 },
  x: { format: { kind: 'x', size: 2, showsText: false }, cellWidth: 7 },
  d: { format: { kind: 'u', size: 2, showsText: false }, cellWidth: 7 },
  o: { format: { kind: 'o', size: 2, showsText: false }, cellWidth: 7 },
  b: { format: { kind: 'o', size: 1, showsText: false }, cellWidth: 3 },
  c: { format: { kind: 'c', size: 1, showsText: false }, cellWidth: 3 },
}

function hexdumpRow({ format, cellWidth: width }: HexdumpFormat, row: string): string {
  const cells: string[] = []
  for (let from = 0; from < row.length; from += format.size) {
    const text = cell(format, row.slice(from, from + format.size))
    cells.push((format.kind === 'u' ? text.padStart(5, '0') : text).padStart(width))
  }
  return cells.join(' ').padEnd((16 / format.size) * (width + 1) - 1)
}

/** `hexdump [-Cbcdox] [-n N] [-s N] [FILE]...`, and the same for hd. */
export async function hexdump(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    ...optionTable(`
      -C --canonical: canonical, -n --length: length=, -s --skip: skip=, -v --no-squeezing: all, -L --color: color?,
      -e --format: format=, -f --format-file: format-file=, --one-byte-octal: b, --one-byte-char: c, --two-bytes-decimal: d,
      --two-bytes-octal: o, --two-bytes-hex: x
    `),
    ...Object.fromEntries(['b', 'c', 'd', 'o', 'x'].map(letter => [`-${letter}`, letter])),
  })
  if (typeof parsed === 'string') return complain(context, 'hexdump', parsed)
  const chosen = parsed.options.flatMap(({ name }) => hexdumpFormats[name] ?? [])
  const isCanonical = has(parsed, 'canonical')
  const canonicalCount = parsed.options.filter(({ name }) => name === 'canonical').length
  if (isCanonical && (chosen.length > 0 || canonicalCount > 1))
    return complain(context, 'hexdump', '-C cannot be combined with other formats or given twice here; call hexdump twice')
  const formats = chosen.length > 0 ? chosen : [hexdumpFormats['usual']].filter(format => format !== undefined)
  const [skip, length] = [Number(valueOf(parsed, 'skip') ?? 0), Number(valueOf(parsed, 'length') ?? Infinity)]
  if (Number.isNaN(skip) || Number.isNaN(length)) return complain(context, 'hexdump', 'the values of -n and -s must be numbers')
  if (skip > 0 && parsed.operands.length === 0 && context.stdin.isPipe === true)
    return complain(context, 'hexdump', 'stdin: Illegal seek; in a pipe, skip with tail -c')
  const written = await formatTexts(context, parsed)
  if (typeof written === 'string') return complain(context, 'hexdump', written)
  if (written.length > 0) {
    if (isCanonical || chosen.length > 0)
      return complain(context, 'hexdump', '-e cannot be combined with other formats here; call hexdump twice')
    const { readHexdumpFormats } = await import('../rarer/hexdump-formats.ts')
    const own = readHexdumpFormats(written)
    if (typeof own === 'string') return complain(context, 'hexdump', own)
    const rows = new Rows(own.blockBytes, has(parsed, 'all'), (row, at) => own.show(row, skip + at))
    const end = (size: number): string | undefined => own.showEnd(skip + size).replace(/\n$/, '') || undefined
    return dump(context, 'hexdump', parsed.operands, { rows, window: new ByteWindow(skip, length), last: end })
  }
  const address = (at: number): string => (skip + at).toString(16).padStart(isCanonical ? 8 : 7, '0')
  const rows = new Rows(16, has(parsed, 'all'), (row, at) => {
    if (!isCanonical) return formats.map(format => `${address(at)} ${hexdumpRow(format, row)}\n`).join('')
    const hex = hexOf(row)
    return `${address(at)}  ${`${hex.slice(0, 8).join(' ')}  ${hex.slice(8).join(' ')}`.trimEnd().padEnd(48)}  |${printable(row)}|\n`
  })
  const window = new ByteWindow(skip, length)
  return dump(context, 'hexdump', parsed.operands, { rows, window, last: size => (size === 0 ? undefined : address(size)) })
}

/** The texts of -e, and the lines of the files of -f. */
async function formatTexts(context: ShellCommandContext, { options }: Arguments): Promise<readonly string[] | string> {
  const texts: string[] = []
  for (const { name, value } of options) {
    if (name === 'format') texts.push(value)
    if (name !== 'format-file') continue
    try {
      const lines = latin1Text(await readNamed(context, value)).split('\n')
      pushAll(
        texts,
        lines.filter(line => !/^\s*(?:#|$)/.test(line)),
      )
    } catch (error) {
      return `${value}: ${reasonOf(error)}`
    }
  }
  return texts
}

interface Dump {
  readonly rows: Rows
  readonly window: ByteWindow
  /** Formats the address after the last byte. */
  readonly last: ((sizeBytes: number) => string | undefined) | undefined
}

/** Dumps all inputs as one stream. */
async function dump(
  context: ShellCommandContext,
  command: string,
  names: readonly string[],
  { rows, window, last }: Dump,
): Promise<number> {
  let hasInput = false
  const code = await eachStream(context, command, names, async input => {
    hasInput = true
    while (!window.isOver) {
      const piece = await input.read()
      if (piece === undefined) return
      await context.stdout.write(latin1Bytes(rows.take(window.take(latin1Text(piece)))))
    }
  })
  const end = rows.end()
  if (hasInput && !window.hasBegun && !window.isOver && command === 'od')
    return complain(context, command, 'cannot skip past end of combined input')
  const address = hasInput ? last?.(rows.sizeBytes) : undefined
  await context.stdout.write(latin1Bytes(end + (address === undefined ? '' : `${address}\n`)))
  return code
}

function addressOf(radix: string): (at: number) => string {
  if (radix === 'n') return () => ''
  return at => (radix === 'x' ? at.toString(16).padStart(6, '0') : at.toString(radix === 'd' ? 10 : 8).padStart(7, '0'))
}

function rowOf(
  formats: readonly Format[],
  width: number,
  address: (at: number) => string,
  isBigEndian: boolean,
): (row: string, at: number) => string {
  const ordered = (bytes: string, size: number): string =>
    isBigEndian ? Array.from(bytes.padEnd(size, '\0')).toReversed().join('') : bytes
  // The columns of several formats are aligned: each byte is as wide as in the widest format.
  const perByte = formats.reduce((most, format) => Math.max(most, (cellWidth(format) + 1) / format.size), 0)
  return (row, at) =>
    formats
      .map((format, index) => {
        const cells: string[] = []
        for (let from = 0; from < row.length; from += format.size)
          cells.push(
            cell(format, ordered(row.slice(from, from + format.size), format.size)).padStart(Math.ceil(perByte * format.size)),
          )
        const full = Math.ceil(width / format.size) * Math.ceil(perByte * format.size)
        const text = format.showsText ? `${''.padEnd(full - cells.join('').length)}  >${printable(row)}<` : ''
        return `${index === 0 ? address(at) : ''.padStart(address(at).length)}${cells.join('')}${text}\n`
      })
      .join('')
}

/** The names of `-t a` for the ASCII control characters. */
const controls =
  'nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us sp'.split(
    ' ',
  )

/** Only the low seven bits matter. */
function asciiName(byte: number): string {
  const code = byte & 0x7f
  return code === 0x7f ? 'del' : (controls[code] ?? String.fromCharCode(code))
}

const names: Readonly<Record<string, string>> = { '\0': '\\0', ...letterEscapes }

function cell({ kind, size }: Format, part: string): string {
  const byte = part.charCodeAt(0)
  if (kind === 'a') return asciiName(byte)
  if (kind === 'c') return names[part] ?? (byte < 32 || byte > 126 ? byte.toString(8).padStart(3, '0') : part)
  let value = 0n
  for (let index = 0; index < size; index++) value |= BigInt(part.charCodeAt(index) || 0) << BigInt(index * 8)
  if (kind === 'f') return size === 4 ? floatOf(Number(value)) : doubleOf(value)
  if (kind === 'd') return BigInt.asIntN(size * 8, value).toString()
  if (kind === 'u') return value.toString()
  return value.toString(kind === 'x' ? 16 : 8).padStart(kind === 'x' ? size * 2 : Math.ceil((size * 8) / 3), '0')
}

const view = new DataView(new ArrayBuffer(8))

/** Formats a 32-bit float like C's `%g`, with the fewest digits that identify it. */
function floatOf(bits: number): string {
  view.setUint32(0, bits)
  const value = view.getFloat32(0)
  const isSubnormal = Math.abs(value) < 2 ** -126
  for (let digits = isSubnormal ? 1 : 6; digits < 9; digits++)
    if (Math.fround(Number(value.toPrecision(digits))) === value) return general(value, digits)
  return general(value, 9)
}

function doubleOf(bits: bigint): string {
  view.setBigUint64(0, bits)
  const value = view.getFloat64(0)
  const isSubnormal = Math.abs(value) < 2 ** -1022
  for (let digits = isSubnormal ? 1 : 15; digits < 17; digits++)
    if (Number(value.toPrecision(digits)) === value) return general(value, digits)
  return general(value, 17)
}

function general(value: number, digits: number): string {
  const sign = view.getInt8(0) < 0 ? '-' : ''
  if (!Number.isFinite(value)) return sign + (Number.isNaN(value) ? 'nan' : 'inf')
  const [mantissa = '', power = ''] = Math.abs(value)
    .toExponential(digits - 1)
    .split('e')
  const exponent = Number(power)
  const short = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
  if (exponent >= -4 && exponent < digits) return sign + short(Math.abs(value).toFixed(Math.max(0, digits - 1 - exponent)))
  return `${sign}${short(mantissa)}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

function cellWidth({ kind, size }: Format): number {
  if (kind === 'a' || kind === 'c') return 3
  const bits = size * 8
  if (kind === 'x') return size * 2
  if (kind === 'f') return size === 4 ? 15 : 24
  if (kind === 'o') return Math.ceil(bits / 3)
  return (2n ** BigInt(kind === 'u' ? bits : bits - 1)).toString().length + (kind === 'd' ? 1 : 0)
}

function readTypes(text: string): Format[] | string {
  const sizes: Readonly<Record<string, 1 | 2 | 4 | 8>> = { '': 4, '1': 1, '2': 2, '4': 4, '8': 8, C: 1, S: 2, I: 4, L: 8 }
  const formats: Format[] = []
  let rest = text
  while (rest !== '') {
    const [whole, letter, plain, size = '', real, realSize = '', z] =
      /^(?:([ac])|([xodu])([1248CSIL]?)|(f)([48FD]?))(z?)/.exec(rest) ?? []
    if (whole === undefined)
      return `type '${text}' is not available here; known are a, c, f4, f8, and d, u, o or x with 1, 2, 4 or 8`
    if (real !== undefined) {
      formats.push({ kind: 'f', size: /[4F]/.test(realSize) ? 4 : 8, showsText: z === 'z' })
      rest = rest.slice(whole.length)
      continue
    }
    const kind = letter === 'a' || letter === 'c' ? letter : plain === 'x' || plain === 'o' || plain === 'd' ? plain : 'u'
    formats.push({ kind, size: letter !== undefined ? 1 : (sizes[size] ?? 4), showsText: z === 'z' })
    rest = rest.slice(whole.length)
  }
  return formats
}
