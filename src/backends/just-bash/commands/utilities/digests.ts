// md5sum, sha1sum, sha256sum, sha512sum, cksum and base64.

import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha224, sha256 } from '@noble/hashes/sha2.js'
import { decodeText } from '../../../../shell/byte-text.ts'
import type { ShellCommandContext, ShellInput } from '../../../../shell/commands.ts'
import { latin1Bytes, latin1Text } from '../../encoding.ts'
import { openInput } from '../filter/input.ts'
import { type Arguments, has, optionTable, parseArguments, valueOf } from '../options.ts'
import { complain, eachInput, readNamed } from '../program.ts'
import { letOthersRun } from '../stop.ts'
import { reasonOf } from '../../errno.ts'
import { pushAll } from '../../../../core/many.ts'

/** A hash that takes its input in parts. */
interface Hash {
  update(bytes: Uint8Array): unknown
  digest(): Uint8Array
}

/** Only `b2sum` uses `lengthBits`. */
type Algorithm = (bytes: Uint8Array, lengthBits: number, signal: AbortSignal) => Promise<Uint8Array>

const partBytes = 256 * 1024

/** Lets others run between the parts of a large file. */
async function inParts(hash: Hash, bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
  for (let at = 0; at < bytes.length; at += partBytes) {
    hash.update(bytes.subarray(at, at + partBytes))
    await letOthersRun(signal)
  }
  return hash.digest()
}

export type DigestName = 'b2sum' | 'md5sum' | 'sha1sum' | 'sha224sum' | 'sha256sum' | 'sha384sum' | 'sha512sum'

const algorithms: Readonly<Record<DigestName, Algorithm>> = {
  b2sum: async (bytes, lengthBits, signal) => {
    const { blake2b } = await import('@noble/hashes/blake2.js')
    return inParts(blake2b.create({ dkLen: lengthBits / 8 }), bytes, signal)
  },
  md5sum: (bytes, _length, signal) => inParts(md5.create(), bytes, signal),
  sha1sum: (bytes, _length, signal) => inParts(sha1.create(), bytes, signal),
  sha224sum: (bytes, _length, signal) => inParts(sha224.create(), bytes, signal),
  sha256sum: (bytes, _length, signal) => inParts(sha256.create(), bytes, signal),
  // Uses the platform's implementation, because the library keeps the whole SHA-2 family in one file, which would have to be loaded first.
  sha384sum: (bytes, _length, signal) => platformDigest('SHA-384', bytes, signal),
  sha512sum: (bytes, _length, signal) => platformDigest('SHA-512', bytes, signal),
}

async function platformDigest(algorithm: string, bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
  const subtle: SubtleDigest | undefined = crypto.subtle
  if (subtle === undefined) throw new Error(`${algorithm} needs a secure context (https); use sha256sum`)
  await letOthersRun(signal)
  return new Uint8Array(await subtle.digest(algorithm, hasOwnMemory(bytes) ? bytes : new Uint8Array(bytes)))
}

/** The platform takes no memory that threads share. */
function hasOwnMemory(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer
}

