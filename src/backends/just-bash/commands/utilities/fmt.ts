// fmt: fills paragraphs up to a width. It breaks lines so that the lines of a paragraph have similar lengths, with the cost
// function of GNU fmt.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { latin1Bytes } from '../../encoding.ts'
import { bytesOfArgument } from '../inputs.ts'
import { has, optionTable, parseArguments, valueOf, wholeNumberOf } from '../options.ts'
import { byteTextInParts, paceOf, splitInParts } from '../pace.ts'
import { complain, eachInput } from '../program.ts'
import { letOthersRun } from '../stop.ts'

interface FmtWord {
  readonly text: string
  /** The number of blanks after the word. */
  space: number
  readonly startsParenthesis: boolean
  endsWithPoint: boolean
  readonly endsWithMark: boolean
  endsSentence: boolean
}

const perColumn = (count: number): number => count * count
const shortCost = (count: number): number => perColumn(count * 10)
const raggedCost = (count: number): number => shortCost(count) / 2
const lineCost = perColumn(70)
const widowCost = (length: number): number => perColumn(200) / (length + 2)
const orphanCost = (length: number): number => perColumn(150) / (length + 2)
const sentenceBonus = perColumn(50)
const noBreakCost = perColumn(600)
const parenthesisBonus = perColumn(40)
const markBonus = perColumn(40)
const leeway = 7

export async function fmt(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(
    context.args.map((arg, index) => (index === 0 ? arg.replace(/^-(\d+)$/, '-w$1') : arg)),
    optionTable(`
      -w --width: width=, -g --goal: goal=, -s --split-only: split, -u --uniform-spacing: uniform, -c --crown-margin: crown,
      -t --tagged-paragraph: tagged, -p --prefix: prefix=
    `),
  )
  if (typeof parsed === 'string') return complain(context, 'fmt', parsed)
  const [widthText, goalText] = [valueOf(parsed, 'width'), valueOf(parsed, 'goal')]
  const given = widthText === undefined ? undefined : wholeNumberOf(widthText, 1, 2500)
  if (widthText !== undefined && given === undefined) return complain(context, 'fmt', `invalid width: ‘${widthText}’`)
  const wanted = goalText === undefined ? undefined : wholeNumberOf(goalText, 0, given ?? 75)
  if (goalText !== undefined && wanted === undefined) return complain(context, 'fmt', `invalid goal: ‘${goalText}’`)
  const width = given ?? (wanted === undefined ? 75 : wanted + 10)
  const goal = wanted ?? Math.floor((width * (2 * (100 - leeway) + 1)) / 200)
  const prefix = readPrefix(bytesOfArgument(valueOf(parsed, 'prefix') ?? ''))
  const margin = (['split', 'crown', 'tagged'] as const).find(name => has(parsed, name)) ?? 'uniform'
  return eachInput(context, 'fmt', parsed.operands, async bytes => {
    // Widths are counted in bytes, as in GNU fmt.
    if (bytes.length === 0) return
    const pace = paceOf(context.signal)
    const text = await byteTextInParts(bytes, pace)
    const lines = await splitInParts(text.endsWith('\n') ? text : `${text}\n`, '\n', pace)
    const output: string[] = []
    // If the input contains a tab, blanks are written as tabs where they reach a tab stop.
    let hasTabs = false
    for (const part of partsOf(lines, prefix, margin)) {
      if (part.kind === 'pause') {
        await letOthersRun(context.signal)
        continue
      }
      if (part.kind === 'copied') output.push(part.line)
      else {
        hasTabs ||= part.hasTabs
        const shape = { width, goal, isUniform: has(parsed, 'uniform'), hasTabs, prefix }
        for (const line of await filled(part, shape, context.signal)) output.push(line)
      }
    }
    for (let from = 0; from < output.length; from += pauseLines) {
      await context.stdout.write(latin1Bytes(`${output.slice(from, from + pauseLines).join('\n')}\n`))
      await letOthersRun(context.signal)
    }
  })
}

const pauseLines = 512
const pauseWords = 16 * pauseLines

/** The prefix of the lines to fill (`-p`); the surrounding blanks are part of the comparison. */
interface Prefix {
  readonly lead: number
  readonly text: string
  /** The length including trailing blanks. */
  readonly fullLength: number
}

function readPrefix(given: string): Prefix {
  const rest = given.replace(/^ +/, '')
  return { lead: given.length - rest.length, text: rest.replace(/ +$/, ''), fullLength: rest.length }
}

