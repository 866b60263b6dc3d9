// wc: counts lines, words and bytes. The output is padded like that of GNU wc, because scripts parse it by column.

import { latin1Bytes } from '../../encoding.ts'
import { LineWidths } from '../display-width.ts'
import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesOfArgument, bytesResult, readInput, readInputs, recordsOf, shownText, type Input } from '../inputs.ts'
import { has, type OptionTable, optionTable, parseArguments, valueOf } from '../options.ts'
import { paceOf } from '../pace.ts'
import { quotedName } from '../quoted-name.ts'

const table: OptionTable = optionTable(`
  -l --lines: lines, -w --words: words, -m --chars: chars, -c --bytes: bytes, -L --max-line-length: longest, --total: total=,
  --files0-from: list=
`)
const columns = ['lines', 'words', 'chars', 'bytes', 'longest'] as const

/** `wc [-lwmcL] [FILE]...` */
export async function wc(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args, table)
  if (typeof parsed === 'string') return failed('wc', parsed)
  const total = valueOf(parsed, 'total') ?? 'auto'
  if (!/^(?:auto|always|only|never)$/.test(total))
    return failed('wc', `invalid argument '${total}' for '--total'; valid are auto, always, only and never`)
  const asked = columns.filter(column => has(parsed, column))
  const shown = asked.length === 0 ? (['lines', 'words', 'bytes'] as const) : asked
  const list = valueOf(parsed, 'list')
  if (list !== undefined && parsed.operands.length > 0)
    return failed('wc', `file operands cannot be combined with --files0-from: extra operand '${parsed.operands[0] ?? ''}'`)
  const operands = list === undefined ? parsed.operands : recordsOf(await readInput(list, context), '\0')
  if (list !== undefined && operands.length === 0) return bytesResult('')
  const { found, problems, inOrder } = await readInputs('wc', operands, context, true)
  const counts: { readonly name: string; readonly values: readonly number[] }[] = []
  for (const { name, bytes } of found) {
    const values: number[] = []
    for (const column of shown) values.push(await countInParts(bytes, column, context.signal))
    counts.push({ name, values })
  }
  if (total === 'auto' ? operands.length > 1 : total !== 'never') {
    const sum = (index: number): number =>
      counts.reduce((total, { values }) => {
        const value = values[index] ?? 0
        return shown[index] === 'longest' ? Math.max(total, value) : total + value
      }, 0)
    counts.push({ name: 'total', values: shown.map((_column, index) => sum(index)) })
  }
  const width =
    // The names of a list in a pipe are not known in advance.
    total === 'only' || (list !== undefined && !(await isRegular(list, context)))
      ? 1
      : shown.length === 1 && operands.length <= 1
        ? 1
        : await columnWidth(found, operands.length === 0, context)
  const lines: string[] = (total === 'only' ? counts.slice(-1) : counts).map(({ name, values }, index) => {
    const numbers = values.map(value => String(value).padStart(width)).join(' ')
    return `${numbers}${total === 'only' || (operands.length === 0 && index === 0) ? '' : ` ${shownName(name)}`}\n`
  })
  const shownLines = total === 'only' ? [] : lines
  let printed = 0
  for (const input of inOrder) {
    if (typeof input === 'string') await context.complain(input)
    else await context.print(bytesOfArgument(shownLines[printed++] ?? ''))
  }
  const rest = total === 'only' ? lines : lines.slice(printed)
  return { ...bytesResult('', '', problems === '' ? 0 : 1), stdout: rest.join(''), stdoutKind: 'text' }
}

/** A name with line feeds is quoted, so that each input has one line. */
function shownName(name: string): string {
  return name.includes('\n') ? quotedName(name) : name
}

async function isRegular(name: string, { fs, cwd, stdinPath }: CommandContext): Promise<boolean> {
  if (name === '-') return stdinPath !== undefined
  return !name.startsWith('/dev/') && (await fs.stat(fs.resolvePath(cwd, name))).isFile
}

/** As wide as the sum of all sizes, and 7 at least with an input whose size is not known in advance, such as a pipe. */
async function columnWidth(inputs: readonly Input[], isStdinOnly: boolean, context: CommandContext): Promise<number> {
  let [sizeBytes, least] = [0, 1]
  for (const { name, bytes, isDirectory } of inputs) {
    const isStdin = isStdinOnly || name === '-'
    if (isDirectory === true || !(await isRegular(name, context))) least = 7
    // Of an input that was read before, the whole file counts.
    else sizeBytes += isStdin && context.stdinPath !== undefined ? (await context.fs.stat(context.stdinPath)).size : bytes.length
  }
  return Math.max(least, String(sizeBytes).length)
}

/** Counts in parts, so that others may run in between. */
async function countInParts(bytes: string, column: (typeof columns)[number], signal: AbortSignal): Promise<number> {
  if (column === 'bytes') return bytes.length
  const pace = paceOf(signal)
  const widths = new LineWidths()
  let total = 0
  for (let at = 0; at < bytes.length;) {
    const end = column === 'lines' || column === 'words' ? at + partBytes : endOfCharacter(bytes, at + partBytes)
    const part = bytes.slice(at, end)
    if (column === 'lines') total += countLines(part)
    else if (column === 'chars') total += countCharacters(part)
    else if (column === 'longest') widths.add(shownText(part))
    // A word that continues from the part before was counted there.
    else total += countWords(part) - (at > 0 && isInWord(bytes, at - 1) && isInWord(bytes, at) ? 1 : 0)
    at = end
    if (pace.isDue(8 * partBytes)) await pace.rest()
  }
  return column === 'longest' ? widths.widest : total
}

const partBytes = 64 * 1024

/** The first place from `at` on that is not within a UTF-8 sequence, but at most three bytes behind. */
function endOfCharacter(bytes: string, at: number): number {
  let end = at
  while (end < at + 3 && (bytes.charCodeAt(end) & 0xc0) === 0x80) end += 1
  return end
}

function isInWord(bytes: string, at: number): boolean {
  return !/[ \t\n\v\f\r]/.test(bytes.charAt(at))
}

/** Invalid bytes do not count as characters. */
function countCharacters(bytes: string): number {
  return [...new TextDecoder('utf-8', { ignoreBOM: true }).decode(latin1Bytes(bytes)).replaceAll('\ufffd', '')].length
}

function countWords(bytes: string): number {
  return bytes.match(/[^ \t\n\v\f\r]+/g)?.length ?? 0
}

function countLines(bytes: string): number {
  let lines = 0
  for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1)) lines += 1
  return lines
}
