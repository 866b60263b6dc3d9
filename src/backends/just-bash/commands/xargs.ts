// xargs: builds commands of what it reads. They run one after the other, whatever -P says.

import { inputOf, type ShellCommandContext } from '../../../shell/commands.ts'
import { openInput } from './filter/input.ts'
import { RecordReader, type TextRecord } from './filter/record-reader.ts'
import { has, parseArguments, valueOf, type OptionTable } from './options.ts'
import { complain, reasonOf } from './program.ts'

const table: OptionTable = {
  '-0': 'null',
  '--null': 'null',
  '-d': 'delimiter=',
  '--delimiter': 'delimiter=',
  '-I': 'replace=',
  '-i': 'braces',
  '--replace': 'braces',
  '-n': 'args=',
  '--max-args': 'args=',
  '-L': 'lines=',
  '-l': 'one-line',
  '--max-lines': 'lines=',
  '-P': 'ignored=',
  '--max-procs': 'ignored=',
  '-s': 'characters=',
  '--max-chars': 'characters=',
  '-r': 'no-run-if-empty',
  '--no-run-if-empty': 'no-run-if-empty',
  '-t': 'trace',
  '--verbose': 'trace',
  '-x': 'exit',
  '-a': 'file=',
  '--arg-file': 'file=',
  '-E': 'end=',
}

// What GNU's takes by itself, about.
const defaultCharacters = 128 * 1024
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', '0': '\0', '\\': '\\', r: '\r' }

export async function xargs(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, table, true)
  if (typeof parsed === 'string') return complain(context, 'xargs', parsed)
  const { exec } = context
  if (exec === undefined) throw new Error('unreachable: xargs runs beside the interpreter')
  const delimiter = has(parsed, 'null')
    ? '\0'
    : valueOf(parsed, 'delimiter')?.replace(/^\\(.)$/, (all, letter: string) => escapes[letter] ?? all)
  const replaced = valueOf(parsed, 'replace') ?? (has(parsed, 'braces') ? '{}' : undefined)
  const [command = 'echo', ...first] = parsed.operands
  const limits = {
    args: Number(valueOf(parsed, 'args') ?? Infinity),
    lines: Number(valueOf(parsed, 'lines') ?? (has(parsed, 'one-line') ? 1 : Infinity)),
    characters: Number(valueOf(parsed, 'characters') ?? defaultCharacters),
  }
  if (Object.values(limits).some(count => !(count >= 1)))
    return complain(context, 'xargs', 'the values of -n, -L and -s are numbers above 0')
  const used = [command, ...first].reduce((sum, word) => sum + word.length + 1, 0)
  const groups = new Groups(
    replaced === undefined ? { ...limits, characters: limits.characters - used } : { ...limits, args: 1, lines: 1 },
  )
  const words = new WordReader(delimiter !== undefined, replaced !== undefined, valueOf(parsed, 'end'))
  const file = valueOf(parsed, 'file')
  let records: RecordReader
  try {
    records = new RecordReader(await openInput(file ?? '-', context), delimiter === '' ? '\0' : (delimiter ?? '\n'))
  } catch (error) {
    return complain(context, 'xargs', `${file ?? '-'}: ${reasonOf(error)}`)
  }
  let [code, hasRun] = [0, false]
  /** The code with which all ends at once. */
  const call = async (given: readonly string[]): Promise<number | undefined> => {
    hasRun = true
    const args = replaced === undefined ? [...first, ...given] : first.map(arg => arg.replaceAll(replaced, given[0] ?? ''))
    if (has(parsed, 'trace')) await context.stderr.write(`${[command, ...args].join(' ')}\n`)
    const status = await exec([command, ...args], { stdin: inputOf(new Uint8Array()) })
    if (status === 255) return complain(context, 'xargs', `${command}: exited with status 255; aborting`, 124)
    if (status === 126 || status === 127) return status
    // A command that was ended by a signal ends all. 141: nobody reads what it writes.
    if (status === 141 || (status > 128 && context.signal.aborted)) return 125
    if (status !== 0) code = 123
    return undefined
  }
  for (let isOver = false; !isOver;) {
    const record = await records.next()
    isOver = record === undefined
    const line = record === undefined ? words.end() : words.take(record)
    if (line !== undefined && line.length > 0) groups.add(line)
    isOver ||= words.isOver
    if (isOver) groups.close()
    for (const given of groups.take()) {
      const end = await call(given)
      if (end !== undefined) return end
    }
    if (groups.problem !== undefined) return complain(context, 'xargs', groups.problem)
  }
  if (words.problem !== undefined) return complain(context, 'xargs', words.problem)
  if (!hasRun && replaced === undefined && !has(parsed, 'no-run-if-empty')) return (await call([])) ?? code
  return code
}