interface SubtleDigest {
  digest(algorithm: string, data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

/** The algorithms by the value of `-a`, and by the number of hexadecimal digits of a checksum. */
const shaNames: Readonly<Record<string, DigestName>> = {
  '1': 'sha1sum',
  '224': 'sha224sum',
  '256': 'sha256sum',
  '384': 'sha384sum',
  '512': 'sha512sum',
}
const shaLengths: Readonly<Record<number, DigestName>> = {
  40: 'sha1sum',
  56: 'sha224sum',
  64: 'sha256sum',
  96: 'sha384sum',
  128: 'sha512sum',
}

/** `shasum [-a 1|224|256|384|512] [-c] [FILE]...`: the options of sha1sum and the others; -q and -s are --quiet and --status. */
export async function shasum(context: ShellCommandContext): Promise<number> {
  const { args } = context
  const rest: string[] = []
  let algorithm = '1'
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    const [, attached] = /^(?:-a|--algorithm(?:=|$))([^]*)$/.exec(arg) ?? []
    if (arg === '--') {
      pushAll(rest, args.slice(index))
      break
    }
    if (attached === undefined) rest.push(arg === '-q' ? '--quiet' : arg === '-s' ? '--status' : arg)
    else if (attached !== '') algorithm = attached
    else algorithm = args[++index] ?? ''
  }
  const name = Object.hasOwn(shaNames, algorithm) ? shaNames[algorithm] : undefined
  if (name === undefined)
    return complain(
      context,
      'shasum',
      `algorithm '${algorithm}' is not available here; known are ${Object.keys(shaNames).join(', ')}`,
    )
  return digest(name, { ...context, args: rest }, 'shasum')
}

/** The message about an option that only a check understands. */
function checkingOption(parsed: Arguments): string | undefined {
  const option = ['missing', 'status', 'warn', 'quiet', 'strict'].find(name => has(parsed, name))
  if (option === undefined) return undefined
  return `--${option === 'missing' ? 'ignore-missing' : option} has a meaning only with --check`
}

export async function digest(algorithm: DigestName, context: ShellCommandContext, name: string = algorithm): Promise<number> {
  const parsed = parseArguments(context.args, {
    ...optionTable(`
      -c --check: c, -b --binary: b, -t --text: t, --quiet: quiet, --status: status, -w --warn: warn, --ignore-missing: missing,
      --tag: tag, -z --zero: z, --strict: strict
    `),
    ...(algorithm === 'b2sum' ? { '-l': 'length=', '--length': 'length=' } : {}),
  })
  if (typeof parsed === 'string') return complain(context, name, parsed)
  const lengthBits = Number(valueOf(parsed, 'length') ?? 0) || 512
  if (!(lengthBits > 0 && lengthBits <= 512 && lengthBits % 8 === 0))
    return complain(context, name, `invalid length: '${valueOf(parsed, 'length') ?? ''}'; a multiple of 8 up to 512`)
  const sum = async (bytes: Uint8Array, by = algorithm, bits = lengthBits): Promise<string> =>
    hex(await algorithms[by](bytes, bits, context.signal))
  const misused = has(parsed, 'c') ? undefined : checkingOption(parsed)
  if (misused !== undefined) return complain(context, name, misused)
  if (!has(parsed, 'c')) {
    return eachInput(context, name, parsed.operands, async (bytes, file) => {
      const shown = has(parsed, 'z') ? file : escapedName(file)
      const line = has(parsed, 'tag')
        ? `${tagOf(algorithm, lengthBits)} (${shown}) = ${await sum(bytes)}`
        : `${await sum(bytes)} ${has(parsed, 'b') ? '*' : ' '}${shown}`
      await context.stdout.write((shown === file ? '' : '\\') + line + (has(parsed, 'z') ? '\0' : '\n'))
    })
  }
  let [failed, unread, misread, code] = [0, 0, 0, 0]
  let failsAsAWhole = false
  code = await eachInput(context, name, parsed.operands, async (bytes, list) => {
    let [lineCount, verified] = [0, 0]
    const shownList = list === '-' ? "'standard input'" : list
    for (const [index, line] of decodeText(bytes).split('\n').entries()) {
      const { wanted, file } = checkedLine(line, algorithm)
      if (wanted === undefined) {
        if (line === '' || line.startsWith('#')) continue
        misread += 1
        const shownName = algorithm === 'b2sum' ? 'BLAKE2b' : algorithm.replace('sum', '').toUpperCase()
        if (has(parsed, 'warn'))
          await complain(context, name, `${shownList}: ${index + 1}: improperly formatted ${shownName} checksum line`)
        continue
      }
      lineCount += 1
      const by = name === 'shasum' ? (shaLengths[wanted.length] ?? algorithm) : algorithm
      try {
        const isSame = (await sum(await readNamed(context, file), by, wanted.length * 4)) === wanted.toLowerCase()
        verified += 1
        if (!isSame) failed += 1
        if (!has(parsed, 'status') && !(isSame && has(parsed, 'quiet')))
          await context.stdout.write(`${file}: ${isSame ? 'OK' : 'FAILED'}\n`)
      } catch (error) {
        if (has(parsed, 'missing')) continue
        unread += 1
        await complain(context, name, `${file}: ${reasonOf(error)}`)
        if (!has(parsed, 'status')) await context.stdout.write(`${file}: FAILED open or read\n`)
      }
    }
    if (lineCount === 0) {
      failsAsAWhole = true
      misread = 0
      await complain(context, name, `${shownList}: no properly formatted checksum lines found`)
    } else if (verified === 0 && has(parsed, 'missing')) {
      failsAsAWhole = true
      if (!has(parsed, 'status')) await complain(context, name, `${shownList}: no file was verified`)
    }
  })
  const warn = (count: number, one: string, many: string): Promise<number> | undefined =>
    count === 0 || has(parsed, 'status') ? undefined : complain(context, name, `WARNING: ${count} ${count === 1 ? one : many}`)
  await warn(misread, 'line is improperly formatted', 'lines are improperly formatted')
  await warn(unread, 'listed file could not be read', 'listed files could not be read')
  await warn(failed, 'computed checksum did NOT match', 'computed checksums did NOT match')
  return failed + unread > 0 || failsAsAWhole || (has(parsed, 'strict') && misread > 0) ? 1 : code
}

/** A name with a backslash or a line break; the line then begins with a backslash. */
function escapedName(name: string): string {
  return name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
}

const nameEscapes: Readonly<Record<string, string>> = { n: '\n', r: '\r' }

/** A line of a list of checksums, in the usual format or in that of --tag. */
function checkedLine(line: string, algorithm: DigestName): { readonly wanted?: string; readonly file: string } {
  const [, escape, wanted, file] = /^(\\?)([\da-f]{8,}) [ *](.*)$/i.exec(line) ?? []
  const [, tagEscape, tag, tagged, sum] = /^(\\?)([A-Z\d]+) \((.*)\) = ([\da-f]{8,})$/i.exec(line) ?? []
  const name = file ?? tagged
  if (name === undefined || (tag !== undefined && tag.toUpperCase() !== tagOf(algorithm, 512).toUpperCase())) return { file: '' }
  const isEscaped = (escape ?? tagEscape) === '\\'
  const plain = isEscaped ? name.replace(/\\(.)/g, (_, letter: string) => nameEscapes[letter] ?? letter) : name
  const found = wanted ?? sum
  return found === undefined ? { file: '' } : { wanted: found, file: plain }
}

/** The algorithm name that `--tag` prints. */
function tagOf(algorithm: DigestName, lengthBits: number): string {
  if (algorithm !== 'b2sum') return algorithm.slice(0, -3).toUpperCase()
  return lengthBits === 512 ? 'BLAKE2b' : `BLAKE2b-${lengthBits}`
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  return crc >>> 0
})

