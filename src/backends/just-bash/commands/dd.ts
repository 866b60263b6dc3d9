// dd: copies a part of a file in blocks. Supports the forms that scripts use to create a file of a given size or to extract a
// part of a file.

import { words } from '../../../core/words.ts'
import { latin1Text } from '../encoding.ts'
import { bytesInParts, byteTextInParts, inParts, paceOf, type Pace } from './pace.ts'
import { failed, type CommandContext, type CommandResult } from './command.ts'
import { bytesResult, readInput } from './inputs.ts'
import { countOf } from './options.ts'
import { reasonOf } from '../errno.ts'

const operands = ['if', 'of', 'bs', 'ibs', 'obs', 'count', 'skip', 'seek', 'conv', 'cbs', 'status', 'iflag', 'oflag'] as const
/** The conversions that change no bytes concern disks and read errors. */
const knownConversions: ReadonlySet<string> = new Set(
  words(`
  notrunc ucase lcase swab sync excl nocreat noerror sparse fsync fdatasync block unblock
`),
)
/** Flags that change what a number counts, and those that change nothing here. */
const knownFlags: Readonly<Record<'iflag' | 'oflag', ReadonlySet<string>>> = {
  iflag: new Set(['count_bytes', 'skip_bytes', 'fullblock', 'sync', 'dsync', 'nonblock', 'noatime']),
  oflag: new Set(['append', 'seek_bytes', 'sync', 'dsync', 'nonblock']),
}
const maxBytes = 512 * 1024 * 1024

interface Wanted {
  readonly from: string
  readonly to: string | undefined
  readonly blockBytes: number
  readonly outBlockBytes: number
  /** The size of a record of `conv=block` and `conv=unblock`. */
  readonly recordBytes: number
  readonly mostBytes: number | undefined
  readonly skipBytes: number
  readonly seekBytes: number
  readonly isKept: boolean
  readonly isAppended: boolean
  readonly conversions: ReadonlySet<string>
  readonly status: string
}

/**
 * `dd [if=FILE] [of=FILE] [bs=N] [count=N] [skip=N] [seek=N] [conv=CONV,...] [status=none]`. /dev/zero and /dev/urandom require a count.
 */
export async function dd(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const wanted = read(args)
  if (typeof wanted === 'string') return failed('dd', wanted)
  const { from, to, mostBytes: most, skipBytes, seekBytes, conversions } = wanted
  const { fs, cwd } = context
  const pace = paceOf(context.signal)
  try {
    const isEndless = from === '/dev/zero' || from === '/dev/urandom' || from === '/dev/random'
    if (isEndless && most === undefined) return failed('dd', `${from} has no end; give count=`)
    if ((most ?? 0) > maxBytes || seekBytes > maxBytes) return failed('dd', `more than ${maxBytes} bytes do not fit here`)
    const input = isEndless ? endless(from, most ?? 0) : await readInput(from, context)
    const start = isEndless ? 0 : skipBytes
    const taken = input.slice(start, most === undefined ? undefined : start + most)
    const bytes = await converted(taken, wanted, pace)
    const stderr = report(taken.length, bytes.length, wanted)
    if (to === undefined) {
      await context.print(bytes)
      return bytesResult('', stderr, 0)
    }
    const path = fs.resolvePath(cwd, to)
    if (conversions.has('excl') && (await fs.exists(path))) return failed('dd', `failed to open '${to}': File exists`)
    if (conversions.has('nocreat') && !(await fs.exists(path)))
      return failed('dd', `failed to open '${to}': No such file or directory`)
    const old =
      (wanted.isKept || wanted.isAppended || seekBytes > 0) && (await fs.exists(path))
        ? await byteTextInParts(await fs.readFileBuffer(path), pace)
        : ''
    // With append, the place to write at is the end, and conv=notrunc keeps what is there.
    const offset = wanted.isAppended ? (wanted.isKept ? old.length : 0) : seekBytes
    const tail = wanted.isKept ? old.slice(offset + bytes.length) : ''
    await fs.writeFile(path, await bytesInParts(old.slice(0, offset).padEnd(offset, '\0') + bytes + tail, pace))
    return bytesResult('', stderr, 0)
  } catch (error) {
    return failed('dd', `failed to open '${to ?? from}': ${reasonOf(error)}`)
  }
}

