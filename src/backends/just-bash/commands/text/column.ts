// column: entries in columns of a page, or a table.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { displayWidth } from '../display-width.ts'
import { has, parseArguments, valueOf } from '../options.ts'
import { complain } from '../program.ts'
import { linesOf, textOf } from './text-lines.ts'

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
    '-n': 'table-name=',
    '-x': 'x',
    '-L': 'keeps-empty-lines',
    '--keep-empty-lines': 'keeps-empty-lines',
  })
  if (typeof parsed === 'string') return complain(context, 'column', parsed)
  const { text, code } = await textOf(context, 'column', parsed.operands)
  const lines = linesOf(text).filter(line => has(parsed, 'keeps-empty-lines') || line.trim() !== '')
  if (!has(parsed, 't')) {
    const size = Math.max(0, ...lines.map(displayWidth))
    const cell = Math.ceil((size + 1) / 8) * 8
    const perRow = Math.max(1, Math.floor(Number(valueOf(parsed, 'width') ?? 80) / cell))
    const rows = Math.ceil(lines.length / perRow)
    for (let row = 0; row < rows; row++) {
      const cells = lines.filter((_, index) => (has(parsed, 'x') ? Math.floor(index / perRow) === row : index % rows === row))
      await context.stdout.write(
        `${cells.map((entry, index) => (index === cells.length - 1 ? entry : entry + '\t'.repeat(Math.ceil((cell - displayWidth(entry)) / 8)))).join('')}\n`,
      )
    }
    return code
  }
  const separator = valueOf(parsed, 'separator')
  const names = valueOf(parsed, 'names')
  const table = [
    ...(names === undefined ? [] : [names.split(',')]),
    ...lines.map(line =>
      separator === undefined
        ? line.replace(/^[ \t]+|[ \t]+$/g, '').split(/[ \t]+/)
        : line.split(separator.length === 1 ? separator : new RegExp(`[${separator.replace(/[\\\]^-]/g, '\\$&')}]`)),
    ),
  ]
  const widths: number[] = []
  for (const row of table)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, displayWidth(cell))
  const right = new Set(valueOf(parsed, 'right')?.split(',').map(Number))
  const glue = valueOf(parsed, 'output') ?? '  '
  for (const row of table) {
    // A short row has empty cells at its end.
    const cells = widths.map((_, index) => {
      const cell = row[index] ?? ''
      const missing = (widths[index] ?? 0) - displayWidth(cell)
      if (right.has(index + 1)) return ' '.repeat(missing) + cell
      return index === widths.length - 1 ? cell : cell + ' '.repeat(missing)
    })
    await context.stdout.write(`${cells.join(glue)}\n`)
  }
  return code
}
