// Small filters over lines: rev, nl, fold, expand, unexpand, comm, join, column, strings, split, shuf, seq.

import { decodeText, encodeText } from '../../../../shell/byte-text.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { formatNumber } from '../../format/number-format.ts'
import { countOf, has, parseArguments, valueOf, type Arguments } from '../options.ts'
import { complain, eachInput, pathOf, readNamed, reasonOf } from '../program.ts'

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** All inputs as one text, and whether each could be read. */
async function textOf(
  context: ShellCommandContext,
  command: string,
  names: readonly string[],
): Promise<{ readonly text: string; readonly code: number }> {
  let text = ''
  const code = await eachInput(context, command, names, async bytes => {
    text += decodeText(bytes)
  })
  return { text, code }
}

export async function rev(context: ShellCommandContext): Promise<number> {
  return eachInput(context, 'rev', context.args, async bytes => {
    const text = decodeText(bytes)
    await context.stdout.write(
      text
        .split('\n')
        .map(line => Array.from(line).reverse().join(''))
        .join('\n'),
    )
  })
}

export async function nl(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    '-b': 'body=',
    '--body-numbering': 'body=',
    '-w': 'width=',
    '--number-width': 'width=',
    '-s': 'separator=',
    '--number-separator': 'separator=',
    '-v': 'start=',
    '--starting-line-number': 'start=',
    '-n': 'format=',
    '--number-format': 'format=',
    '-i': 'step=',
    '--line-increment': 'step=',
    '-p': 'ignored',
  })
  if (typeof parsed === 'string') return complain(context, 'nl', parsed)
  const body = valueOf(parsed, 'body') ?? 't'
  const width = Number(valueOf(parsed, 'width') ?? 6)
  const separator = valueOf(parsed, 'separator') ?? '\t'
  const format = valueOf(parsed, 'format') ?? 'rn'
  let number = Number(valueOf(parsed, 'start') ?? 1)
  const step = Number(valueOf(parsed, 'step') ?? 1)
  const { text, code } = await textOf(context, 'nl', parsed.operands)
  const pattern = body.startsWith('p') ? new RegExp(body.slice(1)) : undefined
  for (const line of linesOf(text)) {
    const isNumbered = body === 'a' || (body === 't' && line !== '') || pattern?.test(line) === true
    if (!isNumbered) {
      await context.stdout.write(`${' '.repeat(width + separator.length)}${line}\n`)
      continue
    }
    const shown = format === 'ln' ? String(number).padEnd(width) : String(number).padStart(width, format === 'rz' ? '0' : ' ')
    await context.stdout.write(`${shown}${separator}${line}\n`)
    number += step
  }
  return code
}

export async function fold(context: ShellCommandContext): Promise<number> {
  const args = context.args.map(arg => arg.replace(/^-(\d+)$/, '-w$1'))
  const parsed = parseArguments(args, {
    '-w': 'width=',
    '--width': 'width=',
    '-s': 's',
    '--spaces': 's',
    '-b': 'b',
    '--bytes': 'b',
  })
  if (typeof parsed === 'string') return complain(context, 'fold', parsed)
  const width = Number(valueOf(parsed, 'width') ?? 80)
  if (!(width > 0)) return complain(context, 'fold', `invalid number of columns: '${valueOf(parsed, 'width') ?? ''}'`)
  const { text, code } = await textOf(context, 'fold', parsed.operands)
  const hasEnd = text.endsWith('\n')
  const folded = (hasEnd ? text.slice(0, -1) : text)
    .split('\n')
    .map(line => foldLine(Array.from(line), width, has(parsed, 's'), has(parsed, 'b')))
  if (text !== '') await context.stdout.write(folded.join('\n') + (hasEnd ? '\n' : ''))
  return code
}

function foldLine(characters: readonly string[], width: number, atSpaces: boolean, countsBytes: boolean): string {
  const after = (column: number, character: string): number => {
    if (countsBytes) return column + encodeText(character).length
    if (character === '\t') return column + 8 - (column % 8)
    if (character === '\b') return Math.max(0, column - 1)
    return character === '\r' ? 0 : column + 1
  }
  const parts: string[] = []
  let part: string[] = []
  let column = 0
  for (const character of characters) {
    column = after(column, character)
    while (column > width && part.length > 0) {
      const space = atSpaces ? part.findLastIndex(one => one === ' ' || one === '\t') : -1
      const rest = space >= 0 ? part.splice(space + 1) : []
      parts.push(part.join(''))
      part = rest
      column = after(part.reduce(after, 0), character)
    }
    part.push(character)
  }
  return [...parts, part.join('')].join('\n')
}

