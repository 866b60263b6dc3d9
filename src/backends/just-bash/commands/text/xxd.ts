// xxd: hex dumps. The read tool suggests it for binary files.

import { joinBytes } from '../../../../core/bytes.ts'
import { inputOf, readAll, type ShellCommandContext, type ShellInput } from '../../../../shell/commands.ts'
import { latin1Bytes, latin1Text } from '../../encoding.ts'
import { ByteWindow, Rows } from '../filter/byte-stream.ts'
import { openInput } from '../filter/input.ts'
import { type Arguments, has, parseArguments, valueOf, optionTable } from '../options.ts'
import { byteTextInParts, paceOf, splitInParts, unitsPerItem, type Pace } from '../pace.ts'
import { complain, pathOf, readNamed } from '../program.ts'
import { reasonOf } from '../../errno.ts'

const xxdOptions = optionTable(`
  -p: plain, -r: revert, -u: upper, -b: bits, -i: include, -e: little, -n: name=, -a: skips-zeros, -d: decimal, -o: offset=,
  -C: capitals, -l: length=, -s: skip=, -c: columns=, -g: group=
`)

/** `xxd [-p] [-r] [-u] [-b] [-e] [-i] [-a] [-d] [-o N] [-l N] [-s N] [-c N] [-g N] [FILE [OUTPUT]]`: converts bytes to hexadecimal, and back with -r. */
export async function xxd(context: ShellCommandContext): Promise<number> {
  // `-ps` and `-postscript` mean -p; `-len 5` means -l 5.
  const usual = context.args.map(arg =>
    /^-(?:ps|plain|postscript)$/.test(arg)
      ? '-p'
      : arg.replace(/^-(?:(l)en|(s)eek|(c)ols|(b)its|(i)nclude|(n)ame|(a)utoskip|(o)ffset|(C)apitalize)$/, '-$1$2$3$4$5$6$7$8$9'),
  )
  const parsed = parseArguments(usual, xxdOptions)
  if (typeof parsed === 'string') return complain(context, 'xxd', parsed)
  const [name = '-', output, ...rest] = parsed.operands
  if (rest.length > 0) return complain(context, 'xxd', 'too many operands')
  const collected: Uint8Array[] = []
  const write = async (bytes: Uint8Array): Promise<void> => {
    if (output === undefined) await context.stdout.write(bytes)
    else collected.push(bytes)
  }
  const writeText: WriteText = async text => write(latin1Bytes(text))
  let input: ShellInput
  try {
    // A negative offset and -r with addresses need the whole input.
    const needsAll = Number(valueOf(parsed, 'skip')) < 0 || (has(parsed, 'revert') && !has(parsed, 'plain'))
    input = needsAll ? inputOf(await readNamed(context, name)) : await openInput(name, context)
  } catch (error) {
    return complain(context, 'xxd', `${name}: ${reasonOf(error)}`, 2)
  }
  const pace = paceOf(context.signal)
  const problem = has(parsed, 'revert') ? await revert(input, parsed, write, pace) : await show(input, parsed, writeText)
  if (problem !== undefined) return complain(context, 'xxd', problem, problem === noSeek ? 4 : 1)
  if (output !== undefined) await context.files.writeFile(pathOf(context, output), joinBytes(collected))
  return 0
}

type Write = (bytes: Uint8Array) => Promise<void>
/** Writes a byte string (one character per byte). */
type WriteText = (text: string) => Promise<void>