/** The other algorithms of cksum; they print tagged lines unless --untagged is given. */
const cksumDigests: Readonly<Record<string, DigestName>> = {
  md5: 'md5sum',
  sha1: 'sha1sum',
  sha224: 'sha224sum',
  sha256: 'sha256sum',
  sha384: 'sha384sum',
  sha512: 'sha512sum',
  blake2b: 'b2sum',
}

const cksumOptions = optionTable(`
  -a --algorithm: algorithm=, --untagged: untagged, --tag: tag, -c --check: check, -l --length: length=, -z --zero: z,
  --debug: ignored, --quiet: quiet, --status: status, --strict: strict, -w --warn: warn, --ignore-missing: missing
`)

/** `cksum [-a ALGORITHM] [FILE]...`; the usual algorithm is the POSIX checksum. */
export async function cksum(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, cksumOptions)
  if (typeof parsed === 'string') return complain(context, 'cksum', parsed)
  const algorithm = valueOf(parsed, 'algorithm') ?? 'crc'
  const by = Object.hasOwn(cksumDigests, algorithm) ? cksumDigests[algorithm] : undefined
  const length = valueOf(parsed, 'length')
  if (length !== undefined && by !== 'b2sum')
    return complain(context, 'cksum', '--length is only supported with --algorithm=blake2b')
  if (by !== undefined) {
    const flags: Readonly<Record<string, string>> = {
      check: '-c',
      z: '-z',
      quiet: '--quiet',
      status: '--status',
      strict: '--strict',
      warn: '-w',
      missing: '--ignore-missing',
    }
    const args = [
      ...parsed.options.flatMap(({ name }) => flags[name] ?? []),
      ...(has(parsed, 'untagged') || has(parsed, 'check') ? [] : ['--tag']),
      ...(length === undefined ? [] : ['-l', length]),
      '--',
      ...parsed.operands,
    ]
    return digest(by, { ...context, args }, 'cksum')
  }
  const misused = has(parsed, 'check') ? undefined : checkingOption(parsed)
  if (misused !== undefined) return complain(context, 'cksum', misused)
  if (has(parsed, 'check'))
    return complain(context, 'cksum', '--check is not available here without -a; name the algorithm, such as -a sha256')
  if (algorithm === 'bsd' || algorithm === 'sysv') {
    const { sum } = await import('./sum.ts')
    return sum({ ...context, args: [algorithm === 'bsd' ? '-r' : '-s', '--', ...parsed.operands] })
  }
  if (algorithm !== 'crc')
    return complain(
      context,
      'cksum',
      `algorithm '${algorithm}' is not available here; known are bsd, sysv, crc, ${Object.keys(cksumDigests).join(', ')}`,
    )
  return posixChecksum(context, parsed.operands, has(parsed, 'z') ? '\0' : '\n')
}

