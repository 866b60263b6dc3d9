// bunzip2, unxz, unzstd and their relatives: they unpack files. Nothing here packs in these formats.

import { CodecError } from '../../../../codec/error.ts'
import { type PackingName, unpackingSteps } from '../../../../codec/packings.ts'
import { isBzip2, isXz, isZstd } from '../../../../codec/signatures.ts'
import { finishedInSteps } from '../../../../core/in-steps.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { reasonOf } from '../../errno.ts'
import { paceOf, type Pace } from '../pace.ts'
import { type Arguments, has, type OptionTable, optionTable, parseArguments } from '../options.ts'
import { complain, pathOf, readNamed, statIfThere } from '../program.ts'

/** The most that one file unpacks to. */
const maxUnpackedBytes = 256 * 1024 * 1024

/** The format of a file that begins with `head`. */
export function formatOf(head: Uint8Array): PackingName | undefined {
  return isBzip2(head) ? 'bzip2' : isXz(head) ? 'xz' : isZstd(head) ? 'zstd' : undefined
}

/** Throws an error for what is damaged, or larger than `maxBytes` when it is unpacked. */
export async function unpack(
  format: PackingName,
  packed: Uint8Array,
  pace: Pace,
  maxBytes: number = maxUnpackedBytes,
): Promise<Uint8Array> {
  try {
    return await finishedInSteps(await unpackingSteps(format, packed, maxBytes), () => pace.rest())
  } catch (error) {
    throw error instanceof CodecError ? new Error(`the ${format} file is damaged or incomplete: ${error.message}`) : error
  }
}

const table: OptionTable = {
  ...Object.fromEntries(Array.from('0123456789e', letter => [`-${letter}`, 'level'])),
  ...optionTable(`
    --best --fast: level, -c --stdout --to-stdout: stdout, -d --decompress --uncompress: unpack, -f --force: force,
    -k --keep: keep, --rm: remove, -q --quiet: quiet, -t --test: test, -T --threads: threads=, -z --compress: pack
  `),
}

/** What stands in the place of a suffix in the name of the unpacked file. */
const suffixes: Readonly<Record<PackingName, Readonly<Record<string, string>>>> = {
  bzip2: { '.bz2': '', '.bz': '', '.tbz2': '.tar', '.tbz': '.tar' },
  xz: { '.xz': '', '.txz': '.tar' },
  zstd: { '.zst': '', '.tzst': '.tar' },
}

interface Run {
  readonly context: ShellCommandContext
  readonly name: string
  readonly format: PackingName
  readonly parsed: Arguments
}

/** `name` is that of the command: `bunzip2`, `xzcat` and so on. */
export async function unpackFiles(name: string, format: PackingName, context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, table)
  if (typeof parsed === 'string') return complain(context, name, parsed)
  const isUnpacking = name !== format || has(parsed, 'unpack') || has(parsed, 'test')
  if (!isUnpacking || has(parsed, 'pack')) return complain(context, name, 'it only unpacks here; use -d, or gzip to pack')
  let code = 0
  for (const file of parsed.operands.length === 0 ? ['-'] : parsed.operands) {
    try {
      const own = await unpackFile(file, { context, name, format, parsed })
      if (own !== 0 && code !== 1) code = own
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EPIPE') throw error
      code = await complain(context, name, `${file === '-' ? '(stdin)' : file}: ${reasonOf(error)}`)
    }
  }
  return code
}

/** Returns the exit code. */
async function unpackFile(file: string, { context, name, format, parsed }: Run): Promise<number> {
  const isToFile = file !== '-' && !name.endsWith('cat') && !has(parsed, 'stdout') && !has(parsed, 'test')
  const found = Object.entries(suffixes[format]).find(([suffix]) => file.endsWith(suffix))
  if (isToFile && found === undefined) return complain(context, name, `${file}: Filename has an unknown suffix, skipping`, 2)
  const packed = await readNamed(context, file)
  if (packed.length > 0 && formatOf(packed) !== format) throw new Error('File format not recognized')
  const content = packed.length === 0 ? packed : await unpack(format, packed, paceOf(context.signal))
  if (!isToFile || found === undefined) {
    if (!has(parsed, 'test')) await context.stdout.write(content)
    return 0
  }
  const [suffix, instead] = found
  const target = pathOf(context, `${file.slice(0, -suffix.length)}${instead}`)
  if (!has(parsed, 'force') && (await statIfThere(context, target)) !== undefined) throw new Error('File exists')
  const path = pathOf(context, file)
  const { mode } = await context.files.stat(path)
  await context.files.writeFile(target, content, { mode })
  // Only zstd leaves its file.
  const isKept = has(parsed, 'keep') || (format === 'zstd' && !has(parsed, 'remove'))
  if (!isKept) await context.files.rm(path, {})
  return 0
}