export async function expand(context: ShellCommandContext): Promise<number> {
  const args = context.args.map(arg => arg.replace(/^-(\d+)$/, '-t$1'))
  const parsed = parseArguments(args, { '-t': 'tabs=', '--tabs': 'tabs=', '-i': 'i', '--initial': 'i' })
  if (typeof parsed === 'string') return complain(context, 'expand', parsed)
  const size = Number(valueOf(parsed, 'tabs') ?? 8)
  return eachInput(context, 'expand', parsed.operands, async bytes => {
    await context.stdout.write(
      decodeText(bytes)
        .split('\n')
        .map(line => {
          let column = 0
          let isInitial = true
          return Array.from(line, character => {
            if (character === '\t' && (isInitial || !has(parsed, 'i'))) {
              const count = size - (column % size)
              column += count
              return ' '.repeat(count)
            }
            if (character !== ' ' && character !== '\t') isInitial = false
            column += 1
            return character
          }).join('')
        })
        .join('\n'),
    )
  })
}

export async function unexpand(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    '-a': 'a',
    '--all': 'a',
    '-t': 'tabs=',
    '--tabs': 'tabs=',
    '--first-only': 'first',
  })
  if (typeof parsed === 'string') return complain(context, 'unexpand', parsed)
  const size = Number(valueOf(parsed, 'tabs') ?? 8)
  const isAll = has(parsed, 'a') || valueOf(parsed, 'tabs') !== undefined
  return eachInput(context, 'unexpand', parsed.operands, async bytes => {
    const lines = decodeText(bytes)
      .split('\n')
      .map(line => {
        const [lead = ''] = /^[ \t]*/.exec(line) ?? []
        const head = tabbed(lead, 0, size)
        const rest = line.slice(lead.length)
        if (!isAll) return head + rest
        let column = columnsOf(lead, size)
        return (
          head +
          rest.replace(/[^ \t]+|[ \t]+/g, part => {
            const shown = /^[ \t]{2,}$|^\t$/.test(part) ? tabbed(part, column, size) : part
            column += /^[ \t]/.test(part) ? columnsOf(part, size, column) : part.length
            return shown
          })
        )
      })
    await context.stdout.write(lines.join('\n'))
  })
}

function columnsOf(blank: string, size: number, start = 0): number {
  let column = start
  for (const character of blank) column = character === '\t' ? column + size - (column % size) : column + 1
  return column - start
}

function tabbed(blank: string, start: number, size: number): string {
  const end = start + columnsOf(blank, size, start)
  let column = start
  let text = ''
  while (Math.floor(column / size) < Math.floor(end / size)) {
    text += '\t'
    column += size - (column % size)
  }
  return text + ' '.repeat(end - column)
}

export async function comm(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    '-1': '1',
    '-2': '2',
    '-3': '3',
    '--check-order': 'check-order',
    '--nocheck-order': 'no-check-order',
    '-i': 'i',
    '--output-delimiter': 'delimiter=',
    '--total': 'total',
  })
  if (typeof parsed === 'string') return complain(context, 'comm', parsed)
  const [first, second] = parsed.operands
  if (first === undefined || second === undefined) return complain(context, 'comm', 'missing operand')
  const lists: string[][] = []
  for (const name of [first, second]) {
    try {
      lists.push(linesOf(decodeText(await readNamed(context, name))))
    } catch (error) {
      return complain(context, 'comm', `${name}: ${reasonOf(error)}`)
    }
  }
  const [left = [], right = []] = lists
  const delimiter = valueOf(parsed, 'delimiter') ?? '\t'
  const prefix = (column: number): string =>
    delimiter.repeat(['1', '2', '3'].slice(0, column - 1).filter(name => !has(parsed, name)).length)
  const counts = [0, 0, 0]
  const show = async (column: number, line: string): Promise<void> => {
    counts[column - 1] = (counts[column - 1] ?? 0) + 1
    if (!has(parsed, String(column))) await context.stdout.write(`${prefix(column)}${line}\n`)
  }
  let [i, j] = [0, 0]
  const order = new OrderCheck(parsed)
  while (i < left.length || j < right.length) {
    const [one, other] = [left[i], right[j]]
    if (one !== other) order.hasUnpaired = true
    if (other === undefined || (one !== undefined && one < other)) {
      await show(1, one ?? '')
      i += 1
      order.look(1, one, left[i])
    } else if (one === undefined || other < one) {
      await show(2, other)
      j += 1
      order.look(2, other, right[j])
    } else {
      await show(3, one)
      i += 1
      j += 1
      order.look(1, one, left[i])
      order.look(2, other, right[j])
    }
    if (order.isBroken) break
  }
  if (order.disordered.size > 0) {
    for (const file of order.disordered) await complain(context, 'comm', `file ${file} is not in sorted order`)
    if (order.isBroken) return 1
  }
  if (has(parsed, 'total')) await context.stdout.write(`${counts.join(delimiter)}${delimiter}total\n`)
  return order.disordered.size > 0 ? complain(context, 'comm', 'input is not in sorted order') : 0
}

