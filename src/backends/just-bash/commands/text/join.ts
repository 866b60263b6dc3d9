// comm and join: compare two sorted inputs line by line.

import { decodeText } from '../../../../shell/byte-text.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { openInput } from '../filter/input.ts'
import { TextOutput } from '../filter/output.ts'
import { RecordReader } from '../filter/record-reader.ts'
import { bytesOfArgument } from '../inputs.ts'
import { type Arguments, has, parseArguments, valueOf, optionTable } from '../options.ts'
import { paceOf, splitInParts, unitsPerItem } from '../pace.ts'
import { complain, readNamed } from '../program.ts'
import { letOthersRun } from '../stop.ts'
import { reasonOf } from '../../errno.ts'

const commOptions = optionTable(`
  -1: 1, -2: 2, -3: 3, --check-order: check-order, --nocheck-order: no-check-order, -i: i, --output-delimiter: delimiter=,
  --total: total, -z --zero-terminated: zero
`)

export async function comm(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, commOptions)
  if (typeof parsed === 'string') return complain(context, 'comm', parsed)
  const [first, second] = parsed.operands
  if (first === undefined || second === undefined)
    return complain(context, 'comm', first === undefined ? 'missing operand' : `missing operand after '${first}'`)
  const end = has(parsed, 'zero') ? '\0' : '\n'
  const standard = new RecordReader(context.stdin, end)
  const readers: RecordReader[] = []
  for (const name of [first, second]) {
    try {
      readers.push(name === '-' ? standard : new RecordReader(await openInput(name, context), end))
    } catch (error) {
      return complain(context, 'comm', `${name}: ${reasonOf(error)}`)
    }
  }
  const [left = standard, right = standard] = readers
  const given = valueOf(parsed, 'delimiter') ?? '\t'
  const delimiter = given === '' ? '\0' : given
  const prefix = (column: number): string =>
    delimiter.repeat(['1', '2', '3'].slice(0, column - 1).filter(name => !has(parsed, name)).length)
  const counts = [0, 0, 0]
  const output = new TextOutput(context.stdout)
  const show = (column: number, line: string): void => {
    counts[column - 1] = (counts[column - 1] ?? 0) + 1
    if (!has(parsed, String(column))) output.write(`${prefix(column)}${line}${end}`)
  }
  const order = new OrderCheck(parsed)
  const after = async (file: number, before: string): Promise<string | undefined> => {
    const next = (await (file === 1 ? left : right).next())?.text
    order.look(file, before, next)
    return next
  }
  let one = (await left.next())?.text
  let other = (await right.next())?.text
  while ((one !== undefined || other !== undefined) && !order.isBroken) {
    if (one !== other) order.hasUnpaired = true
    const [fromOne, fromOther] = [one, other]
    if (fromOne !== undefined && (fromOther === undefined || fromOne <= fromOther)) {
      show(fromOne === fromOther ? 3 : 1, fromOne)
      one = await after(1, fromOne)
    }
    if (fromOther !== undefined && (fromOne === undefined || fromOther <= fromOne)) {
      if (fromOne !== fromOther) show(2, fromOther)
      other = await after(2, fromOther)
    }
    if (output.isFull) await output.flush()
  }
  await output.flush()
  if (order.disordered.size > 0) {
    for (const file of order.disordered) await complain(context, 'comm', `file ${file} is not in sorted order`)
    if (order.isBroken) return 1
  }
  if (has(parsed, 'total')) await context.stdout.write(`${counts.join(delimiter)}${delimiter}total${end}`)
  return order.disordered.size > 0 ? complain(context, 'comm', 'input is not in sorted order') : 0
}

/** Checks whether two inputs are sorted: from the first unpairable line on, or with options always or never. */
class OrderCheck {
  hasUnpaired = false
  /** The 1-based numbers of the inputs that are not sorted. */
  readonly disordered: Set<number> = new Set<number>()
  private readonly isStrict: boolean
  private readonly isOff: boolean

  constructor(parsed: Arguments) {
    const last = parsed.options.findLast(({ name }) => name.endsWith('check-order'))?.name
    this.isStrict = last === 'check-order'
    this.isOff = last === 'no-check-order'
  }

