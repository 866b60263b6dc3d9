// gzip, gunzip and zcat.

import { joinBytes } from '../../../../core/bytes.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { gzipName } from '../../../../codec/gzip.ts'
import { decodeText } from '../../../../shell/byte-text.ts'
import { gunzipInParts, gzipInParts } from '../../gzip.ts'
import { type Arguments, has, type OptionTable, optionTable, parseArguments, valueOf } from '../options.ts'
import { paceOf, type Pace } from '../pace.ts'
import { childOf, complain, pathOf, readNamed, statIfThere } from '../program.ts'
import { reasonOf } from '../../errno.ts'

const table: OptionTable = {
  ...Object.fromEntries(Array.from('123456789', digit => [`-${digit}`, `level-${digit}`])),
  ...optionTable(`
    --fast: level-1, --best: level-9, -c --stdout --to-stdout: c, -d --decompress --uncompress: d, -k --keep: k, -f --force: f,
    -n --no-name: n, -N --name: N, -q --quiet: q, -r --recursive: r, -v --verbose: v, -t --test: t, -l --list: l,
    -S --suffix: suffix=
  `),
}

interface Run {
  readonly context: ShellCommandContext
  readonly parsed: Arguments
  readonly isReverse: boolean
  readonly toStdout: boolean
  readonly suffix: string
  readonly level: number
  /** The header's name and time: written when packing, used when unpacking. */
  readonly withName: boolean
  readonly pace: Pace
  readonly listing: Listing
}

export async function gzip(name: 'gzip' | 'gunzip' | 'zcat', context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, table)
  if (typeof parsed === 'string') return complain(context, 'gzip', parsed)
  if (has(parsed, 'l') && has(parsed, 'v')) return complain(context, 'gzip', '-lv is not available here; leave -v out')
  const isReverse = name !== 'gzip' || ['d', 't', 'l'].some(option => has(parsed, option))
  const run: Run = {
    context,
    parsed,
    isReverse,
    toStdout: name === 'zcat' || ['c', 't', 'l'].some(option => has(parsed, option)),
    suffix: valueOf(parsed, 'suffix') ?? '.gz',
    level: Number(parsed.options.findLast(option => option.name.startsWith('level-'))?.name.slice(-1) ?? 6),
    withName: isReverse ? has(parsed, 'N') : !has(parsed, 'n'),
    pace: paceOf(context.signal),
    listing: new Listing(has(parsed, 'q')),
  }
  let code = 0
  for (const given of parsed.operands.length === 0 ? ['-'] : parsed.operands) code = worse(code, await processNamed(given, run))
  if (has(parsed, 'l')) await context.stdout.write(parsed.operands.length > 1 ? run.listing.end() : '')
  return code
}

/** An error (1) is worse than a warning (2). */
function worse(code: number, other: number): number {
  return code === 1 || other === 1 ? 1 : Math.max(code, other)
}

/** A file, or with -r also the files of a directory. Returns the exit code. */
async function processNamed(given: string, run: Run): Promise<number> {
  const { context, isReverse, suffix } = run
  let shownName = given
  try {
    const file = given === '-' || !isReverse ? given : await packedName(context, given, suffix)
    shownName = file
    if (file !== '-' && (await statIfThere(context, pathOf(context, file)))?.kind === 'directory')
      return await processDirectory(file, run)
    return await processFile(file, run)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') throw error
    const reason =
      error instanceof Error && 'code' in error ? reasonOf(error) : error instanceof Error ? error.message : String(error)
    return complain(context, 'gzip', `${given === '-' ? 'stdin' : shownName}: ${reason}`)
  }
}

async function processDirectory(directory: string, run: Run): Promise<number> {
  const { context, parsed } = run
  const path = pathOf(context, directory)
  if (!has(parsed, 'r')) return complain(context, 'gzip', `${directory} is a directory -- ignored`, 2)
  if (await isRefusedLink(path, run)) return complain(context, 'gzip', `${directory}: Too many levels of symbolic links`)
  let code = 0
  for (const entry of await context.files.readdir(path)) {
    context.signal.throwIfAborted()
    code = worse(code, await processNamed(childOf(directory, entry.name), run))
  }
  return code
}

