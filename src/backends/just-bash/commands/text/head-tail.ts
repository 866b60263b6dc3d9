// head and tail of whole files, by lines or bytes from either end.

import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesOfArgument, bytesResult, readInputs } from '../inputs.ts'
import { type Arguments, countOf, has, type OptionTable, optionTable, parseArguments } from '../options.ts'

const table: OptionTable = {
  // Options of tail that say how a file is followed.
  ...optionTable(`
    -f: follow, -F: follow-name, --follow: follow-by?, --retry: retry, --pid: pid=, -s --sleep-interval: interval=,
    --max-unchanged-stats: unchanged=, -n --lines: lines=, -c --bytes: bytes=, -q --quiet --silent: quiet,
    -v --verbose: verbose, -z --zero-terminated: zero, -0 -1 -2 -3 -4 -5 -6 -7 -8 -9: digit
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
  const [, trailing] = (command === 'head' && /^-\d+[bckmlqvz]*([^\dbckmlqvz])/.exec(args[0] ?? '')) || []
  if (trailing !== undefined) return `invalid trailing option -- ${trailing}`
  const parsed = parseArguments(command === 'head' ? modernHead(args) : modernTail(args), table)
  if (typeof parsed === 'string') return parsed
  const digit = /^-[^-]*?(\d)/.exec(args.find(arg => /^-[fFqvz]*\d/.test(arg)) ?? '')?.[1] ?? ''
  if (has(parsed, 'digit'))
    return command === 'head' ? `invalid trailing option -- ${digit}` : `option used in invalid context -- ${digit}`
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

/** Converts the obsolete forms `-5` and `-5c`. */
function modernHead([first = '', ...rest]: readonly string[]): readonly string[] {
  const [, lines, letters = ''] = /^-(\d+)([bckmlqvz]*)$/.exec(first) ?? []
  if (lines === undefined) return first === '' && rest.length === 0 ? [] : [first, ...rest]
  const multiple = /[bckm](?!.*[bckm])/.exec(letters)?.[0] ?? ''
  const isBytes = /[bckml](?!.*[bckml])/.exec(letters)?.[0] !== 'l' && multiple !== ''
  const others = Array.from(letters.replace(/[bckml]/g, ''), letter => `-${letter}`)
  return [isBytes ? '-c' : '-n', lines + multiple.replace('c', '').replace('m', 'M'), ...others, ...rest]
}

/** Converts the obsolete forms `-5`, `+5`, `-5c` and `-5f`, which have at most one file and no option beside them. */
function modernTail(args: readonly string[]): readonly string[] {
  const [first = '', ...rest] = args
  const [, sign, digits, unit = '', follows = ''] = /^(-(?!c?$)|\+)(\d*)([bcl]?)(f?)$/.exec(first) ?? []
  const hasOneFile =
    rest.length === 0 || (rest.length === 1 && !/^-./.test(rest[0] ?? '')) || (rest[0] === '--' && rest.length < 3)
  if (digits === undefined || !hasOneFile) return args
  const count = (digits || '10') + (unit === 'b' ? 'b' : '')
  return [/[bc]/.test(unit) ? '-c' : '-n', `${sign === '+' ? '+' : ''}${count}`, ...(follows === '' ? [] : ['-f']), ...rest]
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