  /** Whether output must stop. */
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

const joinOptions = optionTable(`
  -t: separator=, -1: first=, -2: second=, -j: both=, -a: unpaired=, -v: only=, -o: output=, -e: empty=, -i --ignore-case: i,
  --header: header, --nocheck-order: no-check-order, --check-order: check-order, -z --zero-terminated: zero
`)

export async function join(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, joinOptions)
  if (typeof parsed === 'string') return complain(context, 'join', parsed)
  const [one, other] = parsed.operands
  if (one === undefined || other === undefined)
    return complain(context, 'join', one === undefined ? 'missing operand' : `missing operand after '${one}'`)
  const given = valueOf(parsed, 'separator')
  const valuesOf = (...names: readonly string[]): string[] =>
    parsed.options.filter(({ name }) => names.includes(name)).map(({ value }) => value)
  if (new Set(valuesOf('separator')).size > 1) return complain(context, 'join', 'incompatible tabs')
  const separator = given === '\\0' ? '\0' : given
  if (bytesOfArgument(separator ?? '').length > 1) return complain(context, 'join', `multi-character tab '${given ?? ''}'`)
  const wrongSide = valuesOf('unpaired', 'only').find(side => !/^0*[12]$/.test(side))
  if (wrongSide !== undefined) return complain(context, 'join', `invalid field number: '${wrongSide}'`)
  const wrongKey = valuesOf('first', 'second', 'both').find(field => !/^\+?0*[1-9]\d*$/.test(field))
  if (wrongKey !== undefined) return complain(context, 'join', `invalid field number: '${wrongKey}'`)
  const formats = valuesOf('output')
  const wrongField = formats
    .join(',')
    .split(/[, ]+/)
    .find(field => !/^(?:|auto|0|[12]\.[1-9]\d*)$/.test(field))
  if (wrongField !== undefined) return complain(context, 'join', `invalid field spec: '${wrongField}'`)
  const split = (line: string): string[] => {
    // An empty line has no fields; with `-t ''`, a whole line is one field.
    if (line === '' || separator === '') return line === '' ? [] : [line]
    if (separator !== undefined) return line.split(separator)
    // Blanks at the end leave an empty field.
    const trimmed = line.replace(/^[ \t\n]+/, '')
    return trimmed === '' ? [] : trimmed.split(/[ \t\n]+/)
  }
  const places: number[] = []
  for (const side of ['first', 'second']) {
    const given = [...new Set(valuesOf(side, 'both').map(Number))]
    if (given.length > 1) return complain(context, 'join', `incompatible join fields ${given.slice(0, 2).join(', ')}`)
    places.push(given[0] ?? 1)
  }
  const end = has(parsed, 'zero') ? '\0' : '\n'
  const sources: string[][] = []
  const pace = paceOf(context.signal)
  const tables: string[][][] = []
  for (const name of [one, other]) {
    try {
      const lines = await splitInParts(decodeText(await readNamed(context, name)), end, pace)
      sources.push(lines)
      const rows: string[][] = []
      for (const line of lines) {
        rows.push(split(line))
        if (pace.isDue(line.length + 8 * unitsPerItem)) await pace.rest()
      }
      tables.push(rows)
    } catch (error) {
      return complain(context, 'join', `${name}: ${reasonOf(error)}`)
    }
  }
  const [left = [], right = []] = tables
  const key = (row: readonly string[] | undefined, side: number): string => {
    const text = row?.[(places[side] ?? 1) - 1] ?? ''
    return has(parsed, 'i') ? text.toLowerCase() : text
  }
  const glue = separator === undefined ? ' ' : separator || '\n'
  /** `-e`: replaces every empty or missing field. */
  if (new Set(valuesOf('empty')).size > 1) return complain(context, 'join', 'conflicting empty-field replacement strings')
  const empty = valueOf(parsed, 'empty') ?? ''
  // Every -o adds fields, and takes the place of an `auto` before it.
  const fields = formats.filter(format => format !== 'auto')
  const output = formats.length === 0 ? undefined : fields.join(',') || 'auto'
  let printed = 0
  const print = async (a: readonly string[] | undefined, b: readonly string[] | undefined): Promise<void> => {
    const shared = (a === undefined ? b?.[(places[1] ?? 1) - 1] : a[(places[0] ?? 1) - 1]) || empty
    const others = (row: readonly string[] | undefined, side: number): string[] =>
      row?.filter((_, index) => index !== (places[side] ?? 1) - 1).map(cell => cell || empty) ?? []
    const padded = (row: readonly string[] | undefined, side: number): string[] =>
      others(tables[side]?.[0], side).map((_, index) => others(row, side)[index] || empty)
    const cells =
      output === undefined
        ? [shared, ...others(a, 0), ...others(b, 1)]
        : output === 'auto'
          ? [shared, ...padded(a, 0), ...padded(b, 1)]
          : output.split(/[, ]+/).map(cell => {
              if (cell === '0') return shared
              const [side, field] = cell.split('.')
              return (side === '1' ? a : b)?.[Number(field) - 1] || empty
            })
    printed += 1
    if (printed % 1024 === 0) await letOthersRun(context.signal)
    await context.stdout.write(cells.join(glue) + end)
  }
  const unpaired = new Set(valuesOf('unpaired', 'only'))
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
    if (pace.isDue(8 * unitsPerItem)) await pace.rest()
    const [a, b] = [left[i], right[j]]
    // After the end of the other file, unpairable lines are expected. The line that follows the first unpairable one is not checked.
    const isUnpaired = a !== undefined && b !== undefined && key(a, 0) !== key(b, 1)
    if (b === undefined || (a !== undefined && key(a, 0) < key(b, 1))) {
      if (unpaired.has('1')) await print(a, undefined)
      i += 1
      await step(0, i, left)
    } else if (a === undefined || key(b, 1) < key(a, 0)) {
      if (unpaired.has('2')) await print(undefined, b)
      j += 1
      await step(1, j, right)
    } else {
      const shared = key(a, 0)
      let behind = j
      while (behind < right.length && key(right[behind], 1) === shared) behind += 1
      const start = i
      while (i < left.length && key(left[i], 0) === shared) i += 1
      // The lines behind the pairs are read, and checked, before the pairs are printed.
      await step(0, i, left)
      if (!order.isBroken) await step(1, behind, right)
      if (order.isBroken) return 1
      if (showsPairs) for (let one = start; one < i; one++) for (let at = j; at < behind; at++) await print(left[one], right[at])
      j = behind
    }
    order.hasUnpaired ||= isUnpaired
    if (order.isBroken) return 1
  }
  return order.disordered.size > 0 ? complain(context, 'join', 'input is not in sorted order') : 0
}
