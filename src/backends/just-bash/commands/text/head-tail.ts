// head and tail of whole files, by lines or bytes from either end.

import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesOfArgument, bytesResult, readInputs } from '../inputs.ts'
import { type Arguments, countOf, has, type OptionTable, optionTable, parseArguments } from '../options.ts'

const table: OptionTable = {
  // Options of tail that say how a file is followed.
  ...optionTable(`
    -f: follow, -F: follow-name, --follow: follow-by?, --retry: retry, --pid: pid=, -s --sleep-interval: interval=,
    --max-unchanged-stats: unchanged=, -n --lines: lines=, -c --bytes: bytes=, -q --quiet --silent: quiet,
    -v --verbose: verbose, -z --zero-terminated: zero
  `),
}

const ofFollowing = new Set(['follow', 'follow-name', 'follow-by', 'retry', 'pid', 'interval', 'unchanged'])

export interface Part {
  readonly unit: 'lines' | 'bytes'
  readonly sign: '' | '+' | '-'
  readonly count: number
}

/** `head [-n [-]N | -c [-]N] [-qvz] [FILE]...` */
export function head(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  return show('head', args, context, (bytes, part, end) => {
    const size = part.unit === 'bytes' ? bytes.length : countRecords(bytes, end)
    const kept = part.sign === '-' ? Math.max(0, size - part.count) : part.count
    return bytes.slice(0, part.unit === 'bytes' ? kept : offsetOf(bytes, kept, end))
  })
}

/** `tail [-n [+]N | -c [+]N] [-qvz] [FILE]...`. `onInput` learns the size of each file that is printed. */
export function tail(
  args: readonly string[],
  context: CommandContext,
  onInput?: (name: string, sizeBytes: number) => void,
): Promise<CommandResult> {
  const cut = (bytes: string, part: Part, end: string): string => {
    const size = part.unit === 'bytes' ? bytes.length : countRecords(bytes, end)
    const skipped = part.sign === '+' ? Math.max(0, part.count - 1) : Math.max(0, size - part.count)
    return bytes.slice(part.unit === 'bytes' ? skipped : offsetOf(bytes, skipped, end))
  }
  return show('tail', args, context, cut, onInput)
}

async function show(
  command: 'head' | 'tail',
  args: readonly string[],
  context: CommandContext,
  cut: (bytes: string, part: Part, end: string) => string,
  onInput?: (name: string, sizeBytes: number) => void,
): Promise<CommandResult> {
  const wanted = readPart(command, args)
  if (typeof wanted === 'string') return failed(command, wanted)
  const { parsed, part } = wanted
  const all = await readInputs(command, parsed.operands, context, true)
  // With -c tail seeks, and ends at a directory, where it cannot.
  const stopsAt = command === 'tail' && part.unit === 'bytes' ? all.found.find(input => input.isDirectory) : undefined
  const { inOrder, problems } =
    stopsAt === undefined
      ? all
      : await readInputs(command, parsed.operands.slice(0, parsed.operands.indexOf(stopsAt.name) + 1), context, true)
  const titles = parsed.options.findLast(({ name }) => name === 'quiet' || name === 'verbose')?.name
  const hasTitles = titles === 'verbose' || (titles === undefined && parsed.operands.length > 1)
  const end = has(parsed, 'zero') ? '\0' : '\n'
  let isFirst = true
  for (const input of inOrder) {
    if (typeof input === 'string') {
      await context.complain(input)
      continue
    }
    if (input.isDirectory !== true) onInput?.(input.name, input.bytes.length)
    const title = hasTitles ? `${isFirst ? '' : '\n'}==> ${input.name === '-' ? 'standard input' : input.name} <==\n` : ''
    isFirst = false
    await context.print(bytesOfArgument(title) + cut(input.bytes, part, end))
  }
  return bytesResult('', '', problems === '' ? 0 : 1)
}

/** Parses the options and the part of each file to print; a string is an error message. */
export function readPart(
  command: 'head' | 'tail',
  args: readonly string[],
): { readonly parsed: Arguments; readonly part: Part } | string {
  const parsed = parseArguments(args.map((arg, index) => (index === 0 ? modern(arg, command) : arg)).flat(), table)
  if (typeof parsed === 'string') return parsed
  if (command === 'head' && parsed.options.some(({ name }) => ofFollowing.has(name)))
    return 'these options are those of tail; leave them out'
  let part: Part = { unit: 'lines', sign: '', count: 10 }
  for (const { name, value } of parsed.options) {
    if (name !== 'lines' && name !== 'bytes') continue
    const [, sign = '', digits = ''] = /^([+-]?)(.*)$/.exec(value) ?? []
    const count = countOf(digits)
    if (count === undefined) return `invalid number of ${name}: '${value}'`
    // In head, `+N` means N; in tail, `-N` means N.
    const means = command === 'head' ? '-' : '+'
    // In tail, a `+` also counts for the options behind it.
    const isFromStart = command === 'tail' && part.sign === '+'
    part = { unit: name, sign: sign === means || isFromStart ? means : '', count }
  }
  return { parsed, part }
}

/** Converts the obsolete forms `-5`, `-5c`, and for tail `+5` and `-5f`. */
function modern(arg: string, command: 'head' | 'tail'): string[] {
  const [, lines, multiple = '', letters = ''] = (command === 'head' && /^-(\d+)([bkm]?)([clqvz]*)$/.exec(arg)) || []
  if (lines !== undefined) {
    const isBytes = multiple !== '' || letters.includes('c')
    return [
      isBytes ? '-c' : '-n',
      lines + multiple.replace('m', 'M'),
      ...Array.from(letters.replace(/[cl]/g, ''), letter => `-${letter}`),
    ]
  }
  const [, sign, count, unit = '', follows = ''] = /^([-+])(\d+)([cl]?)(f?)$/.exec(arg) ?? []
  if (count === undefined || ((sign === '+' || follows !== '') && command === 'head')) return [arg]
  return [unit === 'c' ? '-c' : '-n', `${sign === '+' ? '+' : ''}${count}`, ...(follows === '' ? [] : ['-f'])]
}

function countRecords(bytes: string, end: string): number {
  let count = 0
  for (let at = bytes.indexOf(end); at >= 0; at = bytes.indexOf(end, at + 1)) count += 1
  return bytes === '' || bytes.endsWith(end) ? count : count + 1
}

/** The offset after the first `count` records. */
function offsetOf(bytes: string, count: number, end: string): number {
  let offset = 0
  for (let passed = 0; passed < count; passed++) {
    const at = bytes.indexOf(end, offset)
    if (at < 0) return bytes.length
    offset = at + 1
  }
  return offset
}