async function isRefusedLink(path: string, { context, parsed, toStdout }: Run): Promise<boolean> {
  return !toStdout && !has(parsed, 'f') && (await statIfThere(context, path, false))?.kind === 'symlink'
}

async function processFile(file: string, run: Run): Promise<number> {
  const { context, parsed, isReverse, toStdout, suffix, withName, pace, level, listing } = run
  const path = pathOf(context, file)
  if (file !== '-' && (await isRefusedLink(path, run)))
    return complain(context, 'gzip', `${file}: Too many levels of symbolic links`)
  const packedSuffix = [suffix, ...packedSuffixes].find(end => file.endsWith(end))
  if (!isReverse && !toStdout && !has(parsed, 'f') && packedSuffix !== undefined) {
    if (!has(parsed, 'r') || has(parsed, 'v'))
      await complain(context, 'gzip', `${file} already has ${packedSuffix} suffix -- unchanged`)
    return 0
  }
  // With -r, files that are not packed are passed over without a word.
  if (isReverse && packedSuffix === undefined && has(parsed, 'r') && (!toStdout || has(parsed, 'l') || has(parsed, 't'))) return 0
  const plainTarget = isReverse ? unpackedName(file, packedSuffix) : `${file}${suffix}`
  if (file !== '-' && !toStdout && isReverse && plainTarget === file)
    return complain(context, 'gzip', `${file}: unknown suffix -- ignored`, 2)
  const bytes = await readNamed(context, file)
  const stat = file === '-' ? undefined : await context.files.stat(path)
  if (stat !== undefined && stat.nlink > 1 && !toStdout && !has(parsed, 'f')) {
    const others = stat.nlink === 2 ? 'has 1 other link' : `has ${stat.nlink - 1} other links`
    return complain(context, 'gzip', `${file} ${others} -- file ignored`, 2)
  }
  const nameAt = file.lastIndexOf('/') + 1
  const header = stat !== undefined && withName ? { name: file.slice(nameAt), mtimeMs: stat.mtimeMs } : undefined
  if (isReverse && toStdout && has(parsed, 'f') && !has(parsed, 'l') && !isPacked(bytes)) {
    if (!has(parsed, 't')) await context.stdout.write(bytes)
    return 0
  }
  const result = isReverse ? await unpack(bytes, pace) : await gzipInParts(bytes, pace, { level, header })
  const stored = isReverse && withName ? storedHeader(bytes) : undefined
  const target = stored?.name === undefined ? plainTarget : file.slice(0, nameAt) + stored.name
  const ratio = isReverse ? ratioOf(contentBytesOf(bytes), result.length) : ratioOf(contentBytesOf(result), bytes.length)
  const tell = async (said: string): Promise<void> => {
    if (has(parsed, 'v')) await context.stderr.write(`${file === '-' ? '' : `${file}:\t`}${said}\n`)
  }
  if (has(parsed, 'l')) await context.stdout.write(listing.line(bytes, result.length, file === '-' ? 'stdout' : target))
  else if (has(parsed, 't')) await tell(' OK')
  else if (file === '-' || toStdout) {
    await context.stdout.write(result)
    await tell(file === '-' ? `${ratio}%` : `${ratio}% -- replaced with stdout`)
  } else {
    const targetPath = pathOf(context, target)
    if (targetPath === path)
      return complain(context, 'gzip', `${file}: its header has the same name; leave -N out -- unchanged`, 2)
    if (!has(parsed, 'f') && (await statIfThere(context, targetPath)) !== undefined)
      return complain(context, 'gzip', `${target} already exists;\tnot overwritten`, 2)
    await context.files.writeFile(targetPath, result, stat && { mode: stat.mode })
    const mtimeMs = stored?.mtimeMs ?? stat?.mtimeMs
    if (mtimeMs !== undefined) await context.files.utimes(targetPath, mtimeMs)
    if (!has(parsed, 'k')) await context.files.rm(path, {})
    await tell(`${ratio}% -- ${has(parsed, 'k') ? 'created' : 'replaced with'} ${target}`)
  }
  return 0
}

