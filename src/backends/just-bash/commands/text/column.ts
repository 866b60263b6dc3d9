// column: arranges entries in columns of a page, or formats a table.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { displayWidth } from '../display-width.ts'
import { has, parseArguments, valueOf, wholeNumberOf, optionTable } from '../options.ts'
import { complain } from '../program.ts'
import { textOf } from './text-lines.ts'
import { paceOf, splitInParts, unitsPerItem } from '../pace.ts'
import { letOthersRun } from '../stop.ts'

const columnOptions = optionTable(`
  -t --table: t, -s --separator: separator=, -o --output-separator: output=, -c --output-width: width=,
  -N --table-columns: names=, -R --table-right: right=, -H --table-hide: hidden=, -O --table-order: order=,
  -l --table-columns-limit: limit=, -d --table-noheadings: no-names, -n --table-name: table-name=, -J --json: json,
  -x --fillrows: x, -L --keep-empty-lines: keeps-empty-lines
`)

export async function column(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, columnOptions)
  if (typeof parsed === 'string') return complain(context, 'column', parsed)
  const names = valueOf(parsed, 'names')?.split(',')
  const isJson = has(parsed, 'json')
  if (isJson && names === undefined) return complain(context, 'column', 'option --table-columns required for --json')
  const ofTables = ['names', 'right', 'hidden', 'order', 'table-name']
  if (!has(parsed, 't') && !isJson && ofTables.some(name => has(parsed, name)))
    return complain(context, 'column', 'option --table required for all --table-*')
  const limitText = valueOf(parsed, 'limit')
  const limit = limitText === undefined ? Infinity : wholeNumberOf(limitText, 1)
  if (limit === undefined) return complain(context, 'column', `invalid columns limit argument: '${limitText ?? ''}'`)
  const widthText = valueOf(parsed, 'width') ?? '80'
  const width = wholeNumberOf(widthText, 0)
  if (width === undefined) return complain(context, 'column', `invalid columns argument: '${widthText}'`)
  const { text, code } = await textOf(context, 'column', parsed.operands)
  const pace = paceOf(context.signal)
  const lines: string[] = []
  for (const line of await splitInParts(text, '\n', pace)) {
    if (has(parsed, 'keeps-empty-lines') || line.trim() !== '') lines.push(line)
    if (pace.isDue(unitsPerItem)) await pace.rest()
  }
  if (!has(parsed, 't') && !isJson) {
    let size = 0
    for (const line of lines) {
      size = Math.max(size, displayWidth(line))
      if (pace.isDue(line.length + unitsPerItem)) await pace.rest()
    }
    const cell = Math.ceil((size + 1) / 8) * 8
    const perRow = Math.max(1, Math.floor(width / cell))
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
  const splitter =
    separator === undefined || separator.length === 1 ? separator : new RegExp(`[${separator.replace(/[\\\]^-]/g, '\\$&')}]`)
  const table: string[][] = names === undefined || has(parsed, 'no-names') || isJson ? [] : [names]
  for (const [number, line] of lines.entries()) {
    const cells = cellsOf(line, splitter, limit)
    if (isJson && names !== undefined && cells.length > names.length)
      return complain(context, 'column', `line ${number + 1}: for JSON the name of the column ${names.length + 1} is required`)
    table.push(cells)
    if (pace.isDue(line.length + 4 * unitsPerItem)) await pace.rest()
  }
  const widths: number[] = isJson ? (names ?? []).map(() => 0) : []
  for (const [number, row] of table.entries()) {
    if (number % 1024 === 0) await letOthersRun(context.signal)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, displayWidth(cell))
  }
  const numbersOf = (option: string): ReadonlySet<number> => {
    const asked = valueOf(parsed, option)?.split(',') ?? []
    const named = names ?? []
    // `-` means all columns without a name.
    const unnamed = asked.includes('-') ? widths.map((_, index) => index).filter(index => index >= named.length) : []
    return new Set([...asked.map(name => (named.includes(name) ? named.indexOf(name) : Number(name) - 1)), ...unnamed])
  }
  const [right, hidden] = [numbersOf('right'), numbersOf('hidden')]
  const first = [...numbersOf('order')].filter(index => index in widths)
  const ordered = [...first, ...widths.map((_, index) => index).filter(index => !first.includes(index))]
  const shown = ordered.filter(index => !hidden.has(index))
  if (isJson) {
    await context.stdout.write(jsonTable(valueOf(parsed, 'table-name') ?? 'table', names ?? [], table, shown))
    return code
  }
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

/** The cells of a line. With a limit, the last one holds the rest of the line as it is. */
function cellsOf(line: string, splitter: string | RegExp | undefined, limit: number): string[] {
  if (limit === 1) return [line]
  const trimmed = splitter === undefined ? line.replace(/^[ \t]+|[ \t]+$/g, '') : line
  const cells = trimmed.split(splitter ?? /[ \t]+/)
  if (cells.length <= limit) return cells
  const separator = new RegExp(
    splitter === undefined ? '[ \\t]+' : typeof splitter === 'string' ? literal(splitter) : splitter.source,
    'g',
  )
  let from = 0
  for (let count = 1; count < limit; count++) {
    separator.lastIndex = from
    separator.exec(trimmed)
    from = separator.lastIndex
  }
  return [...cells.slice(0, limit - 1), trimmed.slice(from)]
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** Names in lower case, in ASCII, and `null` for an empty cell. */
function jsonTable(
  name: string,
  names: readonly string[],
  rows: readonly (readonly string[])[],
  shown: readonly number[],
): string {
  const lower = (text: string): string => JSON.stringify(text.replace(/[A-Z]/g, letter => letter.toLowerCase()))
  const objects = rows.map(row => {
    const members = shown.map(index => {
      const cell = row[index] ?? ''
      return `         ${lower(names[index] ?? '')}: ${cell === '' ? 'null' : JSON.stringify(cell)}`
    })
    return `{\n${members.join(',\n')}\n      }`
  })
  return `{\n   ${lower(name)}: [\n      ${objects.join(',')}\n   ]\n}\n`
}
