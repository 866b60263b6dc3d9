// xargs: builds command lines from its input. Commands run one after the other, whatever -P says.

import { inputOf, type ShellCommandContext } from '../../../shell/commands.ts'
import { openInput } from './filter/input.ts'
import { RecordReader, type TextRecord } from './filter/record-reader.ts'
import { type Arguments, has, type OptionTable, optionTable, parseArguments, valueOf } from './options.ts'
import { complain } from './program.ts'
import { letOthersRun } from './stop.ts'
import { reasonOf } from '../errno.ts'

const table: OptionTable = optionTable(`
  -0 --null: null, -d --delimiter: delimiter=, -I: replace=, -i --replace: some-replace?, -n --max-args: args=, -L: lines=,
  -l --max-lines: some-lines?, -P --max-procs: ignored=, -s --max-chars: characters=, -r --no-run-if-empty: no-run-if-empty,
  -t --verbose: trace, -x --exit: exit, -o --open-tty: ignored, -a --arg-file: file=, -E: end=, -e --eof: end?,
  --process-slot-var: slot=
`)

// About the default of GNU xargs.
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
  const [command = 'echo', ...first] = parsed.operands
  const { replaced, warnings, ...counts } = readUnits(parsed)
  for (const warning of warnings) await context.stderr.write(`xargs: warning: ${warning}\n`)
  const limits = { ...counts, characters: Number(valueOf(parsed, 'characters') ?? defaultCharacters) }
  if (Object.values(limits).some(count => !(count >= 1)))
    return complain(context, 'xargs', 'the values of -n, -L and -s must be numbers above 0')
  const used = [command, ...first].reduce((sum, word) => sum + word.length + 1, 0)
  const groups = new Groups(
    replaced === undefined ? { ...limits, characters: limits.characters - used } : { ...limits, args: 1, lines: 1 },
  )
  const words = new WordReader(delimiter !== undefined, replaced !== undefined, valueOf(parsed, 'end') || undefined)
  const file = valueOf(parsed, 'file')
  const slot = valueOf(parsed, 'slot')
  let records: RecordReader
  try {
    records = new RecordReader(await openInput(file ?? '-', context), delimiter === '' ? '\0' : (delimiter ?? '\n'))
  } catch (error) {
    return complain(context, 'xargs', `${file ?? '-'}: ${reasonOf(error)}`)
  }
  let [code, hasRun] = [0, false]
  /** Runs one command; returns an exit code if xargs must stop at once. */
  const call = async (given: readonly string[]): Promise<number | undefined> => {
    hasRun = true
    const args = replaced === undefined ? [...first, ...given] : first.map(arg => arg.replaceAll(replaced, () => given[0] ?? ''))
    if (has(parsed, 'trace')) await context.stderr.write(`${[command, ...args].join(' ')}\n`)
    const status = await exec([command, ...args], {
      stdin: inputOf(new Uint8Array()),
      // Commands run one after the other, so all have the first slot.
      ...(slot === undefined ? {} : { env: { ...context.env, [slot]: '0' } }),
    })
    if (status === 255) return complain(context, 'xargs', `${command}: exited with status 255; aborting`, 124)
    if (status === 126 || status === 127) return status
    // A command killed by a signal ends xargs. 141 means SIGPIPE: its output is closed.
    if (status === 141 || (status > 128 && context.signal.aborted)) return 125
    if (status !== 0) code = 123
    return undefined
  }
  for (let isOver = false; !isOver;) {
    const record = await records.next()
    isOver = record === undefined
    const line = record === undefined ? words.end() : words.take(record)
    // With -x, which -L implies, a line with an unmatched quote is not run.
    const isDropped = words.problem !== undefined && (has(parsed, 'exit') || limits.lines < Infinity)
    if (line !== undefined && line.length > 0 && !isDropped) groups.add(line)
    isOver ||= words.isOver
    if (isOver && !isDropped) groups.close()
    for (const given of groups.take()) {
      await letOthersRun(context.signal)
      const end = await call(given)
      if (end !== undefined) return end
    }
    if (groups.problem !== undefined) return complain(context, 'xargs', groups.problem)
  }
  if (words.problem !== undefined) return complain(context, 'xargs', words.problem)
  if (!hasRun && replaced === undefined && !has(parsed, 'no-run-if-empty')) return (await call([])) ?? code
  return code
}

