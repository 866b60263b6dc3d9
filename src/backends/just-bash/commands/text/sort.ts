// sort: orders lines by their bytes, as in the C.UTF-8 locale that the shell reports.

import { bytesInParts, joinInParts, paceOf, splitInParts, unitsPerItem } from '../pace.ts'
import { sortInSteps, stepLength } from './merge-sort.ts'
import { letOthersRun } from '../stop.ts'
import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesOfArgument, bytesResult, readInput, readInputs, recordsOf } from '../inputs.ts'
import { has, type OptionTable, optionTable, parseArguments, valueOf } from '../options.ts'
import { clashOf, compareAs, orderLetters, readKey, type SortKey } from './sort-keys.ts'
import { reasonOf } from '../../errno.ts'

const table: OptionTable = {
  ...Object.fromEntries([...orderLetters].map(letter => [`-${letter}`, `order-${letter}`])),
  ...optionTable(`
    --ignore-leading-blanks: order-b, --dictionary-order: order-d, --ignore-case: order-f, --general-numeric-sort: order-g,
    --human-numeric-sort: order-h, --ignore-nonprinting: order-i, --month-sort: order-M, --numeric-sort: order-n,
    --reverse: order-r, --version-sort: order-V, --random-sort -R: random, -k --key: key=, -t --field-separator: separator=,
    -u --unique: unique, -s --stable: stable, -c: check, --check: check?, -C: check-silently, -m --merge: merge,
    -o --output: output=, -z --zero-terminated: zero
  `),
  // Limits on memory, temporary files and threads have no effect here.
  ...optionTable(`
    --debug: debug, --sort: sort=, --random-source: random-source=, --files0-from: list=, -S --buffer-size: size=,
    -T --temporary-directory: ignored=, --parallel: parallel=, --batch-size: batch-size=, --compress-program: ignored=
  `),
}

/** What the values of the limits must look like, although they change nothing here. */
const limits: Readonly<Record<string, RegExp>> = {
  size: /^\d+[bkKmMgGtTPEZY%]?$/,
  parallel: /^0*[1-9]\d*$/,
  'batch-size': /^0*(?:[2-9]|[1-9]\d+)$/,
}

const orderWords: Readonly<Record<string, string>> = {
  'general-numeric': 'g',
  'human-numeric': 'h',
  month: 'M',
  numeric: 'n',
  version: 'V',
}

