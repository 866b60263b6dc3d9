// fmt: fills paragraphs up to a width. Where a line ends is chosen so that the lines of a paragraph are of like length, with the costs that
// GNU's fmt gives to each way.

import { decodeText, encodeText } from '../../../../shell/byte-text.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { has, parseArguments, valueOf } from '../options.ts'
import { complain, eachInput } from '../program.ts'

interface FmtWord {
  readonly text: string
  /** Blanks behind it. */
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
    context.args.map(arg => arg.replace(/^-(\d+)$/, '-w$1')),
    {
      '-w': 'width=',
      '--width': 'width=',
      '-g': 'goal=',
      '--goal': 'goal=',
      '-s': 'split',
      '--split-only': 'split',
      '-u': 'uniform',
      '--uniform-spacing': 'uniform',
    },
  )
  if (typeof parsed === 'string') return complain(context, 'fmt', `${parsed}; -c, -t and -p are not available here`)
  const width = Number(valueOf(parsed, 'width') ?? 75)
  if (!Number.isInteger(width) || width < 1 || width > 2500)
    return complain(context, 'fmt', `invalid width: ‘${valueOf(parsed, 'width') ?? ''}’`)
  const goal = Number(valueOf(parsed, 'goal') ?? Math.floor((width * (2 * (100 - leeway) + 1)) / 200))
  return eachInput(context, 'fmt', parsed.operands, async bytes => {
    const lines = decodeText(bytes).replace(/\n$/, '').split('\n')
    if (bytes.length === 0) return
    const output: string[] = []
    // Once there was a tab blanks are written as tabs where they reach one.
    let hasTabs = false
    for (const paragraph of paragraphsOf(lines, has(parsed, 'split'))) {
      if (paragraph.words.length === 0) output.push('')
      else {
        hasTabs ||= paragraph.hasTabs
        output.push(...filled(paragraph, { width, goal, isUniform: has(parsed, 'uniform'), hasTabs }))
      }
    }
    await context.stdout.write(encodeText(`${output.join('\n')}\n`))
  })
}

interface Paragraph {
  readonly firstIndent: number
  readonly indent: number
  readonly words: readonly FmtWord[]
  readonly hasTabs: boolean
}

/** Lines of one indentation belong together; a blank one parts them. */
function* paragraphsOf(lines: readonly string[], isSplitOnly: boolean): Generator<Paragraph> {
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    at += 1
    if (line.replace(/[ \t]+/g, '') === '') {
      yield { firstIndent: 0, indent: 0, words: [], hasTabs: false }
      continue
    }
    const firstIndent = indentOf(line)
    const words = wordsOf(line)
    let hasTabs = line.includes('\t')
    const next = lines[at]
    const indent = firstIndent
    if (!isSplitOnly && next !== undefined && next.replace(/[ \t]+/g, '') !== '' && indentOf(next) === indent) {
      while (at < lines.length && (lines[at] ?? '').replace(/[ \t]+/g, '') !== '' && indentOf(lines[at] ?? '') === indent) {
        endLine(words)
        words.push(...wordsOf(lines[at] ?? ''))
        hasTabs ||= (lines[at] ?? '').includes('\t')
        at += 1
      }
    }
    yield { firstIndent, indent, words, hasTabs }
  }
}

/** A word at the end of a line has one blank behind it, two where it ends a sentence. */
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

function indentOf(line: string): number {
  return columnsOf(/^[ \t]*/.exec(line)?.[0] ?? '', 0)
}

function wordsOf(line: string): FmtWord[] {
  const words: FmtWord[] = []
  let column = indentOf(line)
  for (const [, text = '', blanks = ''] of line.replace(/^[ \t]+/, '').matchAll(/([^ \t]+)([ \t]*)/g)) {
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
  }
  return words
}

interface Shape {
  readonly width: number
  readonly goal: number
  readonly isUniform: boolean
  readonly hasTabs: boolean
}

/** From the last word back: the cheapest way to lay out what begins with each word. */
function filled({ words, indent, firstIndent }: Paragraph, { width, goal, isUniform, hasTabs }: Shape): readonly string[] {
  endLine(words)
  const last = words.at(-1)
  if (last !== undefined) {
    last.endsWithPoint = true
    last.endsSentence = true
  }
  for (const word of words) if (isUniform) word.space = word.endsSentence ? 2 : 1
  const best: { cost: number; next: number; length: number }[] = []
  best[words.length] = { cost: 0, next: words.length, length: 0 }
  for (let start = words.length - 1; start >= 0; start--) {
    let length = (start === 0 ? firstIndent : indent) + (words[start]?.text.length ?? 0)
    let cheapest = { cost: Number.POSITIVE_INFINITY, next: words.length, length: 0 }
    for (let next = start + 1; next <= words.length; next++) {
      const following = best[next]
      const cost =
        (following?.cost ?? 0) + lineEndCost(next, length, words.length, following?.length ?? 0, following?.next ?? 0, goal)
      if (cost < cheapest.cost) cheapest = { cost, next, length }
      if (next === words.length) break
      length += (words[next - 1]?.space ?? 1) + (words[next]?.text.length ?? 0)
      if (length >= width) break
    }
    best[start] = { ...cheapest, cost: cheapest.cost + baseCost(words, start) }
  }
  const lines: string[] = []
  for (let start = 0; start < words.length;) {
    const next = best[start]?.next ?? words.length
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
      line += ' '.repeat(target - column)
      column = target
    }
    blanks(start === 0 ? firstIndent : indent)
    for (let at = start; at < next; at++) {
      line += words[at]?.text ?? ''
      column += words[at]?.text.length ?? 0
      if (at + 1 < next) blanks(words[at]?.space ?? 1)
    }
    lines.push(line)
    start = next
  }
  return lines
}

/** What it costs to begin a line with a word. */
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

/** What it costs that a line has this length; the last one may be of any. */
function lineEndCost(next: number, length: number, count: number, nextLength: number, afterNext: number, goal: number): number {
  if (next === count) return 0
  let cost = shortCost(goal - length)
  if (afterNext !== count) cost += raggedCost(length - nextLength)
  return cost
}