function unpackedName(file: string, packedSuffix = ''): string {
  return /\.t[ga]z$/.test(file) ? `${file.slice(0, -4)}.tar` : file.slice(0, file.length - packedSuffix.length)
}

/** By how much the content is smaller when packed, in percent. */
function ratioOf(contentBytes: number, sizeBytes: number): string {
  const ratio = sizeBytes === 0 ? 0 : (1 - contentBytes / sizeBytes) * 100
  return ratio.toFixed(1).padStart(5)
}

/** Without the header and the trailer. */
function contentBytesOf(packed: Uint8Array): number {
  return packed.length - headerLength(packed) - 8
}

/** The lines of `gzip -l`. */
class Listing {
  readonly #isQuiet: boolean
  #files = 0
  #packedBytes = 0
  #sizeBytes = 0
  /** Of the last file: its header and its trailer. */
  #frameBytes = 0

  constructor(isQuiet: boolean) {
    this.#isQuiet = isQuiet
  }

  line(packed: Uint8Array, sizeBytes: number, name: string): string {
    this.#files += 1
    this.#packedBytes += packed.length
    this.#sizeBytes += sizeBytes
    this.#frameBytes = headerLength(packed) + 8
    const title = this.#files > 1 || this.#isQuiet ? '' : '         compressed        uncompressed  ratio uncompressed_name\n'
    return title + this.#row(packed.length, sizeBytes, name)
  }

  /** The totals, if there were several files. */
  end(): string {
    return this.#files < 2 || this.#isQuiet ? '' : this.#row(this.#packedBytes, this.#sizeBytes, '(totals)')
  }

  #row(packedBytes: number, sizeBytes: number, name: string): string {
    const ratio = ratioOf(packedBytes - this.#frameBytes, sizeBytes)
    return `${String(packedBytes).padStart(19)} ${String(sizeBytes).padStart(19)} ${ratio}% ${name}\n`
  }
}

/** The name and the time in the header, as far as they are there. */
function storedHeader(packed: Uint8Array): { readonly name: string | undefined; readonly mtimeMs: number | undefined } {
  const seconds = packed.length < 8 ? 0 : new DataView(packed.buffer, packed.byteOffset + 4, 4).getUint32(0, true)
  const name = gzipName(packed)
  return {
    name: name === undefined ? undefined : decodeText(Uint8Array.from(name, character => character.charCodeAt(0))),
    mtimeMs: seconds === 0 ? undefined : seconds * 1000,
  }
}

function headerLength(packed: Uint8Array): number {
  const flags = packed[3] ?? 0
  let at = 10
  if ((flags & 4) !== 0) at += 2 + (packed[at] ?? 0) + 256 * (packed[at + 1] ?? 0)
  for (const flag of [8, 16]) if ((flags & flag) !== 0) at = packed.indexOf(0, at) + 1
  return (flags & 2) === 0 ? at : at + 2
}

const packedSuffixes = ['.gz', '.tgz', '.taz', '.z', '-gz', '-z', '_z']

/** `gunzip a` unpacks `a.gz` if there is no `a`. */
async function packedName(context: ShellCommandContext, name: string, suffix: string): Promise<string> {
  const isPacked = [suffix, ...packedSuffixes].some(end => name.endsWith(end))
  return isPacked || (await statIfThere(context, pathOf(context, name), false)) !== undefined ? name : `${name}${suffix}`
}

function isPacked(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

async function unpack(bytes: Uint8Array, pace: Pace): Promise<Uint8Array> {
  if (bytes.length === 0) return joinBytes([])
  if (!isPacked(bytes)) throw new Error('not in gzip format')
  return gunzipInParts(bytes, pace)
}