interface Line {
  readonly prefixIndent: number
  /** The column where the text begins. */
  readonly column: number
  readonly text: string
}

function readLine(line: string, { lead, text }: Prefix): Line {
  const blanks = /^[ \t]*/.exec(line)?.[0] ?? ''
  const indent = columnsOf(blanks, 0)
  const rest = line.slice(blanks.length)
  if (text === '') return { prefixIndent: Math.min(lead, indent), column: indent, text: rest }
  let same = 0
  while (same < text.length && rest[same] === text[same]) same += 1
  if (same < text.length) return { prefixIndent: indent, column: indent + same, text: rest.slice(same) }
  const behind = /^[ \t]*/.exec(rest.slice(same))?.[0] ?? ''
  return { prefixIndent: indent, column: columnsOf(behind, indent + same), text: rest.slice(same + behind.length) }
}

function isFilled({ prefixIndent, column, text }: Line, { lead, fullLength }: Prefix): boolean {
  return text !== '' && prefixIndent >= lead && column >= prefixIndent + fullLength
}

function copied({ prefixIndent, column, text }: Line, prefix: Prefix): string {
  if (column <= prefixIndent && text === '') return ''
  const start = ' '.repeat(prefixIndent) + prefix.text.slice(0, column - prefixIndent)
  return text === '' ? start : start.padEnd(column) + text
}

/** Where the indentation of a paragraph's second and further lines comes from: the first line, or the second. */
type Margin = 'split' | 'crown' | 'tagged' | 'uniform'

interface Paragraph {
  readonly kind: 'paragraph'
  readonly prefixIndent: number
  readonly firstIndent: number
  readonly indent: number
  readonly words: readonly FmtWord[]
  readonly hasTabs: boolean
}

interface Pause {
  readonly kind: 'pause'
}

/**
 * Splits the lines into paragraphs: consecutive lines with the same indentation. A blank line, or one without the prefix,
 * separates paragraphs. It pauses now and then, for others to run.
 */
function* partsOf(
  lines: readonly string[],
  prefix: Prefix,
  margin: Margin,
): Generator<Paragraph | { readonly kind: 'copied'; readonly line: string } | Pause> {
  let indent = 0
  for (let at = 0; at < lines.length;) {
    if (at % pauseLines === 0) yield { kind: 'pause' }
    const first = readLine(lines[at] ?? '', prefix)
    if (!isFilled(first, prefix)) {
      yield { kind: 'copied', line: copied(first, prefix) }
      at += 1
      continue
    }
    const firstIndent = first.column
    const words = yield* wordsOf(first)
    let hasTabs = (lines[at] ?? '').includes('\t')
    at += 1
    const continued = (): Line | undefined => {
      if (at >= lines.length) return undefined
      const line = readLine(lines[at] ?? '', prefix)
      return line.prefixIndent === first.prefixIndent && isFilled(line, prefix) ? line : undefined
    }
    const second = continued()
    if (margin === 'crown') indent = second?.column ?? firstIndent
    else if (margin !== 'tagged') indent = firstIndent
    else if (second !== undefined && second.column !== firstIndent) indent = second.column
    // A paragraph of one line takes the indentation of the previous paragraph, or one that differs from its first line.
    else if (indent === firstIndent) indent = firstIndent === 0 ? 3 : 0
    const goesOn = margin !== 'split' && (margin !== 'tagged' || second?.column !== firstIndent)
    for (let line = goesOn ? second : undefined; line?.column === indent; line = continued()) {
      endLine(words)
      for (const word of yield* wordsOf(line)) words.push(word)
      hasTabs ||= (lines[at] ?? '').includes('\t')
      at += 1
      if (at % pauseLines === 0) yield { kind: 'pause' }
    }
    yield { kind: 'paragraph', prefixIndent: first.prefixIndent, firstIndent, indent, words, hasTabs }
  }
}

/** Sets the space after the last word of a line: one blank, or two if it ends a sentence. */
function endLine(words: readonly FmtWord[]): void {
  const last = words.at(-1)
  if (last === undefined) return
  last.endsSentence = last.endsWithPoint
  last.space = last.endsSentence ? 2 : 1
}

function columnsOf(blanks: string, from: number): number {
  let column = from
  for (const blank of blanks) column = blank === '\t' ? (Math.floor(column / 8) + 1) * 8 : column + 1
  return column
}

