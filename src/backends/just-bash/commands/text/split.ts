// split: splits a file into pieces of bytes, of lines, or of equal size.

import { joinBytes } from '../../../../core/bytes.ts'
import { inputOf, type ShellCommandContext } from '../../../../shell/commands.ts'
import { bytesOfArgument } from '../inputs.ts'
import { type Arguments, countOf, has, type OptionTable, optionTable, parseArguments, valueOf } from '../options.ts'
import { paceOf, unitsPerItem, type Pace } from '../pace.ts'
import { complain, pathOf, readNamed } from '../program.ts'
import { suffixes } from './split-names.ts'
import { reasonOf } from '../../errno.ts'

const table: OptionTable = optionTable(`
  -l --lines: lines=, -b --bytes: bytes=, -C --line-bytes: line-bytes=, -n --number: chunks=, -t --separator: separator=,
  -d: decimal, --numeric-suffixes: decimal?, -x: hex, --hex-suffixes: hex?, -a --suffix-length: length=,
  --additional-suffix: suffix=, --filter: filter=, -e --elide-empty-files: no-empty, --verbose: verbose,
  -u --unbuffered: ignored
`)

export async function split(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(
    context.args.map(arg => arg.replace(/^-(\d+)$/, '-l$1')),
    table,
  )
  if (typeof parsed === 'string') return complain(context, 'split', parsed)
  if (parsed.options.filter(({ name }) => /^(?:lines|bytes|line-bytes|chunks)$/.test(name)).length > 1)
    return complain(context, 'split', 'cannot split in more than one way')
  const [name = '-', prefix = 'x', extra] = parsed.operands
  if (extra !== undefined) return complain(context, 'split', `extra operand '${extra}'`)
  let bytes: Uint8Array
  try {
    bytes = await readNamed(context, name)
  } catch (error) {
    return complain(context, 'split', `cannot open '${name}' for reading: ${reasonOf(error)}`)
  }
  const separator = valueOf(parsed, 'separator') ?? '\n'
  const end = separator === '\\0' ? 0 : bytesOfArgument(separator).charCodeAt(0)
  if (separator === '') return complain(context, 'split', 'empty record separator')
  if (separator !== '\\0' && bytesOfArgument(separator).length > 1)
    return complain(context, 'split', `multi-character separator '${separator}'`)
  const pace = paceOf(context.signal)
  const made = await piecesOf(bytes, parsed, end, pace)
  if (typeof made === 'string') return complain(context, 'split', made)
  if (made.only !== undefined) {
    if (has(parsed, 'filter')) return complain(context, 'split', '--filter does not process a chunk extracted to stdout')
    await context.stdout.write(made.pieces[made.only - 1] ?? new Uint8Array())
    return 0
  }
  const pieces = has(parsed, 'no-empty') ? made.pieces.filter(({ length }) => length > 0) : made.pieces
  const names = suffixes(parsed, pieces.length)
  if (typeof names === 'string') return complain(context, 'split', names)
  for (const [index, piece] of pieces.entries()) {
    const suffix = names[index]
    if (suffix === undefined) return complain(context, 'split', 'output file suffixes exhausted')
    const file = prefix + suffix + (valueOf(parsed, 'suffix') ?? '')
    if (pace.isDue(piece.length + unitsPerItem)) await pace.rest()
    if (has(parsed, 'verbose')) await context.stdout.write(`creating file '${file}'\n`)
    const filter = valueOf(parsed, 'filter')
    if (filter === undefined) await context.files.writeFile(pathOf(context, file), piece)
    else if (context.exec === undefined) return complain(context, 'split', '--filter is not available here')
    else await context.exec(['sh', '-c', filter], { env: { ...context.env, FILE: file }, stdin: inputOf(piece) })
  }
  return 0
}

interface Pieces {
  readonly pieces: readonly Uint8Array[]
  /** The 1-based number of the piece to print; no files are written then. */
  readonly only?: number | undefined
}

