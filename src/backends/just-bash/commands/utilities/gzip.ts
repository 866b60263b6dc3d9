// gzip, gunzip and zcat.

import { joinBytes } from '../../../../core/bytes.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { gunzipInParts, gzipInParts } from '../../gzip.ts'
import { has, parseArguments, valueOf } from '../options.ts'
import { paceOf, type Pace } from '../pace.ts'
import { complain, pathOf, readNamed, statIfThere } from '../program.ts'
import { reasonOf } from '../../errno.ts'

export async function gzip(name: 'gzip' | 'gunzip' | 'zcat', context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    ...Object.fromEntries(Array.from('123456789', digit => [`-${digit}`, `level-${digit}`])),
    '--fast': 'level-1',
    '--best': 'level-9',
    '-c': 'c',
    '--stdout': 'c',
    '--to-stdout': 'c',
    '-d': 'd',
    '--decompress': 'd',
    '--uncompress': 'd',
    '-k': 'k',
    '--keep': 'k',
    '-f': 'f',
    '--force': 'f',
    '-n': 'n',
    '-N': 'n',
    '-q': 'q',
    '-v': 'v',
    '-t': 't',
    '--test': 't',
    '-l': 'l',
    '--list': 'l',
    '-S': 'suffix=',
  })
  if (typeof parsed === 'string') return complain(context, name, parsed)
  const isReverse = name !== 'gzip' || has(parsed, 'd') || has(parsed, 't') || has(parsed, 'l')
  const toStdout = name === 'zcat' || has(parsed, 'c') || has(parsed, 't') || has(parsed, 'l')
  const suffix = valueOf(parsed, 'suffix') ?? '.gz'
  const level = Number(parsed.options.findLast(option => option.name.startsWith('level-'))?.name.slice(-1) ?? 6)
  const pace = paceOf(context.signal)
  if (has(parsed, 'l') && has(parsed, 'v')) return complain(context, name, '-lv is not available here; leave -v out')
  const listing = new Listing(has(parsed, 'q'))
  let code = 0
  for (const given of parsed.operands.length === 0 ? ['-'] : parsed.operands) {
    let shownName: string | undefined
    try {
      const file = given === '-' || !isReverse ? given : await packedName(context, given, suffix)
      shownName = file
      const path = pathOf(context, file)
      if (file !== '-' && (await statIfThere(context, path))?.kind === 'directory') {
        code = await complain(context, name, `${file} is a directory -- ignored`, 2)
        continue
      }
      if (!toStdout && !has(parsed, 'f') && file !== '-' && (await statIfThere(context, path, false))?.kind === 'symlink') {
        code = await complain(context, name, `${file}: Too many levels of symbolic links`)
        continue
      }
      const packedSuffix = [suffix, ...packedSuffixes].find(end => file.endsWith(end))
      if (!isReverse && !toStdout && !has(parsed, 'f') && packedSuffix !== undefined) {
        await complain(context, name, `${file} already has ${packedSuffix} suffix -- unchanged`)
        continue
      }
      const target = isReverse
        ? file.replace(/\.tgz$/, '.tar').replace(new RegExp(`${suffix.replaceAll('.', '\\.')}$`), '')
        : `${file}${suffix}`
      if (file !== '-' && !toStdout && isReverse && target === file) {
        code = await complain(context, name, `${file}: unknown suffix -- ignored`, 2)
        continue
      }
      const bytes = await readNamed(context, file)
      const result = isReverse ? await unpack(bytes, pace) : await gzipInParts(bytes, pace, { level })
      if (has(parsed, 'l')) await context.stdout.write(listing.line(bytes, result.length, file === '-' ? 'stdout' : target))
      else if (has(parsed, 't')) continue
      else if (file === '-' || toStdout) await context.stdout.write(result)
      else {
        const targetPath = pathOf(context, target)
        if (!has(parsed, 'f') && (await statIfThere(context, targetPath)) !== undefined) {
          code = await complain(context, name, `${target} already exists; not overwritten`, 2)
          continue
        }
        const { mode } = await context.files.stat(path)
        await context.files.writeFile(targetPath, result, { mode })
        if (!has(parsed, 'k')) await context.files.rm(path, {})
      }
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EPIPE') throw error
      const reason =
        error instanceof Error && 'code' in error ? reasonOf(error) : error instanceof Error ? error.message : String(error)
      code = await complain(context, name, `${given === '-' ? 'stdin' : (shownName ?? given)}: ${reason}`)
    }
  }
  if (has(parsed, 'l')) await context.stdout.write(listing.end())
  return code
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
    // The ratio is that of the content: the header and the trailer do not count.
    const ratio = sizeBytes === 0 ? 0 : (1 - (packedBytes - this.#frameBytes) / sizeBytes) * 100
    return `${String(packedBytes).padStart(19)} ${String(sizeBytes).padStart(19)} ${ratio.toFixed(1).padStart(5)}% ${name}\n`
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

async function unpack(bytes: Uint8Array, pace: Pace): Promise<Uint8Array> {
  if (bytes.length === 0) return joinBytes([])
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) throw new Error('not in gzip format')
  return gunzipInParts(bytes, pace)
}