/** Whether the lines of two inputs are sorted, which is asked from the first that has no partner on (or at once, or never). */
class OrderCheck {
  hasUnpaired = false
  /** The inputs, from 1, that are not. */
  readonly disordered: Set<number> = new Set<number>()
  private readonly isStrict: boolean
  private readonly isOff: boolean

  constructor(parsed: Arguments) {
    this.isStrict = has(parsed, 'check-order')
    this.isOff = has(parsed, 'no-check-order')
  }

  /** Nothing more may be printed. */
  get isBroken(): boolean {
    return this.isStrict && this.disordered.size > 0
  }

  look(file: number, before: string | undefined, next: string | undefined): boolean {
    const isWrong =
      !this.isOff && (this.hasUnpaired || this.isStrict) && before !== undefined && next !== undefined && before > next
    if (!isWrong || this.disordered.has(file)) return false
    this.disordered.add(file)
    return true
  }
}

export async function join(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    '-t': 'separator=',
    '-1': 'first=',
    '-2': 'second=',
    '-j': 'both=',
    '-a': 'unpaired=',
    '-v': 'only=',
    '-o': 'output=',
    '-e': 'empty=',
    '-i': 'i',
    '--header': 'header',
    '--nocheck-order': 'no-check-order',
    '--check-order': 'check-order',
  })
  if (typeof parsed === 'string') return complain(context, 'join', parsed)
  const [one, other] = parsed.operands
  if (one === undefined || other === undefined) return complain(context, 'join', 'missing operand')
  const separator = valueOf(parsed, 'separator')
  const split = (line: string): string[] =>
    separator === undefined ? line.replace(/^[ \t]+|[ \t]+$/g, '').split(/[ \t]+/) : line.split(separator)
  const places = [
    Number(valueOf(parsed, 'first') ?? valueOf(parsed, 'both') ?? 1),
    Number(valueOf(parsed, 'second') ?? valueOf(parsed, 'both') ?? 1),
  ]
  const sources: string[][] = []
  const tables: string[][][] = []
  for (const name of [one, other]) {
    try {
      const lines = linesOf(decodeText(await readNamed(context, name)))
      sources.push(lines)
      tables.push(lines.map(split))
    } catch (error) {
      return complain(context, 'join', `${name}: ${reasonOf(error)}`)
    }
  }
  const [left = [], right = []] = tables
  const key = (row: readonly string[] | undefined, side: number): string => {
    const text = row?.[(places[side] ?? 1) - 1] ?? ''
    return has(parsed, 'i') ? text.toLowerCase() : text
  }
  const glue = separator ?? ' '
  const empty = valueOf(parsed, 'empty') ?? ''
  const output = valueOf(parsed, 'output')
  const print = async (a: readonly string[] | undefined, b: readonly string[] | undefined): Promise<void> => {
    const shared = (a === undefined ? b?.[(places[1] ?? 1) - 1] : a[(places[0] ?? 1) - 1]) ?? ''
    const others = (row: readonly string[] | undefined, side: number): string[] =>
      row?.filter((_, index) => index !== (places[side] ?? 1) - 1) ?? []
    const cells =
      output === undefined || output === 'auto'
        ? [shared, ...others(a, 0), ...others(b, 1)]
        : output.split(/[, ]+/).map(cell => {
            if (cell === '0') return shared
            const [side, field] = cell.split('.')
            return (side === '1' ? a : b)?.[Number(field) - 1] || empty
          })
    await context.stdout.write(`${cells.join(glue)}\n`)
  }
  const unpaired = new Set([
    ...parsed.options.filter(({ name }) => name === 'unpaired' || name === 'only').map(({ value }) => value),
  ])
  const showsPairs = !parsed.options.some(({ name }) => name === 'only')
  let [i, j] = [0, 0]
  if (has(parsed, 'header')) {
    await print(left[0], right[0])
    i = 1
    j = 1
  }
  const order = new OrderCheck(parsed)
  const step = async (side: number, at: number, rows: readonly string[][]): Promise<void> => {
    const [before, next] = [rows[at - 1], rows[at]]
    if (before === undefined || next === undefined || !order.look(side + 1, key(before, side), key(next, side))) return
    await complain(context, 'join', `${[one, other][side] ?? ''}:${at + 1}: is not sorted: ${sources[side]?.[at] ?? ''}`)
  }
  while (i < left.length || j < right.length) {
    const [a, b] = [left[i], right[j]]
    if (b === undefined || (a !== undefined && key(a, 0) < key(b, 1))) {
      order.hasUnpaired = true
      if (unpaired.has('1')) await print(a, undefined)
      i += 1
      await step(0, i, left)
    } else if (a === undefined || key(b, 1) < key(a, 0)) {
      order.hasUnpaired = true
      if (unpaired.has('2')) await print(undefined, b)
      j += 1
      await step(1, j, right)
    } else {
      const shared = key(a, 0)
      let end = j
      while (end < right.length && key(right[end], 1) === shared) end += 1
      for (; i < left.length && key(left[i], 0) === shared; i++)
        if (showsPairs) for (let at = j; at < end; at++) await print(left[i], right[at])
      j = end
      await step(0, i, left)
      await step(1, j, right)
    }
    if (order.isBroken) return 1
  }
  return order.disordered.size > 0 ? complain(context, 'join', 'input is not in sorted order') : 0
}

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
    '-n': 'n',
    '-x': 'x',
    '-L': 'ignored',
  })
  if (typeof parsed === 'string') return complain(context, 'column', parsed)
  const { text, code } = await textOf(context, 'column', parsed.operands)
  const lines = linesOf(text).filter(line => line.trim() !== '')
  if (!has(parsed, 't')) {
    const size = Math.max(0, ...lines.map(line => line.length))
    const cell = Math.ceil((size + 1) / 8) * 8
    const perRow = Math.max(1, Math.floor(Number(valueOf(parsed, 'width') ?? 80) / cell))
    const rows = Math.ceil(lines.length / perRow)
    for (let row = 0; row < rows; row++) {
      const cells = lines.filter((_, index) => (has(parsed, 'x') ? Math.floor(index / perRow) === row : index % rows === row))
      await context.stdout.write(
        `${cells.map((entry, index) => (index === cells.length - 1 ? entry : entry + '\t'.repeat(Math.ceil((cell - entry.length) / 8)))).join('')}\n`,
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
        ? line.trim().split(/[ \t]+/)
        : line.split(separator.length === 1 ? separator : new RegExp(`[${separator.replace(/[\\\]^-]/g, '\\$&')}]`)),
    ),
  ]
  const widths: number[] = []
  for (const row of table)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, Array.from(cell).length)
  const right = new Set(valueOf(parsed, 'right')?.split(',').map(Number))
  const glue = valueOf(parsed, 'output') ?? '  '
  for (const row of table) {
    // A short row has empty cells at its end.
    const cells = widths.map((_, index) => {
      const cell = row[index] ?? ''
      const missing = (widths[index] ?? 0) - Array.from(cell).length
      if (right.has(index + 1)) return ' '.repeat(missing) + cell
      return index === widths.length - 1 ? cell : cell + ' '.repeat(missing)
    })
    await context.stdout.write(`${cells.join(glue)}\n`)
  }
  return code
}