/** Returns an error message if the options are invalid. */
async function show(input: ShellInput, parsed: Arguments, write: WriteText): Promise<string | undefined> {
  // The last option that selects the kind of dump applies.
  const kind = parsed.options.findLast(({ name }) => /^(?:plain|bits|include|little)$/.test(name))?.name
  const isPlain = kind === 'plain'
  const numberOf = (option: string, fallback: number): number => Number(valueOf(parsed, option) ?? fallback)
  const isBits = kind === 'bits'
  const isLittle = kind === 'little'
  const isIncluded = kind === 'include'
  const usualColumns = isIncluded ? 12 : isPlain ? 30 : isBits ? 6 : 16
  const [columns, group] = [numberOf('columns', usualColumns), numberOf('group', isBits ? 1 : isLittle ? 4 : 2)]
  const [skip, length] = [numberOf('skip', 0), numberOf('length', Infinity)]
  if (!(columns >= 1 && columns <= 256)) return 'the number of columns is 1 to 256'
  const offset = numberOf('offset', 0)
  if ([group, skip, length, offset].some(Number.isNaN)) return 'the values of -l, -s, -o and -g are numbers'
  const first = skip < 0 ? await input.read() : undefined
  if (-skip > (first?.length ?? 0)) return noSeek
  const begin = skip < 0 ? (first?.length ?? 0) + skip : skip
  const window = new ByteWindow(begin, length)
  let included = ''
  const rows = new Rows(
    columns,
    true,
    isPlain
      ? plainRow
      : (row, at) => dumpRow(row, begin + at + offset, { columns, group, isBits, isLittle, isDecimal: has(parsed, 'decimal') }),
  )
  const zeros = has(parsed, 'skips-zeros') && !isPlain ? new ZeroRows() : undefined
  const shown = (rows: string, isEnd = false): string => {
    const text = zeros === undefined ? rows : zeros.take(rows, isEnd)
    return has(parsed, 'upper') ? upperHex(text, isPlain) : text
  }
  for (let piece = first ?? (await input.read()); piece !== undefined; piece = await input.read()) {
    const part = window.take(latin1Text(piece))
    if (isIncluded) included += part
    else await write(shown(rows.take(part)))
    if (window.isOver) break
  }
  if (!window.hasBegun && skip > 0 && (parsed.operands[0] ?? '-') === '-') return noSeek
  const name = valueOf(parsed, 'name') ?? parsed.operands[0]
  await write(
    isIncluded
      ? includeText(included, columns, {
          name: name === '-' ? undefined : name,
          isUpper: has(parsed, 'upper'),
          hasCapitals: has(parsed, 'capitals'),
        })
      : shown(rows.end(), true),
  )
  return undefined
}

const noSeek = 'Sorry, cannot seek.'
const noDump = 'the input is no dump; -r -p reads plain hexadecimal'

async function revert(input: ShellInput, parsed: Arguments, write: Write, pace: Pace): Promise<string | undefined> {
  const isPlain = has(parsed, 'plain')
  const skip = Number(valueOf(parsed, 'skip') ?? 0)
  if (Number.isNaN(skip) || (isPlain && skip < 0)) return noSeek
  if (skip > mostBytes) return noDump
  if (isPlain && skip > 0) await write(new Uint8Array(skip))
  if (!isPlain) {
    const bytes = await fromDump(await byteTextInParts(await readAll(input), pace), skip, pace)
    if (bytes === undefined) return noDump
    await write(bytes)
    return undefined
  }
  let rest = ''
  for (let piece = await input.read(); piece !== undefined; piece = await input.read()) {
    rest += latin1Text(piece).replace(/\s+/g, '')
    const digits = rest.slice(0, rest.length - (rest.length % 2))
    if (!/^[\da-fA-F]*$/.test(digits)) return noDump
    await write(bytesOfHex(digits))
    rest = rest.slice(digits.length)
    if (pace.isDue(4 * piece.length)) await pace.rest()
  }
  return rest === '' ? undefined : noDump
}

const hexPairs: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export function hexOf(bytes: string): string[] {
  return Array.from(bytes, byte => hexPairs[byte.charCodeAt(0)] ?? '')
}

export function printable(bytes: string): string {
  return bytes.replace(/[^ -~]/g, '.')
}

function bitsOf(bytes: string): string[] {
  return Array.from(bytes, byte => byte.charCodeAt(0).toString(2).padStart(8, '0'))
}

function plainRow(row: string): string {
  return `${hexOf(row).join('')}\n`
}

interface Layout {
  readonly columns: number
  readonly group: number
  readonly isBits: boolean
  /** `-e`: the bytes of a group are in little-endian order. */
  readonly isLittle: boolean
  readonly isDecimal: boolean
}

/** `-a`: writes `*` for the rows of zeros behind the first one, except for the last row of the input. */
class ZeroRows {
  private held: string[] = []
  private isAfterZeros = false

