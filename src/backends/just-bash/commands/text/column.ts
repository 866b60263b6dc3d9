// column: arranges entries in columns of a page, or formats a table.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { displayWidth } from '../display-width.ts'
import { has, parseArguments, valueOf } from '../options.ts'
import { complain } from '../program.ts'
import { textOf } from './text-lines.ts'
import { paceOf, splitInParts, unitsPerItem } from '../pace.ts'
import { letOthersRun } from '../stop.ts'

export async function column(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    '-t': 't',
    '--table': 't',
    '-s': 'separator=',
    '--separator': 'separator=',
    '-o': 'output=',
    '--output-separator': 'output=',
    '-c': 'width=',
    '-N': 'names=',
    '-R': 'right=',
    '-H': 'hidden=',
    '--table-hide': 'hidden=',
    '-n': 'table-name=',
    '-x': 'x',
    '-L': 'keeps-empty-lines',
    '--keep-empty-lines': 'keeps-empty-lines',
  })
  if (typeof parsed === 'string') return complain(context, 'column', parsed)
  const { text, code } = await textOf(context, 'column', parsed.operands)
  const pace = paceOf(context.signal)
  const lines: string[] = []
  for (const line of await splitInParts(text, '\n', pace)) {
    if (has(parsed, 'keeps-empty-lines') || line.trim() !== '') lines.push(line)
    if (pace.isDue(unitsPerItem)) await pace.rest()
  }
  if (!has(parsed, 't')) {
    let size = 0
    for (const line of lines) {
      size = Math.max(size, displayWidth(line))
      if (pace.isDue(line.length + unitsPerItem)) await pace.rest()
    }
    const cell = Math.ceil((size + 1) / 8) * 8
    const perRow = Math.max(1, Math.floor(Number(valueOf(parsed, 'width') ?? 80) / cell))
    const rows = Math.ceil(lines.length / perRow)
    for (let row = 0; row < rows; row++) {
      const cells = has(parsed, 'x')
        ? lines.slice(row * perRow, (row + 1) * perRow)
        : Array.from({ length: perRow }, (_, index) => lines[index * rows + row] ?? []).flat()
      if (pace.isDue(perRow * (cell + unitsPerItem))) await pace.rest()
      await context.stdout.write(
        `${cells.map((entry, index) => (index === cells.length - 1 ? entry : entry + '\t'.repeat(Math.ceil((cell - displayWidth(entry)) / 8)))).join('')}\n`,
      )
    }
    return code
  }
  if (lines.length === 0) return code
  const separator = valueOf(parsed, 'separator')
  const names = valueOf(parsed, 'names')
  const splitter =
    separator === undefined || separator.length === 1 ? separator : new RegExp(`[${separator.replace(/[\\\]^-]/g, '\\$&')}]`)
  const table: string[][] = names === undefined ? [] : [names.split(',')]
  for (const line of lines) {
    table.push(splitter === undefined ? line.replace(/^[ \t]+|[ \t]+$/g, '').split(/[ \t]+/) : line.split(splitter))
    if (pace.isDue(line.length + 4 * unitsPerItem)) await pace.rest()
  }
  const widths: number[] = []
  for (const [number, row] of table.entries()) {
    if (number % 1024 === 0) await letOthersRun(context.signal)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, displayWidth(cell))
  }
  const numbersOf = (option: string): ReadonlySet<number> => {
    const asked = valueOf(parsed, option)?.split(',') ?? []
    const named = names?.split(',') ?? []
    // `-` means all columns without a name.
    const unnamed = asked.includes('-') ? widths.map((_, index) => index).filter(index => index >= named.length) : []
    return new Set([...asked.map(name => (named.includes(name) ? named.indexOf(name) : Number(name) - 1)), ...unnamed])
  }
  const [right, hidden] = [numbersOf('right'), numbersOf('hidden')]
  const shown = widths.map((_, index) => index).filter(index => !hidden.has(index))
  const glue = valueOf(parsed, 'output') ?? '  '
  for (const [number, row] of table.entries()) {
    if (number % 1024 === 0) await letOthersRun(context.signal)
    // Missing cells at the end of a row are empty.
    const cells = shown.map(index => {
      // Nothing is padded behind the last cell of a row.
      if (index === shown.at(-1) && row[index] === undefined) return ''
      const cell = row[index] ?? ''
      const missing = (widths[index] ?? 0) - displayWidth(cell)
      if (right.has(index)) return ' '.repeat(missing) + cell
      return index === shown.at(-1) ? cell : cell + ' '.repeat(missing)
    })
    await context.stdout.write(`${cells.join(glue)}\n`)
  }
  return code
}