interface Units {
  readonly args: number
  readonly lines: number
  readonly replaced: string | undefined
  readonly warnings: readonly string[]
}

/** The limits on each command: -n, -L and -I exclude each other, and the last one applies. */
function readUnits({ options }: Arguments): Units {
  const warnings: string[] = []
  let last: { readonly name: string; readonly value: string } | undefined
  const shown: Readonly<Record<string, string>> = {
    args: '--max-args/-n',
    lines: '--max-lines/-L/-l',
    replace: '--replace/-I/-i',
  }
  for (const option of options) {
    const name = option.name.replace('some-', '')
    if (shown[name] === undefined) continue
    // `-n 1` after -I has no effect.
    if (name === 'args' && option.value === '1' && last?.name === 'replace') continue
    if (last !== undefined && last.name !== name)
      warnings.push(`options ${shown[last.name]} and ${shown[name]} are mutually exclusive, ignoring the first`)
    last = { name, value: option.value || (name === 'lines' ? '1' : '{}') }
  }
  const countOf = (name: string): number => (last?.name === name ? Number(last.value) : Infinity)
  return {
    args: countOf('args'),
    lines: countOf('lines'),
    replaced: last?.name === 'replace' ? last.value : undefined,
    warnings,
  }
}

/** Splits input into words: whole lines for -I, otherwise at blanks, with quotes and backslashes. */
class WordReader {
  isOver = false
  problem: string | undefined
  private isContinued = false
  private words: string[] = []
  private word: string | undefined
  /** Nothing counts after the word of -E. */
  private sawLastWord = false
  private readonly isDelimited: boolean
  private readonly isWhole: boolean
  private readonly lastWord: string | undefined

  constructor(isDelimited: boolean, isWhole: boolean, lastWord: string | undefined) {
    this.isDelimited = isDelimited
    this.isWhole = isWhole
    this.lastWord = lastWord
  }

  /** The words of the logical line that ends with this record; `undefined` if none does. */
  take({ text, isEnded }: TextRecord): readonly string[] | undefined {
    if (this.isDelimited) return [text]
    const line = this.isWhole ? text.replace(/^[ \t]+/, '') : text
    let isLineOver = false
    // A trailing blank continues the logical line on the next nonempty line.
    this.isContinued = !this.isWhole && (/[ \t]$/.test(line) || (line === '' && this.isContinued))
    for (const match of `${line}${isEnded ? '\n' : ''}`.matchAll(
      /'([^'\n]*)'|"([^"\n]*)"|\\([^])|(\n)|([ \t]+)|(['"\\])|([^'"\\ \t\n]+)/g,
    )) {
      const [, single, double, escaped, newline, blank, stray, plain] = match
      if (newline !== undefined) {
        isLineOver = !this.isContinued
        this.endWord()
      } else if (stray === '\\') this.word ??= ''
      else if (stray !== undefined) {
        // The words before the unmatched quote are still run.
        this.problem = `unmatched ${stray === '"' ? 'double' : 'single'} quote; by default quotes are special to xargs unless you use the -0 option`
        this.word = undefined
        return this.end()
      } else if (blank !== undefined && !this.isWhole) this.endWord()
      else this.word = (this.word ?? '') + (single ?? double ?? escaped ?? blank ?? plain ?? '')
      if (this.sawLastWord) return this.end()
    }
    if (!isLineOver) return undefined
    // For -L, a line of only blanks does not count.
    this.endWord()
    const { words } = this
    this.words = []
    return words
  }

  /** The words of the last logical line. */
  end(): readonly string[] {
    this.isOver = true
    this.endWord()
    return this.words
  }

  private endWord(): void {
    if (this.word !== undefined && this.word === this.lastWord) this.sawLastWord = true
    else if (this.word !== undefined && !this.sawLastWord) this.words.push(this.word)
    this.word = undefined
  }
}

interface Limits {
  readonly args: number
  readonly lines: number
  readonly characters: number
}

/** Groups words into the arguments of each command. */
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

  take(): readonly (readonly string[])[] {
    const { complete } = this
    this.complete = []
    return complete
  }
}
