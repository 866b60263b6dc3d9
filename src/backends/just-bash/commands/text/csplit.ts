// csplit: splits text at line numbers or at lines that match a regex.

import { decodeText, encodeText } from '../../../../shell/byte-text.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { posixRegex, type Regex } from '../../regex/regex.ts'
import { PatternError } from '../../regex/syntax.ts'
import { has, parseArguments, valueOf, optionTable } from '../options.ts'
import { complain, pathOf, readNamed } from '../program.ts'
import { letOthersRun } from '../stop.ts'
import { reasonOf } from '../../errno.ts'

class Problem extends Error {}

interface Cut {
  readonly written: string
  /** A 1-based line number, or a regex. */
  readonly at: number | Regex
  readonly offset: number
  /** `%REGEX%`: the section before the match is discarded. */
  readonly isSkipped: boolean
  /** The number of additional repetitions. */
  readonly repeats: number
}

const csplitOptions = optionTable(`
  -f --prefix: prefix=, -n --digits: digits=, -b --suffix-format: format=, -k --keep-files: keep,
  -s -q --quiet --silent: silent, -z --elide-empty-files: no-empty, --suppress-matched: suppress
`)

/** `csplit [-szk] [-f PREFIX] [-n DIGITS] [-b FORMAT] [--suppress-matched] FILE PATTERN...` */
export async function csplit(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, csplitOptions)
  if (typeof parsed === 'string') return complain(context, 'csplit', parsed)
  const [name, ...patterns] = parsed.operands
  if (name === undefined || patterns.length === 0)
    return complain(context, 'csplit', `missing operand${name === undefined ? '' : ` after '${name}'`}`)
  const suffix = readFormat(valueOf(parsed, 'format') ?? `%0${valueOf(parsed, 'digits') ?? '2'}d`)
  if (suffix === undefined)
    return complain(context, 'csplit', 'the suffix must have one of %d, %i, %u, %o, %x and %X; the value of -n must be a number')
  let lines: string[]
  try {
    lines = decodeText(await readNamed(context, name)).match(/[^\n]*\n|[^\n]+$/g) ?? []
  } catch (error) {
    return complain(context, 'csplit', `cannot open '${name}' for reading: ${reasonOf(error)}`)
  }
  if (lines.length === 0 && !patterns[0]?.startsWith('{') && !patterns[0]?.match(/^[/%]/)) {
    // GNU csplit exits at once and keeps the first piece, even without -k.
    await context.files.writeFile(pathOf(context, (valueOf(parsed, 'prefix') ?? 'xx') + suffix(0)), new Uint8Array())
    return complain(context, 'csplit', 'input disappeared')
  }
  const made: string[] = []
  const put = async (piece: readonly string[]): Promise<void> => {
    if (piece.length === 0 && has(parsed, 'no-empty')) return
    const file = (valueOf(parsed, 'prefix') ?? 'xx') + suffix(made.length)
    const bytes = encodeText(piece.join(''))
    await context.files.writeFile(pathOf(context, file), bytes)
    made.push(file)
    if (!has(parsed, 'silent')) await context.stdout.write(`${bytes.length}\n`)
  }
  try {
    await cutUp(lines, readCuts(patterns), has(parsed, 'suppress'), put, context.signal)
    return 0
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (!has(parsed, 'keep')) for (const file of made) await context.files.rm(pathOf(context, file))
    return complain(context, 'csplit', error.message)
  }
}

async function cutUp(
  lines: readonly string[],
  cuts: readonly Cut[],
  suppresses: boolean,
  put: (piece: readonly string[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let start = 0
  // The search for a regex begins after the last matched line.
  let searched = 0
  for (const cut of cuts) {
    for (let turn = 0; turn <= cut.repeats; turn++) {
      if (turn % 256 === 255) await letOthersRun(signal)
      const found = placeOf(cut, turn, lines, searched)
      if (found === undefined) {
        if (!cut.isSkipped) await put(lines.slice(start))
        if (cut.repeats === Infinity && typeof cut.at !== 'number') return
        const repetition = turn === 0 ? '' : ` on repetition ${turn}`
        throw new Problem(
          `‘${cut.written}’: ${typeof cut.at === 'number' ? 'line number out of range' : 'match not found'}${repetition}`,
        )
      }
      // A line number that has already been passed yields an empty section.
      const end = typeof cut.at === 'number' ? Math.max(start, found) : found + cut.offset
      if (end > lines.length || end < start) await put(end < start ? [] : lines.slice(start))
      if (end < start || end > lines.length) throw new Problem(`‘${cut.written}’: line number out of range`)
      if (!cut.isSkipped) await put(lines.slice(start, end))
      start = end + (suppresses ? 1 : 0)
      searched = Math.max(found, end) + (typeof cut.at === 'number' && !suppresses ? 0 : 1)
    }
  }
  await put(lines.slice(start))
}

/** The 0-based index of the line to split at. */
function placeOf({ at }: Cut, turn: number, lines: readonly string[], from: number): number | undefined {
  if (typeof at !== 'number') {
    for (let index = from; index < lines.length; index++) if (at.test((lines[index] ?? '').replace(/\n$/, ''))) return index
    return undefined
  }
  const place = at * (turn + 1) - 1
  if (from >= lines.length) return undefined
  return place >= lines.length ? undefined : place
}

function readCuts(patterns: readonly string[]): readonly Cut[] {
  const cuts: Cut[] = []
  for (const written of patterns) {
    const [, count] = /^\{(\d+|\*)\}$/.exec(written) ?? []
    const last = cuts.at(-1)
    if (count !== undefined) {
      if (last === undefined || last.repeats > 0) throw new Problem(`‘${written}’: invalid pattern`)
      cuts[cuts.length - 1] = { ...last, repeats: count === '*' ? Infinity : Number(count) }
      continue
    }
    const [, delimiter, source = '', offset = '0'] = /^([/%])([^]*)\1([-+]?\d+)?$/.exec(written) ?? []
    if (delimiter !== undefined) {
      cuts.push({ written, at: readRegex(written, source), offset: Number(offset), isSkipped: delimiter === '%', repeats: 0 })
      continue
    }
    if (!/^\d+$/.test(written)) throw new Problem(`‘${written}’: invalid pattern`)
    const line = Number(written)
    if (line === 0) throw new Problem('0: line number must be greater than zero')
    if (last !== undefined && typeof last.at === 'number' && line < last.at)
      throw new Problem(`line number ‘${written}’ is smaller than preceding line number, ${last.at}`)
    cuts.push({ written, at: line, offset: 0, isSkipped: false, repeats: 0 })
  }
  return cuts
}

function readRegex(written: string, source: string): Regex {
  try {
    return posixRegex(source, { syntax: 'basic', escapes: 'none' })
  } catch (error) {
    if (error instanceof PatternError) throw new Problem(`‘${written}’: invalid regular expression: ${error.message}`)
    throw error
  }
}

/** The names of the output files after the prefix; `undefined` if `format` is invalid. */
function readFormat(format: string): ((index: number) => string) | undefined {
  const [, before, zero = '', width, letter = 'd', after] =
    /^((?:[^%]|%%)*)%(0?)(\d*)([diuoxX])((?:[^%]|%%)*)$/.exec(format) ?? []
  if (before === undefined || after === undefined) return undefined
  return index => {
    const digits = index.toString(letter === 'o' ? 8 : /[xX]/.test(letter) ? 16 : 10)
    const shown = (letter === 'X' ? digits.toUpperCase() : digits).padStart(Number(width), zero === '' ? ' ' : '0')
    return `${before}${shown}${after}`.replaceAll('%%', '%')
  }
}
