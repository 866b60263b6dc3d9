// sort: orders lines by their bytes, as in the C.UTF-8 locale that the shell reports.

import { createPauser } from '../../../../core/pause.ts'
import { latin1Bytes } from '../../encoding.ts'
import { checkEnded } from '../stop.ts'
import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesOfArgument, bytesResult, readInputs, reasonOf, recordsOf } from '../inputs.ts'
import { has, parseArguments, valueOf, type OptionTable } from '../options.ts'
import { clashOf, compareAs, orderLetters, readKey, type SortKey } from './sort-keys.ts'

const table: OptionTable = {
  ...Object.fromEntries([...orderLetters].map(letter => [`-${letter}`, `order-${letter}`])),
  '--ignore-leading-blanks': 'order-b',
  '--dictionary-order': 'order-d',
  '--ignore-case': 'order-f',
  '--general-numeric-sort': 'order-g',
  '--human-numeric-sort': 'order-h',
  '--ignore-nonprinting': 'order-i',
  '--month-sort': 'order-M',
  '--numeric-sort': 'order-n',
  '--reverse': 'order-r',
  '--version-sort': 'order-V',
  '--random-sort': 'random',
  '-R': 'random',
  '-k': 'key=',
  '--key': 'key=',
  '-t': 'separator=',
  '--field-separator': 'separator=',
  '-u': 'unique',
  '--unique': 'unique',
  '-s': 'stable',
  '--stable': 'stable',
  '-c': 'check',
  '--check': 'check?',
  '-C': 'check-silently',
  '-m': 'merge',
  '--merge': 'merge',
  '-o': 'output=',
  '--output': 'output=',
  '-z': 'zero',
  '--zero-terminated': 'zero',
  // Limits on memory, temporary files and threads have no effect here.
  '-S': 'ignored=',
  '--buffer-size': 'ignored=',
  '-T': 'ignored=',
  '--parallel': 'ignored=',
  '--batch-size': 'ignored=',
  '--compress-program': 'ignored=',
}

/** `sort [-bdfghiMnrRVusmcCz] [-t X] [-k KEY]... [-o FILE] [FILE]...`, in byte order as under LANG=C.UTF-8. */
export async function sort(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args, table)
  if (typeof parsed === 'string') return failed('sort', parsed, 2)
  const letters = parsed.options.flatMap(({ name }) => (name.startsWith('order-') ? name.slice(-1) : [])).join('')
  const separator = valueOf(parsed, 'separator')
  const tab = separator === undefined ? undefined : separator === '\\0' ? '\0' : bytesOfArgument(separator)
  if (tab === '') return failed('sort', 'empty tab', 2)
  if (tab !== undefined && tab.length > 1 && [...(separator ?? '')].length > 1)
    return failed('sort', `multi-character tab '${separator ?? ''}'`, 2)
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
  const end = has(parsed, 'zero') ? '\0' : '\n'
  const { found, problems } = await readInputs('sort', parsed.operands, context)
  if (problems !== '') return bytesResult('', problems, 2)
  const lines = found.flatMap(({ bytes }) => recordsOf(bytes, end))
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
  const step = createStep(context.signal)
  let prepared: Prepared[] = []
  for (const line of lines) {
    prepared.push({ line, keys: whole.map(key => key.of(line)) })
    if (prepared.length % stepLength === 0) await step()
  }
  if (has(parsed, 'check') || has(parsed, 'check-silently')) {
    const wrong = prepared.findIndex((line, index) => {
      const before = prepared[index - 1]
      return before !== undefined && (has(parsed, 'unique') ? compare(before, line) >= 0 : compare(before, line) > 0)
    })
    if (wrong < 0) return bytesResult('')
    const place = `${found[0]?.name ?? '-'}:${wrong + 1}`
    return isSilent ? bytesResult('', '', 1) : failed('sort', `${place}: disorder: ${lines[wrong] ?? ''}`)
  }
  if (has(parsed, 'random'))
    for (const line of prepared) line.keys = [String.fromCharCode(...crypto.getRandomValues(new Uint16Array(4)))]
  if (has(parsed, 'merge')) {
    const counts = found.map(({ bytes }) => recordsOf(bytes, end).length)
    prepared = await merged(prepared, counts, compare, step)
  } else prepared = await sortInSteps(prepared, compare, step)
  const kept = has(parsed, 'unique')
    ? prepared.filter((line, index) => index === 0 || compareKeys(prepared[index - 1] ?? line, line) !== 0)
    : prepared
  const text = kept.map(({ line }) => line + end).join('')
  const output = valueOf(parsed, 'output')
  if (output === undefined) return bytesResult(text)
  try {
    await context.fs.writeFile(context.fs.resolvePath(context.cwd, output), latin1Bytes(text))
  } catch (error) {
    return failed('sort', `open failed: ${output}: ${reasonOf(error)}`, 2)
  }
  return bytesResult('')
}

/** The number of lines that are sorted or merged between checks for an abort. */
const stepLength = 2_000

function createStep(signal: AbortSignal): () => Promise<void> {
  const pause = createPauser()
  return async () => {
    await pause()
    checkEnded(signal)
  }
}

/** Like `Array.sort`, but yields in between, so that an abort is heard while millions of lines are sorted. */
async function sortInSteps<T>(
  values: readonly T[],
  compare: (one: T, other: T) => number,
  step: () => Promise<void>,
): Promise<T[]> {
  let runs: T[][] = []
  for (let at = 0; at < values.length; at += stepLength) {
    runs.push(values.slice(at, at + stepLength).sort(compare))
    await step()
  }
  while (runs.length > 1) {
    const longer: T[][] = []
    for (let index = 0; index < runs.length; index += 2)
      longer.push(await mergeTwo(runs[index] ?? [], runs[index + 1] ?? [], compare, step))
    runs = longer
  }
  return runs[0] ?? []
}

/** Stable merge: of equal elements, those of `first` come first. */
async function mergeTwo<T>(
  first: readonly T[],
  second: readonly T[],
  compare: (one: T, other: T) => number,
  step: () => Promise<void>,
): Promise<T[]> {
  const merged: T[] = []
  const others = second.values()
  let other = others.next()
  for (const one of first) {
    while (other.done !== true && compare(other.value, one) < 0) {
      merged.push(other.value)
      other = others.next()
      if (merged.length % stepLength === 0) await step()
    }
    merged.push(one)
    if (merged.length % stepLength === 0) await step()
  }
  for (; other.done !== true; other = others.next()) merged.push(other.value)
  return merged
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