/** It includes the length of the input. */
function posixChecksum(context: ShellCommandContext, names: readonly string[], end: string): Promise<number> {
  return eachInput(context, 'cksum', names, async (bytes, name) => {
    let crc = 0
    const add = (byte: number): void => {
      crc = ((crc << 8) ^ (crcTable[((crc >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0
    }
    for (let at = 0; at < bytes.length; at += partBytes) {
      for (const byte of bytes.subarray(at, at + partBytes)) add(byte)
      await letOthersRun(context.signal)
    }
    for (let length = bytes.length; length > 0; length = Math.floor(length / 256)) add(length & 0xff)
    await context.stdout.write(`${~crc >>> 0} ${bytes.length}${names.length === 0 ? '' : ` ${name}`}${end}`)
  })
}

export async function base64(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, optionTable('-d --decode -D: d, -i --ignore-garbage: i, -w --wrap: width='))
  if (typeof parsed === 'string') return complain(context, 'base64', parsed)
  const width = Number(valueOf(parsed, 'width') ?? 76)
  if (!(width >= 0)) return complain(context, 'base64', `invalid wrap size: '${valueOf(parsed, 'width') ?? ''}'`)
  const [name = '-'] = parsed.operands
  let input: ShellInput
  try {
    input = await openInput(name, context)
  } catch (error) {
    return complain(context, 'base64', `${name}: ${reasonOf(error)}`)
  }
  if (has(parsed, 'd')) return decodeBase64(input, context, has(parsed, 'i'))
  let rest = ''
  let line = ''
  const write = async (text: string): Promise<void> => {
    const given = line + text
    const whole = width === 0 ? given.length : given.length - (given.length % width)
    line = given.slice(whole)
    await context.stdout.write(width === 0 ? given : given.slice(0, whole).replace(new RegExp(`.{${width}}`, 'g'), '$&\n'))
  }
  for (let piece = await input.read(); piece !== undefined; piece = await input.read()) {
    const bytes = rest + latin1Text(piece)
    const whole = bytes.length - (bytes.length % 3)
    rest = bytes.slice(whole)
    await write(btoa(bytes.slice(0, whole)))
  }
  await write(btoa(rest))
  if (line !== '') await context.stdout.write(`${line}\n`)
  return 0
}

/** Writes what stands before and in padded groups that more text follows, and returns the rest. */
async function writePadded(text: string, context: ShellCommandContext): Promise<string> {
  let rest = text
  for (;;) {
    const [group] = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)(?=[A-Za-z0-9+/])/.exec(rest) ?? []
    if (group === undefined) return rest
    await context.stdout.write(latin1Bytes(atob(group)))
    rest = rest.slice(group.length)
  }
}

async function decodeBase64(input: ShellInput, context: ShellCommandContext, ignoresGarbage: boolean): Promise<number> {
  let rest = ''
  for (let piece = await input.read(); piece !== undefined; piece = await input.read()) {
    const text = latin1Text(piece)
    rest += ignoresGarbage ? text.replace(/[^A-Za-z0-9+/=]/g, '') : text.replaceAll('\n', '')
    // Texts that are padded may stand one after the other.
    rest = await writePadded(rest, context)
    const end = rest.search(/[^A-Za-z0-9+/]/)
    const length = (end < 0 ? rest.length : end) & ~3
    await context.stdout.write(latin1Bytes(atob(rest.slice(0, length))))
    rest = rest.slice(length)
    if (rest.length >= 4 && !/^[A-Za-z0-9+/]{2}(?:==|[A-Za-z0-9+/]=)$/.test(rest)) break
  }
  // What stands before the wrong character is printed, too.
  const [last = ''] = /^[A-Za-z0-9+/]{2,3}/.exec(rest) ?? []
  await context.stdout.write(latin1Bytes(atob(last)))
  const isRight = /^(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(rest)
  return isRight ? 0 : complain(context, 'base64', 'invalid input')
}