export async function strings(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(
    context.args.map(arg => arg.replace(/^-(\d+)$/, '-n$1')),
    { '-n': 'length=', '--bytes': 'length=', '-a': 'a', '-t': 'radix=', '--radix': 'radix=' },
  )
  if (typeof parsed === 'string') return complain(context, 'strings', parsed)
  const length = Number(valueOf(parsed, 'length') ?? 4)
  const base = { d: 10, o: 8, x: 16 }[valueOf(parsed, 'radix') ?? '']
  return eachInput(context, 'strings', parsed.operands, async bytes => {
    let run = ''
    for (let at = 0; at <= bytes.length; at++) {
      const byte = bytes[at] ?? 0
      if (byte === 9 || (byte >= 32 && byte < 127)) {
        run += String.fromCharCode(byte)
        continue
      }
      if (run.length >= length)
        await context.stdout.write(`${base === undefined ? '' : `${(at - run.length).toString(base).padStart(7)} `}${run}\n`)
      run = ''
    }
  })
}

export async function split(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(
    context.args.map(arg => arg.replace(/^-(\d+)$/, '-l$1')),
    {
      '-l': 'lines=',
      '--lines': 'lines=',
      '-b': 'bytes=',
      '--bytes': 'bytes=',
      '-n': 'chunks=',
      '--number': 'chunks=',
      '-d': 'd',
      '--numeric-suffixes': 'd',
      '-a': 'length=',
      '--suffix-length': 'length=',
      '--additional-suffix': 'suffix=',
      '-C': 'line-bytes=',
    },
  )
  if (typeof parsed === 'string') return complain(context, 'split', parsed)
  const [name = '-', prefix = 'x'] = parsed.operands
  let bytes: Uint8Array
  try {
    bytes = await readNamed(context, name)
  } catch (error) {
    return complain(context, 'split', `cannot open '${name}' for reading: ${reasonOf(error)}`)
  }
  const pieces = piecesOf(bytes, valueOf(parsed, 'bytes'), valueOf(parsed, 'chunks'), Number(valueOf(parsed, 'lines') ?? 1000))
  if (typeof pieces === 'string') return complain(context, 'split', pieces)
  const length = Number(valueOf(parsed, 'length') ?? 2)
  for (const [index, piece] of pieces.entries()) {
    const suffix = has(parsed, 'd') ? String(index).padStart(length, '0') : lettersOf(index, length)
    await context.files.writeFile(pathOf(context, prefix + suffix + (valueOf(parsed, 'suffix') ?? '')), piece)
  }
  return 0
}

