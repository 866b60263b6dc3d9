// cut: selects parts of lines (bytes, characters or fields), always in input order.

import { readAll, type ShellCommandContext } from '../../../../shell/commands.ts'
import { latin1Bytes, latin1Text } from '../../encoding.ts'
import { ByteRecords } from '../filter/byte-records.ts'
import { eachStream } from '../filter/each-input.ts'
import { bytesOfArgument, recordsOf } from '../inputs.ts'
import { has, type OptionTable, optionTable, parseArguments, valueOf } from '../options.ts'
import { complain } from '../program.ts'

const table: OptionTable = optionTable(`
  -b --bytes: bytes=, -c --characters: characters=, -f --fields: fields=, -d --delimiter: delimiter=,
  -s --only-delimited: only-delimited, -n: ignored, --complement: complement, --output-delimiter: output=,
  -z --zero-terminated: zero
`)

type Range = readonly [first: number, last: number]

/** `cut -b|-c|-f LIST [-d X] [-s] [--complement] [--output-delimiter=X] [FILE]...`. As in GNU cut, -c selects bytes. */
export async function cut(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, table)
  if (typeof parsed === 'string') return complain(context, 'cut', parsed)
  const units = (['bytes', 'characters', 'fields'] as const).filter(name => has(parsed, name))
  const [unit] = units
  if (unit === undefined) return complain(context, 'cut', 'you must specify a list of bytes, characters, or fields')
  if (parsed.options.filter(({ name }) => units.some(each => each === name)).length > 1)
    return complain(context, 'cut', 'only one list may be specified')
  if (unit !== 'fields' && valueOf(parsed, 'delimiter') !== undefined)
    return complain(context, 'cut', 'an input delimiter may be specified only when operating on fields')
  if (unit !== 'fields' && has(parsed, 'only-delimited'))
    return complain(context, 'cut', 'suppressing non-delimited lines makes sense\n\tonly when operating on fields')
  const ranges = rangesOf(valueOf(parsed, unit) ?? '', unit === 'fields')
  if (typeof ranges === 'string') return complain(context, 'cut', ranges)
  // As in GNU cut, an empty delimiter is the NUL byte.
  const delimiter = bytesOfArgument((valueOf(parsed, 'delimiter') ?? '\t') || '\0')
  // One byte, not one character.
  if (delimiter.length !== 1) return complain(context, 'cut', 'the delimiter must be a single character')
  const output = valueOf(parsed, 'output')
  const wanted = has(parsed, 'complement') ? complementOf(merged(ranges)) : merged(ranges)
  const glue = output === undefined ? undefined : bytesOfArgument(output || '\0')
  const cutLine = (line: string): string | undefined => {
    if (unit !== 'fields')
      return wanted
        .map(([first, last]) => line.slice(first - 1, last))
        .filter(Boolean)
        .join(glue ?? '')
    if (!line.includes(delimiter)) return has(parsed, 'only-delimited') ? undefined : line
    const pieces = fieldsOf(line, delimiter, wanted)
    return glue === undefined ? pieces.join(delimiter) : pieces.map(piece => piece.replaceAll(delimiter, () => glue)).join(glue)
  }
  const end = has(parsed, 'zero') ? '\0' : '\n'
  // With the end of a line as delimiter, lines are the fields of the whole input.
  if (unit === 'fields' && delimiter === end)
    return eachStream(context, 'cut', parsed.operands, async input => {
      const lines = recordsOf(latin1Text(await readAll(input)), end)
      const isWhole = lines.length <= 1
      const kept = isWhole ? lines : wanted.flatMap(([first, last]) => lines.slice(first - 1, last))
      if (!(isWhole && has(parsed, 'only-delimited')))
        await context.stdout.write(latin1Bytes(kept.length === 0 ? '' : kept.join(glue ?? delimiter) + end))
    })
  return eachStream(context, 'cut', parsed.operands, async input => {
    const records = new ByteRecords(input, end)
    for (let lines = await records.next(); lines !== undefined; lines = await records.next()) {
      const kept = lines.flatMap(line => cutLine(line) ?? [])
      await context.stdout.write(latin1Bytes(kept.map(line => line + end).join('')))
    }
  })
}

/** The fields of each range that `line` has, with the delimiters between them. It looks no further than the last one. */
function fieldsOf(line: string, delimiter: string, ranges: readonly Range[]): readonly string[] {
  const pieces: string[] = []
  /** The number of the field that begins at `at`. */
  let field = 1
  let at = 0
  for (const [first, last] of ranges) {
    let begin = field === first ? at : -1
    let end = -1
    while (end < 0) {
      const next = last === Infinity && begin >= 0 ? -1 : line.indexOf(delimiter, at)
      if (next < 0) {
        if (begin >= 0) pieces.push(line.slice(begin))
        return pieces
      }
      if (field === last) end = next
      field += 1
      at = next + delimiter.length
      if (field === first) begin = at
    }
    pieces.push(line.slice(begin, end))
  }
  return pieces
}

/** Sorts the ranges and merges those that overlap. */
function merged(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = []
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    const before = result.at(-1)
    if (before === undefined || first > before[1]) result.push([first, last])
    else result[result.length - 1] = [before[0], Math.max(before[1], last)]
  }
  return result
}

function complementOf(ranges: readonly Range[]): readonly Range[] {
  const ends = [0, ...ranges.map(([, last]) => last)]
  const gaps = ends.map((end, index): Range => [end + 1, (ranges[index]?.[0] ?? Infinity) - 1])
  return gaps.filter(([first, last]) => first <= last)
}

function rangesOf(list: string, isOfFields: boolean): readonly Range[] | string {
  const ranges: Range[] = []
  for (const part of list.split(/[, ]/)) {
    const [, from, dash, to] = /^(\d*)(-?)(\d*)$/.exec(part) ?? []
    if (from === undefined)
      return `invalid ${isOfFields ? 'field value' : 'byte/character position'} '${part.replace(/^\d+-/, '')}'`
    if (from === '' && to === '' && dash === '-') return `invalid range with no endpoint: ${part}`
    const first = from === '' && dash === '-' ? 1 : Number(from)
    const last = dash === '' ? first : to === '' ? Infinity : Number(to)
    if (first === 0) return `${isOfFields ? 'fields' : 'byte/character positions'} are numbered from 1`
    if (last < first) return 'invalid decreasing range'
    ranges.push([first, last])
  }
  return ranges
}