  take(rows: string, isEnd: boolean): string {
    let shown = ''
    for (const row of rows.match(/.*\n/g) ?? []) {
      const isZero = /^\S+: [0 ]+  \.+\n$/.test(row)
      if (isZero && this.isAfterZeros) this.held.push(row)
      else shown += this.release(0) + row
      this.isAfterZeros = isZero
    }
    return isEnd ? shown + this.release(1) : shown
  }

  /** A single row is not worth a star. */
  private release(shownLast: number): string {
    const hidden = this.held.length - shownLast
    const text = hidden > 1 ? `*\n${this.held.slice(hidden).join('')}` : this.held.join('')
    this.held = []
    return text
  }
}

/** Formats bytes as C: an array and its length, or only the numbers if no name is given. */
function includeText(
  bytes: string,
  columns: number,
  { name, isUpper, hasCapitals }: { readonly name: string | undefined; readonly isUpper: boolean; readonly hasCapitals: boolean },
): string {
  const numbers = hexOf(bytes).map(hex => (isUpper ? `0X${hex.toUpperCase()}` : `0x${hex}`))
  const rows: string[] = []
  for (let at = 0; at < numbers.length; at += columns) rows.push(`  ${numbers.slice(at, at + columns).join(', ')}`)
  const body = rows.length === 0 ? '' : `${rows.join(',\n')}\n`
  if (name === undefined) return body
  const plain = name.replace(/^(?=\d)/, '__').replace(/[^A-Za-z\d]/g, '_')
  const [variable, length] = hasCapitals ? [plain.toUpperCase(), 'LEN'] : [plain, 'len']
  return `unsigned char ${variable}[] = {\n${body}};\nunsigned int ${variable}_${length} = ${bytes.length};\n`
}

function dumpRow(row: string, address: number, { columns, group, isBits, isLittle, isDecimal }: Layout): string {
  const groupSize = group === 0 ? columns : group
  const bytes = isBits ? bitsOf(row) : hexOf(row)
  const groups = Array.from({ length: Math.ceil(bytes.length / groupSize) }, (_, index) => {
    const own = bytes.slice(index * groupSize, (index + 1) * groupSize)
    return isLittle
      ? own
          .reverse()
          .join('')
          .padStart(groupSize * 2)
      : own.join('')
  })
  const cells = groups.join(' ')
  const width = columns * (isBits ? 8 : 2) + Math.ceil(columns / groupSize) - 1
  return `${address.toString(isDecimal ? 10 : 16).padStart(8, '0')}: ${cells.padEnd(width)}  ${printable(row)}\n`
}

function upperHex(text: string, isPlain: boolean): string {
  if (isPlain) return text.toUpperCase()
  return text.replace(
    /^(\S+: )( *\S.*?)(  )/gm,
    (_all, address: string, hex: string, gap: string) => address + hex.toUpperCase() + gap,
  )
}

const mostBytes = 256 * 1024 * 1024

/** Parses a hex dump; `undefined` if it is not one. A gap between two addresses is filled with zeros. */
async function fromDump(text: string, skip: number, pace: Pace): Promise<Uint8Array | undefined> {
  let bytes = new Uint8Array(text.length >> 2)
  let length = 0
  for (const line of await splitInParts(text, '\n', pace)) {
    const [, address, spaced] = /^([\da-fA-F]+): ?((?:[\da-fA-F]+ ?)*)/.exec(line) ?? []
    if (address === undefined || spaced === undefined) return undefined
    const at = skip + Number.parseInt(address, 16)
    if (at < 0 || at > mostBytes) return undefined
    const part = bytesOfHex(spaced.replaceAll(' ', ''))
    const end = at + part.length
    if (end > bytes.length) {
      const larger = new Uint8Array(2 * end)
      larger.set(bytes.subarray(0, length))
      bytes = larger
    }
    bytes.set(part, at)
    length = Math.max(length, end)
    if (pace.isDue(line.length + unitsPerItem)) await pace.rest()
  }
  return bytes.subarray(0, length)
}

/** A last digit without a partner is left out. */
function bytesOfHex(digits: string): Uint8Array {
  const bytes = new Uint8Array(digits.length >> 1)
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = (hexValue(digits.charCodeAt(2 * index)) << 4) | hexValue(digits.charCodeAt(2 * index + 1))
  return bytes
}

/** The value of a hexadecimal digit, by its character code. */
function hexValue(code: number): number {
  return code <= 57 ? code - 48 : (code | 32) - 87
}