async function piecesOf(bytes: Uint8Array, parsed: Arguments, end: number, pace: Pace): Promise<Pieces | string> {
  const chunks = valueOf(parsed, 'chunks')
  if (chunks !== undefined) return chunksOf(bytes, chunks, end, pace)
  for (const option of ['bytes', 'line-bytes']) {
    const size = valueOf(parsed, option)
    if (size === undefined) continue
    const count = countOf(size)
    if (count === undefined || count < 1) return `invalid number of bytes: '${size}'`
    return { pieces: cutAt(bytes, option === 'bytes' ? everyBytes(bytes, count) : await everyLineBytes(bytes, count, end, pace)) }
  }
  const lines = countOf(valueOf(parsed, 'lines') ?? '1000') ?? 0
  if (lines < 1) return `invalid number of lines: '${valueOf(parsed, 'lines') ?? ''}'`
  const ends = await lineEnds(bytes, end, pace)
  return {
    pieces: cutAt(
      bytes,
      ends.filter((_, index) => (index + 1) % lines === 0),
    ),
  }
}

/** Parses `N`, `K/N`, `l/N`, `l/K/N`, `r/N` and `r/K/N`. */
async function chunksOf(bytes: Uint8Array, text: string, end: number, pace: Pace): Promise<Pieces | string> {
  const [, kind = '', one, other] = /^([lr]?)\/?(\d+)(?:\/(\d+))?$/.exec(text) ?? []
  const count = Number(other ?? one)
  const only = other === undefined ? undefined : Number(one)
  if (!(count >= 1)) return `invalid number of chunks: '${text}'`
  if (only !== undefined && (only < 1 || only > count)) return `invalid chunk number: '${one ?? ''}'`
  if (kind === 'r') {
    const parts = Array.from({ length: count }, (): Uint8Array[] => [])
    for (const [index, line] of cutAt(bytes, await lineEnds(bytes, end, pace)).entries()) {
      parts[index % count]?.push(line)
      if (pace.isDue(unitsPerItem)) await pace.rest()
    }
    return { pieces: parts.map(part => joinBytes(part)), only }
  }
  const each = Math.max(1, Math.floor(bytes.length / count))
  const pieces: Uint8Array[] = []
  let start = 0
  for (let index = 1; index <= count; index++) {
    let stop = index === count ? bytes.length : Math.min(bytes.length, index * each)
    if (kind === 'l' && index < count) stop = Math.max(start, bytes.indexOf(end, Math.max(0, stop - 1)) + 1 || bytes.length)
    pieces.push(bytes.subarray(start, stop))
    start = stop
  }
  return { pieces, only }
}

function cutAt(bytes: Uint8Array, ends: readonly number[]): Uint8Array[] {
  const all = ends.at(-1) === bytes.length || bytes.length === 0 ? ends : [...ends, bytes.length]
  return all.map((stop, index) => bytes.subarray(all[index - 1] ?? 0, stop))
}

async function lineEnds(bytes: Uint8Array, end: number, pace: Pace): Promise<number[]> {
  const ends: number[] = []
  for (let at = bytes.indexOf(end), before = 0; at >= 0; before = at, at = bytes.indexOf(end, at + 1)) {
    ends.push(at + 1)
    if (pace.isDue(at - before + unitsPerItem)) await pace.rest()
  }
  return ends
}

function everyBytes(bytes: Uint8Array, count: number): number[] {
  return Array.from({ length: Math.ceil(bytes.length / count) }, (_, index) => Math.min(bytes.length, (index + 1) * count))
}

/** Pieces of whole lines with at most `most` bytes; a longer line is split. */
async function everyLineBytes(bytes: Uint8Array, most: number, end: number, pace: Pace): Promise<number[]> {
  const ends: number[] = []
  for (let start = 0; start < bytes.length;) {
    // Only of this piece: a search in all bytes would go back to the beginning of a long line each time.
    const last = bytes.subarray(start, start + most).lastIndexOf(end) + 1
    // What is left is one piece, but split cuts after the last line of a whole piece even if nothing follows it.
    start = start + most > bytes.length ? bytes.length : start + (last > 0 ? last : most)
    ends.push(start)
    if (pace.isDue(4 * unitsPerItem)) await pace.rest()
  }
  return ends
}