function piecesOf(bytes: Uint8Array, size: string | undefined, chunks: string | undefined, lines: number): Uint8Array[] | string {
  const pieces: Uint8Array[] = []
  if (size !== undefined) {
    const count = countOf(size)
    if (count === undefined || count < 1) return `invalid number of bytes: '${size}'`
    for (let at = 0; at < bytes.length; at += count) pieces.push(bytes.subarray(at, at + count))
    return pieces
  }
  if (chunks !== undefined) {
    const count = Number(chunks.replace(/^[lr]\//, ''))
    if (!(count >= 1)) return `invalid number of chunks: '${chunks}'`
    const each = Math.floor(bytes.length / count)
    let start = 0
    for (let index = 0; index < count; index++) {
      let end = index === count - 1 ? bytes.length : (index + 1) * each
      if (chunks.startsWith('l/') && index < count - 1)
        end = Math.max(start, bytes.indexOf(10, Math.max(0, end - 1)) + 1 || bytes.length)
      pieces.push(bytes.subarray(start, end))
      start = end
    }
    return pieces
  }
  if (!(lines >= 1)) return `invalid number of lines: '${lines}'`
  let start = 0
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    count += 1
    if (count % lines !== 0) continue
    pieces.push(bytes.subarray(start, at + 1))
    start = at + 1
  }
  if (start < bytes.length) pieces.push(bytes.subarray(start))
  return pieces
}

function lettersOf(index: number, length: number): string {
  let text = ''
  for (let rest = index; text.length < length; rest = Math.floor(rest / 26)) text = String.fromCharCode(97 + (rest % 26)) + text
  return text
}

export async function shuf(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    '-n': 'count=',
    '--head-count': 'count=',
    '-e': 'e',
    '--echo': 'e',
    '-i': 'range=',
    '--input-range': 'range=',
    '-r': 'r',
    '--repeat': 'r',
    '-z': 'z',
    '-o': 'output=',
    '--random-source': 'ignored=',
  })
  if (typeof parsed === 'string') return complain(context, 'shuf', parsed)
  const end = has(parsed, 'z') ? '\0' : '\n'
  const [, low, high] = /^(\d+)-(\d+)$/.exec(valueOf(parsed, 'range') ?? '') ?? []
  let items: string[]
  if (low !== undefined)
    items = Array.from({ length: Math.max(0, Number(high) - Number(low) + 1) }, (_, index) => String(Number(low) + index))
  else if (has(parsed, 'e')) items = [...parsed.operands]
  else {
    try {
      const text = decodeText(await readNamed(context, parsed.operands[0] ?? '-'))
      items = text.split(end)
      if (items.at(-1) === '') items.pop()
    } catch (error) {
      return complain(context, 'shuf', `${parsed.operands[0] ?? '-'}: ${reasonOf(error)}`)
    }
  }
  const count = Number(valueOf(parsed, 'count') ?? (has(parsed, 'r') ? Infinity : items.length))
  const chosen: string[] = []
  if (has(parsed, 'r'))
    for (let index = 0; index < Math.min(count, 1_000_000) && items.length > 0; index++)
      chosen.push(items[Math.floor(Math.random() * items.length)] ?? '')
  else {
    for (let last = items.length - 1; last > 0; last--) {
      const other = Math.floor(Math.random() * (last + 1))
      const kept = items[last] ?? ''
      items[last] = items[other] ?? ''
      items[other] = kept
    }
    chosen.push(...items.slice(0, count))
  }
  const text = chosen.map(item => item + end).join('')
  const output = valueOf(parsed, 'output')
  if (output === undefined) await context.stdout.write(text)
  else await context.files.writeFile(pathOf(context, output), encodeText(text))
  return 0
}