/** Parts what it is given into words: whole lines for -I, else at blanks, with quotes and backslashes. */
class WordReader {
  /** There are no more words. */
  isOver = false
  problem: string | undefined
  private words: string[] = []
  private word: string | undefined
  private readonly isDelimited: boolean
  private readonly isWhole: boolean
  private readonly lastWord: string | undefined

  constructor(isDelimited: boolean, isWhole: boolean, lastWord: string | undefined) {
    this.isDelimited = isDelimited
    this.isWhole = isWhole
    this.lastWord = lastWord
  }

  /** The words of a line that is over with this record. */
  take({ text, isEnded }: TextRecord): readonly string[] | undefined {
    if (this.isDelimited) return [text]
    const line = this.isWhole ? text.replace(/^[ \t]+/, '') : text
    let isLineOver = false
    for (const match of `${line}${isEnded ? '\n' : ''}`.matchAll(
      /'([^'\n]*)'|"([^"\n]*)"|\\([^])|(\n)|([ \t]+)|(['"\\])|([^'"\\ \t\n]+)/g,
    )) {
      const [, single, double, escaped, newline, blank, stray, plain] = match
      if (newline !== undefined) isLineOver = true
      else if (stray === '\\') this.word ??= ''
      else if (stray !== undefined) {
        // What stands before it is run.
        this.problem = `unmatched ${stray === '"' ? 'double' : 'single'} quote; by default quotes are special to xargs unless you use the -0 option`
        this.word = undefined
        return this.end()
      } else if (blank !== undefined && !this.isWhole) this.endWord()
      else this.word = (this.word ?? '') + (single ?? double ?? escaped ?? blank ?? plain ?? '')
      if (this.lastWord !== undefined && this.word === this.lastWord) {
        this.isOver = true
        return []
      }
    }
    if (!isLineOver) return undefined
    // A line of nothing but blanks does not count, for -L.
    this.endWord()
    const { words } = this
    this.words = []
    return words
  }

  /** The words of the last line. */
  end(): readonly string[] {
    this.isOver = true
    this.endWord()
    return this.words
  }

  private endWord(): void {
    if (this.word !== undefined) this.words.push(this.word)
    this.word = undefined
  }
}

interface Limits {
  readonly args: number
  readonly lines: number
  readonly characters: number
}

/** Words for one call after the other. */
class Groups {
  problem: string | undefined
  private complete: string[][] = []
  private group: string[] = []
  private lineCount = 0
  private characters = 0
  private readonly limits: Limits

  constructor(limits: Limits) {
    this.limits = limits
  }

  add(words: readonly string[]): void {
    for (const word of words) {
      if (word.length + 1 > this.limits.characters) {
        this.problem = 'argument line too long'
        return
      }
      if (this.group.length >= this.limits.args || this.characters + word.length + 1 > this.limits.characters) this.close()
      this.group.push(word)
      this.characters += word.length + 1
    }
    this.lineCount += 1
    if (this.lineCount >= this.limits.lines) this.close()
  }

  close(): void {
    if (this.group.length > 0) this.complete.push(this.group)
    this.group = []
    this.lineCount = 0
    this.characters = 0
  }

  /** The ones to which nothing is added any more. */
  take(): readonly (readonly string[])[] {
    const { complete } = this
    this.complete = []
    return complete
  }
}
