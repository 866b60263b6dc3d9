// xargs: builds commands of what it reads. They run one after the other, whatever -P says.

import { decodeText } from '../../../shell/byte-text.ts'
import { inputOf, type ShellCommandContext } from '../../../shell/commands.ts'
import { has, parseArguments, valueOf, type OptionTable } from './options.ts'
import { complain, readNamed, reasonOf } from './program.ts'

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
  const file = valueOf(parsed, 'file')
  let input: string
  try {
    input = decodeText(await readNamed(context, file ?? '-'))
  } catch (error) {
    if (file === undefined) throw error
    return complain(context, 'xargs', `${file}: ${reasonOf(error)}`)
  }
  const delimiter = has(parsed, 'null')
    ? '\0'
    : valueOf(parsed, 'delimiter')?.replace(/^\\(.)$/, (all, letter: string) => escapes[letter] ?? all)
  const replaced = valueOf(parsed, 'replace') ?? (has(parsed, 'braces') ? '{}' : undefined)
  const { lines, problem } = wordsByLine(input, delimiter, replaced !== undefined, valueOf(parsed, 'end'))
  const [command = 'echo', ...first] = parsed.operands
  const limits = {
    args: Number(valueOf(parsed, 'args') ?? Infinity),
    lines: Number(valueOf(parsed, 'lines') ?? (has(parsed, 'one-line') ? 1 : Infinity)),
    characters: Number(valueOf(parsed, 'characters') ?? defaultCharacters),
  }
  if (Object.values(limits).some(count => !(count >= 1)))
    return complain(context, 'xargs', 'the values of -n, -L and -s are numbers above 0')
  const used = [command, ...first].reduce((sum, word) => sum + word.length + 1, 0)
  const calls =
    replaced === undefined
      ? grouped(lines, { ...limits, characters: limits.characters - used })
      : lines.flat().map(line => [line])
  if (typeof calls === 'string') return complain(context, 'xargs', calls)
  const argsOf = (words: readonly string[]): string[] =>
    replaced === undefined ? [...first, ...words] : first.map(arg => arg.replaceAll(replaced, words[0] ?? ''))
  if (calls.length === 0 && problem === undefined && replaced === undefined && !has(parsed, 'no-run-if-empty')) calls.push([])
  let code = 0
  for (const words of calls) {
    const args = argsOf(words)
    if (has(parsed, 'trace')) await context.stderr.write(`${[command, ...args].join(' ')}\n`)
    const status = await exec([command, ...args], { stdin: inputOf(new Uint8Array()) })
    if (status === 255) return complain(context, 'xargs', `${command}: exited with status 255; aborting`, 124)
    if (status === 126 || status === 127) return status
    // A command that was ended by a signal ends all.
    if (status > 128 && status !== 255 && context.signal.aborted) return 125
    if (status !== 0) code = 123
  }
  return problem === undefined ? code : complain(context, 'xargs', problem)
}

/** The words of each line: whole lines for -I, else parted at blanks, with quotes and backslashes. A problem is a sentence. */
function wordsByLine(
  input: string,
  delimiter: string | undefined,
  isWhole: boolean,
  end: string | undefined,
): { readonly lines: string[][]; readonly problem?: string } {
  if (delimiter !== undefined) {
    const items = input.split(delimiter)
    if (items.at(-1) === '') items.pop()
    return { lines: items.map(item => [item]) }
  }
  const lines: string[][] = []
  let words: string[] = []
  let word: string | undefined
  const endWord = (): void => {
    if (word !== undefined) words.push(word)
    word = undefined
  }
  const text = isWhole ? input.replace(/^[ \t]+/gm, '') : input
  for (const match of text.matchAll(/'([^'\n]*)'|"([^"\n]*)"|\\([^])|(\n)|([ \t]+)|(['"\\])|([^'"\\ \t\n]+)/g)) {
    const [, single, double, escaped, newline, blank, stray, plain] = match
    if (newline !== undefined) {
      // A blank at the end of a line lets it go on, for -L.
      endWord()
      if (words.length > 0) lines.push(words)
      words = []
    } else if (stray === '\\') word = word ?? ''
    else if (stray !== undefined) {
      // What stands before it is run.
      if (words.length > 0) lines.push(words)
      const problem = `unmatched ${stray === '"' ? 'double' : 'single'} quote; by default quotes are special to xargs unless you use the -0 option`
      return { lines, problem }
    } else if (blank !== undefined && !isWhole) endWord()
    else word = (word ?? '') + (single ?? double ?? escaped ?? blank ?? plain ?? '')
    if (end !== undefined && word === end) return { lines }
  }
  endWord()
  if (words.length > 0) lines.push(words)
  return { lines }
}

interface Limits {
  readonly args: number
  readonly lines: number
  readonly characters: number
}

function grouped(lines: readonly (readonly string[])[], limits: Limits): string[][] | string {
  const groups: string[][] = []
  let group: string[] = []
  let [lineCount, characters] = [0, 0]
  const close = (): void => {
    if (group.length > 0) groups.push(group)
    group = []
    lineCount = 0
    characters = 0
  }
  for (const words of lines) {
    for (const word of words) {
      if (word.length + 1 > limits.characters) return 'argument line too long'
      if (group.length >= limits.args || characters + word.length + 1 > limits.characters) close()
      group.push(word)
      characters += word.length + 1
    }
    lineCount += 1
    if (lineCount >= limits.lines) close()
  }
  close()
  return groups
}