function read(args: readonly string[]): Wanted | string {
  const values = new Map<string, string>()
  for (const arg of args) {
    const [, name = '', value = ''] = /^(\w+)=([^]*)$/.exec(arg) ?? []
    if (!operands.some(known => known === name)) return `unrecognized operand '${arg}'`
    // Conversions and flags add up; of other operands the last one counts.
    const before = /^(?:conv|iflag|oflag)$/.test(name) ? values.get(name) : undefined
    values.set(name, before === undefined ? value : `${before},${value}`)
  }
  const conversions = (values.get('conv') ?? '').split(',').filter(Boolean)
  const unknown = conversions.find(name => !knownConversions.has(name))
  if (unknown !== undefined) return `conv=${unknown} is not available here; known are ${[...knownConversions].join(', ')}`
  if (conversions.includes('lcase') && conversions.includes('ucase')) return 'cannot combine lcase and ucase'
  if (conversions.includes('excl') && conversions.includes('nocreat')) return 'cannot combine excl and nocreat'
  const flags = { iflag: (values.get('iflag') ?? '').split(','), oflag: (values.get('oflag') ?? '').split(',') }
  for (const side of ['iflag', 'oflag'] as const) {
    const other = flags[side].find(flag => flag !== '' && !knownFlags[side].has(flag))
    if (other !== undefined) return `the flag ${other} is not available here; leave it out`
  }
  const numbers = new Map<string, number>()
  for (const name of ['bs', 'ibs', 'obs', 'cbs', 'count', 'skip', 'seek']) {
    const value = values.get(name)
    const number = value === undefined ? undefined : blockCount(value.replace(/(?<=\d)B$/, ''))
    if (value !== undefined && number === undefined) return `invalid number: '${value}'`
    if (number === 0 && name.endsWith('bs')) return `invalid number: '${value ?? ''}'`
    if (number !== undefined) numbers.set(name, number)
  }
  const blockBytes = numbers.get('bs') ?? numbers.get('ibs') ?? 512
  const outBlockBytes = numbers.get('bs') ?? numbers.get('obs') ?? 512
  const recordBytes = numbers.get('cbs') ?? 0
  // Without a size of records, both do nothing.
  const effective = recordBytes > 0 ? conversions : conversions.filter(name => !name.endsWith('block'))
  if (effective.includes('block') && effective.includes('unblock')) return 'cannot combine block and unblock'
  // A number counts blocks, or with a flag or the letter B bytes.
  const bytesOf = (name: string, size: number, countsBytes: boolean): number | undefined => {
    const number = numbers.get(name)
    return number === undefined ? undefined : countsBytes || /\dB$/.test(values.get(name) ?? '') ? number : number * size
  }
  return {
    from: values.get('if') ?? '-',
    to: values.get('of'),
    blockBytes,
    outBlockBytes,
    recordBytes,
    mostBytes: bytesOf('count', blockBytes, flags.iflag.includes('count_bytes')),
    skipBytes: bytesOf('skip', blockBytes, flags.iflag.includes('skip_bytes')) ?? 0,
    seekBytes: bytesOf('seek', outBlockBytes, flags.oflag.includes('seek_bytes')) ?? 0,
    isKept: conversions.includes('notrunc'),
    isAppended: flags.oflag.includes('append'),
    conversions: new Set(effective),
    status: values.get('status') ?? '',
  }
}

/** Parses sizes such as `4k`, `1M` and `2x512`. */
function blockCount(text: string): number | undefined {
  const factors = text.split('x').map(part => countOf(part.replace(/c$/, '')))
  return factors.reduce<number | undefined>(
    (product, factor) => (product === undefined || factor === undefined ? undefined : product * factor),
    1,
  )
}

function endless(from: string, sizeBytes: number): string {
  if (from === '/dev/zero') return '\0'.repeat(sizeBytes)
  const bytes = new Uint8Array(sizeBytes)
  // `getRandomValues` returns at most 65,536 bytes per call.
  for (let at = 0; at < sizeBytes; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  return latin1Text(bytes)
}

/** Applies the conversions in the order that dd uses. */
async function converted(bytes: string, { conversions, blockBytes, recordBytes }: Wanted, pace: Pace): Promise<string> {
  const changes: ((part: string) => string)[] = []
  // Swaps pairs of bytes of the whole input; an odd last byte stays in place.
  if (conversions.has('swab')) changes.push(part => part.replace(/([^])([^])/g, '$2$1'))
  if (conversions.has('ucase')) changes.push(part => part.replace(/[a-z]+/g, letters => letters.toUpperCase()))
  else if (conversions.has('lcase')) changes.push(part => part.replace(/[A-Z]+/g, letters => letters.toLowerCase()))
  const given = conversions.has('sync')
    ? bytes.padEnd(
        Math.ceil(bytes.length / blockBytes) * blockBytes,
        conversions.has('block') || conversions.has('unblock') ? ' ' : '\0',
      )
    : bytes
  if (conversions.has('block')) return blocked(given, recordBytes, changes)
  if (conversions.has('unblock')) return unblocked(given, recordBytes, changes)
  if (changes.length === 0) return given
  const parts: string[] = []
  await inParts(given.length, pace, (from, to) => {
    parts.push(changes.reduce((part, change) => change(part), given.slice(from, to)))
  })
  return parts.join('')
}

/** Each line becomes a record: filled with blanks, or cut. */
function blocked(bytes: string, recordBytes: number, changes: readonly ((part: string) => string)[]): string {
  const lines = bytes.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const records = lines.map(line => line.slice(0, recordBytes).padEnd(recordBytes, ' '))
  return changes.reduce((text, change) => change(text), records.join(''))
}

/** Each record becomes a line, without the blanks at its end. */
function unblocked(bytes: string, recordBytes: number, changes: readonly ((part: string) => string)[]): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += recordBytes) lines.push(`${bytes.slice(at, at + recordBytes).replace(/ +$/, '')}\n`)
  return changes.reduce((text, change) => change(text), lines.join(''))
}

function report(takenBytes: number, sizeBytes: number, { blockBytes, outBlockBytes, status }: Wanted): string {
  if (status === 'none') return ''
  const blocks = (bytes: number, size: number): string => `${Math.floor(bytes / size)}+${bytes % size === 0 ? 0 : 1} records`
  const counts = `${blocks(takenBytes, blockBytes)} in\n${blocks(sizeBytes, outBlockBytes)} out\n`
  return status === 'noxfer' ? counts : `${counts}${sizeBytes} byte${sizeBytes === 1 ? '' : 's'} copied\n`
}