export async function seq(context: ShellCommandContext): Promise<number> {
  let format: string | undefined
  let separator = '\n'
  let isPadded = false
  const operands: string[] = []
  const { args } = context
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '-f' || arg === '--format') format = args[(index += 1)]
    else if (arg.startsWith('--format=')) format = arg.slice(9)
    else if (arg === '-s' || arg === '--separator') separator = args[(index += 1)] ?? ''
    else if (arg.startsWith('--separator=')) separator = arg.slice(12)
    else if (/^-s./.test(arg)) separator = arg.slice(2)
    else if (arg === '-w' || arg === '--equal-width') isPadded = true
    else if (arg !== '--') operands.push(arg)
  }
  if (operands.length === 0) return complain(context, 'seq', 'missing operand')
  if (operands.length > 3) return complain(context, 'seq', `extra operand '${operands[3] ?? ''}'`)
  const wrong = operands.find(operand => !/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(operand))
  if (wrong !== undefined) return complain(context, 'seq', `invalid floating point argument: '${wrong}'`)
  const [first = '1', step = '1', last = '1'] =
    operands.length === 1 ? ['1', '1', operands[0]] : operands.length === 2 ? [operands[0], '1', operands[1]] : operands
  const [from, by, to] = [Number(first), Number(step), Number(last)]
  if (by === 0) return complain(context, 'seq', `invalid Zero increment value: '${step}'`)
  separator = separator.replaceAll('\\n', '\n').replaceAll('\\t', '\t')
  const places = Math.max(...[first, step].map(text => /\.(\d+)/.exec(text)?.[1]?.length ?? 0))
  const count = Math.floor((to - from) / by + 1e-10) + 1
  const width = isPadded ? Math.max(from.toFixed(places).length, (from + (count - 1) * by).toFixed(places).length) : 0
  const show = (value: number): string => {
    if (format !== undefined) return formatted(format, value)
    const text = value.toFixed(places)
    return value < 0 ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0')
  }
  let part: string[] = []
  for (let index = 0; index < count; index++) {
    part.push((index === 0 ? '' : separator) + show(from + index * by))
    if (part.length < 4096) continue
    await context.stdout.write(part.join(''))
    part = []
    if (context.signal.aborted) return 143
  }
  if (count > 0) await context.stdout.write(`${part.join('')}\n`)
  return 0
}

function formatted(format: string, value: number): string {
  return format.replace(
    /%([-+ 0#']*)(\d*)(?:\.(\d+))?([efgEFG%])/g,
    (_, flags: string, width: string, precision: string | undefined, letter: string) =>
      letter === '%'
        ? '%'
        : formatNumber(value, {
            flags,
            width: Number(width),
            precision: precision === undefined ? -1 : Number(precision),
            letter,
          }),
  )
}