function* wordsOf(line: Line): Generator<Pause, FmtWord[]> {
  const words: FmtWord[] = []
  let { column } = line
  for (const [, text = '', blanks = ''] of line.text.matchAll(/([^ \t][^ \t\v\f\r]*)([ \t]*)/g)) {
    column += text.length
    const end = columnsOf(blanks, column)
    const endsWithPoint = /[.?!][)\]'"]*$/.test(text)
    words.push({
      text,
      space: end - column,
      startsParenthesis: /^[([`'"]/.test(text),
      endsWithPoint,
      endsWithMark: /[!-/:-@[-`{-~]$/.test(text),
      endsSentence: endsWithPoint && end - column > 1,
    })
    column = end
    if (words.length % pauseWords === 0) yield { kind: 'pause' }
  }
  return words
}

interface Shape {
  readonly width: number
  readonly goal: number
  readonly isUniform: boolean
  readonly hasTabs: boolean
  readonly prefix: Prefix
}

/** Finds the cheapest layout by dynamic programming, from the last word to the first. */
async function filled(
  { words, prefixIndent, indent, firstIndent }: Paragraph,
  { width, goal, isUniform, hasTabs, prefix }: Shape,
  signal: AbortSignal,
): Promise<readonly string[]> {
  endLine(words)
  const last = words.at(-1)
  if (last !== undefined) {
    last.endsWithPoint = true
    last.endsSentence = true
  }
  for (const word of words) if (isUniform) word.space = word.endsSentence ? 2 : 1
  // For each word: the lowest cost of all lines from it on, the first word of the next line, and the length of its own line.
  const count = words.length
  const [costs, nexts, lengths] = [new Float64Array(count + 1), new Uint32Array(count + 1), new Uint32Array(count + 1)]
  nexts[count] = count
  for (let start = count - 1; start >= 0; start--) {
    let length = (start === 0 ? firstIndent : indent) + (words[start]?.text.length ?? 0)
    let [cheapest, bestNext, bestLength] = [Number.POSITIVE_INFINITY, count, 0]
    for (let next = start + 1; next <= count; next++) {
      const cost = (costs[next] ?? 0) + lineEndCost(next, length, count, lengths[next] ?? 0, nexts[next] ?? 0, goal)
      if (cost < cheapest) [cheapest, bestNext, bestLength] = [cost, next, length]
      if (next === count) break
      length += (words[next - 1]?.space ?? 1) + (words[next]?.text.length ?? 0)
      if (length >= width) break
    }
    costs[start] = cheapest + baseCost(words, start)
    nexts[start] = bestNext
    lengths[start] = bestLength
    if (start % 1024 === 0) await letOthersRun(signal)
  }
  const lines: string[] = []
  for (let start = 0; start < words.length;) {
    const next = nexts[start] ?? count
    let line = ''
    let column = 0
    const blanks = (count: number): void => {
      const target = column + count
      const tabTarget = Math.floor(target / 8) * 8
      if (hasTabs && column + 1 < tabTarget) {
        while (column < tabTarget) {
          line += '\t'
          column = (Math.floor(column / 8) + 1) * 8
        }
      }
      line += ' '.repeat(Math.max(0, target - column))
      column = target
    }
    blanks(prefixIndent)
    line += prefix.text
    column += prefix.text.length
    blanks((start === 0 ? firstIndent : indent) - column)
    for (let at = start; at < next; at++) {
      line += words[at]?.text ?? ''
      column += words[at]?.text.length ?? 0
      if (at + 1 < next) blanks(words[at]?.space ?? 1)
    }
    lines.push(line)
    if (lines.length % pauseLines === 0) await letOthersRun(signal)
    start = next
  }
  return lines
}

function baseCost(words: readonly FmtWord[], at: number): number {
  let cost = lineCost
  const word = words[at]
  const before = words[at - 1]
  if (before !== undefined) {
    if (before.endsWithPoint) cost += before.endsSentence ? -sentenceBonus : noBreakCost
    else if (before.endsWithMark) cost -= markBonus
    else if (words[at - 2]?.endsSentence === true) cost += widowCost(before.text.length)
  }
  if (word?.startsParenthesis === true) cost -= parenthesisBonus
  else if (word?.endsSentence === true) cost += orphanCost(word.text.length)
  return cost
}

/** The cost of a line of this length; the last line of a paragraph costs nothing. */
function lineEndCost(next: number, length: number, count: number, nextLength: number, afterNext: number, goal: number): number {
  if (next === count) return 0
  let cost = shortCost(goal - length)
  if (afterNext !== count) cost += raggedCost(length - nextLength)
  return cost
}
