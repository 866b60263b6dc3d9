// wc: counts lines, words and bytes. The output is padded like that of GNU wc, because scripts parse it by column.

import { latin1Bytes } from '../../encoding.ts'
import { widestLine } from '../display-width.ts'
import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesResult, readInput, readInputs, recordsOf, shownText } from '../inputs.ts'
import { has, parseArguments, valueOf, type OptionTable } from '../options.ts'
import { letOthersRun } from '../stop.ts'

const table: OptionTable = {
  '-l': 'lines',
  '--lines': 'lines',
  '-w': 'words',
  '--words': 'words',
  '-m': 'chars',
  '--chars': 'chars',
  '-c': 'bytes',
  '--bytes': 'bytes',
  '-L': 'longest',
  '--max-line-length': 'longest',
  '--total': 'total=',
  '--files0-from': 'list=',
}
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
  const { found, problems } = await readInputs('wc', operands, context, true)
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
  // As wide as the sum of all sizes; 7 with standard input or a directory, because the sizes are not known in advance.
  const sizes = found.reduce((total, { bytes }) => total + bytes.length, 0)
  const isUnknown = found.some(({ isDirectory }) => isDirectory) || operands.length === 0 || operands.includes('-')
  const width =
    // The names of a list in a pipe are not known in advance.
    total === 'only' || list === '-' ? 1 : shown.length === 1 && operands.length <= 1 ? 1 : isUnknown ? 7 : String(sizes).length
  const lines = (total === 'only' ? counts.slice(-1) : counts).map(({ name, values }, index) => {
    const numbers = values.map(value => String(value).padStart(width)).join(' ')
    return `${numbers}${total === 'only' || (operands.length === 0 && index === 0) ? '' : ` ${name}`}\n`
  })
  return { ...bytesResult('', problems), stdout: lines.join(''), stdoutKind: 'text' }
}

/** Counts in parts that end at a newline, so that others may run in between. */
async function countInParts(bytes: string, column: (typeof columns)[number], signal: AbortSignal): Promise<number> {
  let total = 0
  for (let at = 0; at < bytes.length || at === 0;) {
    const newline = bytes.length - at <= partBytes ? -1 : bytes.indexOf('\n', at + partBytes)
    const end = newline === -1 ? bytes.length : newline + 1
    const value = count(bytes.slice(at, end), column)
    total = column === 'longest' ? Math.max(total, value) : total + value
    if (end === bytes.length) break
    at = end
    await letOthersRun(signal)
  }
  return total
}

const partBytes = 1024 * 1024

function count(bytes: string, column: (typeof columns)[number]): number {
  switch (column) {
    case 'bytes':
      return bytes.length
    case 'chars':
      // Invalid bytes do not count as characters.
      return [...new TextDecoder('utf-8', { ignoreBOM: true }).decode(latin1Bytes(bytes)).replaceAll('\ufffd', '')].length
    case 'words':
      return bytes.match(/[^ \t\n\v\f\r]+/g)?.length ?? 0
    case 'lines': {
      let lines = 0
      for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1)) lines += 1
      return lines
    }
    case 'longest':
      return widestLine(shownText(bytes))
  }
}
