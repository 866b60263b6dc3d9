// dd: copies a part of a file in blocks. Supports the forms that scripts use to create a file of a given size or to extract a
// part of a file.

import { latin1Text } from '../encoding.ts'
import { bytesInParts, byteTextInParts, inParts, paceOf, type Pace } from './pace.ts'
import { failed, type CommandContext, type CommandResult } from './command.ts'
import { bytesResult, readInput } from './inputs.ts'
import { countOf } from './options.ts'
import { reasonOf } from '../errno.ts'

const operands = ['if', 'of', 'bs', 'ibs', 'obs', 'count', 'skip', 'seek', 'conv', 'status', 'iflag', 'oflag'] as const
/** The conversions that change no bytes concern disks and read errors. */
const knownConversions: ReadonlySet<string> = new Set([
  'notrunc',
  'ucase',
  'lcase',
  'swab',
  'sync',
  'excl',
  'nocreat',
  'noerror',
  'sparse',
  'fsync',
  'fdatasync',
])
const maxBytes = 512 * 1024 * 1024

interface Wanted {
  readonly from: string
  readonly to: string | undefined
  readonly blockBytes: number
  readonly count: number | undefined
  readonly skip: number
  readonly seek: number
  readonly isKept: boolean
  readonly conversions: ReadonlySet<string>
  readonly isQuiet: boolean
}

/**
 * `dd [if=FILE] [of=FILE] [bs=N] [count=N] [skip=N] [seek=N] [conv=CONV,...] [status=none]`. /dev/zero and /dev/urandom require a
 * count.
 */
export async function dd(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const wanted = read(args)
  if (typeof wanted === 'string') return failed('dd', wanted)
  const { from, to, blockBytes, count, skip, seek, conversions } = wanted
  const { fs, cwd } = context
  const pace = paceOf(context.signal)
  try {
    const most = count === undefined ? undefined : count * blockBytes
    const isEndless = from === '/dev/zero' || from === '/dev/urandom' || from === '/dev/random'
    if (isEndless && most === undefined) return failed('dd', `${from} has no end; give count=`)
    if ((most ?? 0) > maxBytes || seek * blockBytes > maxBytes) return failed('dd', `more than ${maxBytes} bytes do not fit here`)
    const input = isEndless ? endless(from, most ?? 0) : await readInput(from, context)
    const start = isEndless ? 0 : skip * blockBytes
    const taken = input.slice(start, most === undefined ? undefined : start + most)
    const bytes = await converted(taken, wanted, pace)
    const told = report(taken.length, bytes.length, blockBytes)
    const stderr = wanted.isQuiet ? '' : told
    if (to === undefined) return bytesResult(bytes, stderr, 0)
    const path = fs.resolvePath(cwd, to)
    if (conversions.has('excl') && (await fs.exists(path))) return failed('dd', `failed to open '${to}': File exists`)
    if (conversions.has('nocreat') && !(await fs.exists(path)))
      return failed('dd', `failed to open '${to}': No such file or directory`)
    const old =
      (wanted.isKept || seek > 0) && (await fs.exists(path)) ? await byteTextInParts(await fs.readFileBuffer(path), pace) : ''
    const offset = seek * blockBytes
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
    if (!operands.some(known => known === name)) return `unrecognized operand '${arg}'; known are ${operands.join('= ')}=`
    values.set(name, value)
  }
  const conversions = (values.get('conv') ?? '').split(',').filter(Boolean)
  const unknown = conversions.find(name => !knownConversions.has(name))
  if (unknown !== undefined) return `conv=${unknown} is not available here; known are ${[...knownConversions].join(', ')}`
  if (conversions.includes('lcase') && conversions.includes('ucase')) return 'cannot combine lcase and ucase'
  if (conversions.includes('excl') && conversions.includes('nocreat')) return 'cannot combine excl and nocreat'
  const flags = [values.get('iflag'), values.get('oflag')].filter(flag => flag !== undefined && flag !== 'fullblock')
  if (flags.length > 0) return `the flag ${flags[0] ?? ''} is not available here; leave it out`
  const numbers = new Map<string, number>()
  for (const name of ['bs', 'ibs', 'count', 'skip', 'seek']) {
    const value = values.get(name)
    const number = value === undefined ? undefined : blockCount(value)
    if (value !== undefined && number === undefined) return `invalid number: '${value}'`
    if (number !== undefined) numbers.set(name, number)
  }
  const blockBytes = numbers.get('bs') ?? numbers.get('ibs') ?? 512
  if (blockBytes === 0) return "invalid number: '0'"
  return {
    from: values.get('if') ?? '-',
    to: values.get('of'),
    blockBytes,
    count: numbers.get('count'),
    skip: numbers.get('skip') ?? 0,
    seek: numbers.get('seek') ?? 0,
    isKept: conversions.includes('notrunc'),
    conversions: new Set(conversions),
    isQuiet: values.get('status') === 'none',
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
async function converted(bytes: string, { conversions, blockBytes }: Wanted, pace: Pace): Promise<string> {
  const changes: ((part: string) => string)[] = []
  // Swaps pairs of bytes of the whole input; an odd last byte stays in place.
  if (conversions.has('swab')) changes.push(part => part.replace(/([^])([^])/g, '$2$1'))
  if (conversions.has('ucase')) changes.push(part => part.replace(/[a-z]+/g, letters => letters.toUpperCase()))
  else if (conversions.has('lcase')) changes.push(part => part.replace(/[A-Z]+/g, letters => letters.toLowerCase()))
  const given = conversions.has('sync') ? bytes.padEnd(Math.ceil(bytes.length / blockBytes) * blockBytes, '\0') : bytes
  if (changes.length === 0) return given
  const parts: string[] = []
  await inParts(given.length, pace, (from, to) => {
    parts.push(changes.reduce((part, change) => change(part), given.slice(from, to)))
  })
  return parts.join('')
}

function report(takenBytes: number, sizeBytes: number, blockBytes: number): string {
  const blocks = (bytes: number): string => `${Math.floor(bytes / blockBytes)}+${bytes % blockBytes === 0 ? 0 : 1} records`
  return `${blocks(takenBytes)} in\n${blocks(sizeBytes)} out\n${sizeBytes} bytes copied\n`
}