/** `sort [-bdfghiMnrRVusmcCz] [-t X] [-k KEY]... [-o FILE] [FILE]...`, in byte order as under LANG=C.UTF-8. */
export async function sort(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args, table)
  if (typeof parsed === 'string') return failed('sort', parsed, 2)
  if (has(parsed, 'debug')) return failed('sort', '--debug is not available here; leave it out', 2)
  if (has(parsed, 'random-source')) return failed('sort', '--random-source is not available here; leave it out', 2)
  const wrongLimit = parsed.options.find(({ name, value }) => limits[name]?.test(value) === false)
  if (wrongLimit !== undefined) return failed('sort', `invalid value '${wrongLimit.value}' for --${wrongLimit.name}`, 2)
  const wrongOrder = parsed.options.find(({ name, value }) => name === 'sort' && !Object.hasOwn(orderWords, value))
  if (wrongOrder !== undefined)
    return failed('sort', `invalid argument '${wrongOrder.value}' for '--sort'; valid are ${Object.keys(orderWords).join(', ')}`)
  const letters = parsed.options
    .flatMap(({ name, value }) => (name.startsWith('order-') ? name.slice(-1) : name === 'sort' ? (orderWords[value] ?? []) : []))
    .join('')
  const separator = valueOf(parsed, 'separator')
  const tab = separator === undefined ? undefined : separator === '\\0' ? '\0' : bytesOfArgument(separator)
  if (tab === '') return failed('sort', 'empty tab', 2)
  if (tab !== undefined && tab.length > 1) return failed('sort', `multi-character tab '${separator ?? ''}'`, 2)
  const keys: SortKey[] = []
  for (const { name, value } of parsed.options) {
    if (name !== 'key') continue
    const key = readKey(value, letters, tab)
    if (typeof key === 'string') return failed('sort', key, 2)
    keys.push(key)
  }
  const clash = keys.length === 0 ? clashOf(letters + (has(parsed, 'random') ? 'R' : '')) : undefined
  if (clash !== undefined) return failed('sort', clash, 2)
  const isSilent = has(parsed, 'check-silently') || /^(?:quiet|silent)$/.test(valueOf(parsed, 'check') ?? '')
  const checks = ['check', 'check-silently'].filter(name => has(parsed, name))
  if (checks.length > 1) return failed('sort', "options '-cC' are incompatible", 2)
  if (checks.length > 0 && has(parsed, 'output')) return failed('sort', "options '-co' are incompatible", 2)
  if (checks.length > 0 && parsed.operands.length > 1)
    return failed('sort', `extra operand '${parsed.operands[1] ?? ''}': -c checks one file`, 2)
  const end = has(parsed, 'zero') ? '\0' : '\n'
  const list = valueOf(parsed, 'list')
  if (list !== undefined && parsed.operands.length > 0)
    return failed('sort', `extra operand '${parsed.operands[0] ?? ''}': file operands cannot be combined with --files0-from`, 2)
  const names = list === undefined ? parsed.operands : recordsOf(await readInput(list, context), '\0')
  if (list !== undefined && names.length === 0) return failed('sort', `no input from '${list}'`, 2)
  const { found, problems } = await readInputs('sort', names, context)
  if (problems !== '') return bytesResult('', problems, 2)
  const pace = paceOf(context.signal)
  const lines: string[] = []
  const counts: number[] = []
  for (const { bytes } of found) {
    const records = await splitInParts(bytes, end, pace)
    counts.push(records.length)
    for (const record of records) lines.push(record)
  }
  const whole = keys.length === 0 ? [readWhole(letters)] : keys
  const compareKeys = (one: Prepared, other: Prepared): number => {
    for (const [index, key] of whole.entries()) {
      const order = compareAs(key, one.keys[index] ?? '', other.keys[index] ?? '')
      if (order !== 0) return key.letters.includes('r') ? -order : order
    }
    return 0
  }
  const isReversed = letters.includes('r')
  const hasLastResort = !has(parsed, 'stable') && !has(parsed, 'unique')
  const compare = (one: Prepared, other: Prepared): number => {
    const order = compareKeys(one, other)
    if (order !== 0 || !hasLastResort) return order
    const last = one.line < other.line ? -1 : one.line > other.line ? 1 : 0
    return isReversed ? -last : last
  }
  const step = (): Promise<void> => letOthersRun(context.signal)
  let prepared: Prepared[] = []
  for (const line of lines) {
    prepared.push({ line, keys: whole.map(key => key.of(line)) })
    if (prepared.length % stepLength === 0) await step()
  }
  if (has(parsed, 'check') || has(parsed, 'check-silently')) {
    let wrong = -1
    for (let index = 1; index < prepared.length && wrong < 0; index++) {
      const order = compare(prepared[index - 1] ?? noLine, prepared[index] ?? noLine)
      if (has(parsed, 'unique') ? order >= 0 : order > 0) wrong = index
      if (pace.isDue(unitsPerItem)) await pace.rest()
    }
    if (wrong < 0) return bytesResult('')
    const place = `${found[0]?.name ?? '-'}:${wrong + 1}`
    return isSilent ? bytesResult('', '', 1) : failed('sort', `${place}: disorder: ${lines[wrong] ?? ''}`)
  }
  if (has(parsed, 'random'))
    for (const line of prepared) {
      line.keys = [String.fromCharCode(...crypto.getRandomValues(new Uint16Array(4)))]
      if (pace.isDue(10 * unitsPerItem)) await pace.rest()
    }
  if (has(parsed, 'merge')) prepared = await merged(prepared, counts, compare, step)
  else prepared = await sortInSteps(prepared, compare, step)
  const kept: string[] = []
  for (const [index, line] of prepared.entries()) {
    const isRepeated = index > 0 && has(parsed, 'unique') && compareKeys(prepared[index - 1] ?? line, line) === 0
    if (!isRepeated) kept.push(line.line)
    if (pace.isDue(unitsPerItem)) await pace.rest()
  }
  const joined = await joinInParts(kept, end, pace)
  const text = kept.length === 0 ? '' : joined + end
  const output = valueOf(parsed, 'output')
  if (output === undefined) return bytesResult(text)
  try {
    await context.fs.writeFile(context.fs.resolvePath(context.cwd, output), await bytesInParts(text, pace))
  } catch (error) {
    return failed('sort', `open failed: ${output}: ${reasonOf(error)}`, 2)
  }
  return bytesResult('')
}

/** -m: merges the sorted files whose lines are concatenated in `lines`. Lines of a file that is not sorted keep their order. */
async function merged(
  lines: readonly Prepared[],
  counts: readonly number[],
  compare: (one: Prepared, other: Prepared) => number,
  step: () => Promise<void>,
): Promise<Prepared[]> {
  let begin = 0
  const rest = counts.map(count => {
    const part = { at: begin, end: begin + count }
    begin += count
    return part
  })
  const result: Prepared[] = []
  while (result.length < lines.length) {
    const next = rest
      .filter(({ at, end }) => at < end)
      .reduce((best, part) => (compare(lines[part.at] ?? noLine, lines[best.at] ?? noLine) < 0 ? part : best))
    next.at += 1
    result.push(lines[next.at - 1] ?? noLine)
    if (result.length % stepLength === 0) await step()
  }
  return result
}

const noLine: Prepared = { line: '', keys: [] }

interface Prepared {
  readonly line: string
  keys: readonly string[]
}

function readWhole(letters: string): SortKey {
  return { letters, of: letters.includes('b') ? line => line.replace(/^[ \t]+/, '') : line => line }
}
