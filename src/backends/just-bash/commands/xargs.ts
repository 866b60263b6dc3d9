// just-bash's xargs splits lines at blanks for -I, so a file name with a space becomes two, knows no quotes, and takes no value that is
// attached to its option.

import { shownText, readInput, reasonOf } from './inputs.ts'
import { failed, type CommandContext, type CommandResult } from './command.ts'
import { has, parseArguments, valueOf, type OptionTable } from './options.ts'

const table: OptionTable = {
  '-0': 'null',
  '--null': 'null',
  '-d': 'delimiter=',
  '--delimiter': 'delimiter=',
  '-I': 'replace=',
  '--replace': 'replace=',
  '-i': 'braces',
  '-n': 'args=',
  '--max-args': 'args=',
  '-L': 'lines=',
  '--max-lines': 'lines=',
  '-P': 'ignored=',
  '--max-procs': 'ignored=',
  '-s': 'ignored=',
  '--max-chars': 'ignored=',
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
const mostCharacters = 128 * 1024
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', '0': '\0', '\\': '\\', r: '\r' }

/** `xargs [-0rt] [-d X] [-I R] [-n N] [-L N] [-P N] [-a FILE] [COMMAND [ARG]...]`. One command at a time, whatever -P says. */
export async function xargs(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args, table, true)
  if (typeof parsed === 'string') return failed('xargs', parsed)
  const file = valueOf(parsed, 'file')
  let input: string
  try {
    input = shownText(file === undefined ? context.stdin : await readInput(file, context))
  } catch (error) {
    return failed('xargs', `${file ?? '-'}: ${reasonOf(error)}`)
  }
  const delimiter = has(parsed, 'null')
    ? '\0'
    : valueOf(parsed, 'delimiter')?.replace(/^\\(.)$/, (all, letter: string) => escapes[letter] ?? all)
  const replaced = valueOf(parsed, 'replace') ?? (has(parsed, 'braces') ? '{}' : undefined)
  const lines = wordsByLine(input, delimiter, replaced !== undefined)
  if (typeof lines === 'string') return failed('xargs', lines)
  const [command = 'echo', ...first] = parsed.operands
  const counts = ['args', 'lines'].map(name => Number(valueOf(parsed, name) ?? Infinity))
  const [perCommand = Infinity, linesPerCommand = Infinity] = counts
  if (counts.some(count => !(count >= 1))) return failed('xargs', 'the values of -n and -L are numbers above 0')
  const calls =
    replaced === undefined
      ? grouped(lines, perCommand, linesPerCommand).map(group => [...first, ...group])
      : lines.flat().map(line => first.map(arg => arg.replaceAll(replaced, line)))
  if (calls.length === 0 && replaced === undefined && !has(parsed, 'no-run-if-empty')) calls.push([...first])
  let [stdout, stderr] = ['', '']
  let exitCode = 0
  for (const call of calls) {
    if (context.signal.aborted) break
    if (has(parsed, 'trace')) stderr += `${[command, ...call].join(' ')}\n`
    const result = await context.exec(command, call, undefined, '')
    stdout += asBytes(result)
    stderr += result.stderr
    if (result.exitCode === 255)
      return {
        stdout,
        stdoutKind: 'bytes',
        stderr: `${stderr}xargs: ${command}: exited with status 255; aborting\n`,
        exitCode: 124,
      }
    if (result.exitCode === 126 || result.exitCode === 127)
      return { stdout, stdoutKind: 'bytes', stderr, exitCode: result.exitCode }
    if (result.exitCode !== 0) exitCode = 123
  }
  return { stdout, stdoutKind: 'bytes', stderr, exitCode }
}

/** What a command gave, as bytes, whichever of the two it said. */
function asBytes({ stdout, stdoutKind }: CommandResult): string {
  if (stdoutKind === 'bytes') return stdout
  return Array.from(new TextEncoder().encode(stdout), byte => String.fromCharCode(byte)).join('')
}

/** The words of each line: whole lines for -I, else parted at blanks, with quotes and backslashes. A problem is a sentence. */
function wordsByLine(input: string, delimiter: string | undefined, isWhole: boolean): string[][] | string {
  if (delimiter !== undefined) {
    const items = input.split(delimiter)
    if (items.at(-1) === '') items.pop()
    return items.map(item => [item])
  }
  const lines: string[][] = []
  for (const line of input.split('\n')) {
    const words: string[] = []
    let word: string | undefined
    const text = isWhole ? line.trimStart() : line
    for (const match of text.matchAll(/'([^']*)'|"([^"]*)"|\\([^])|([ \t]+)|(['"\\])|([^'"\\ \t]+)/g)) {
      const [, single, double, escaped, blank, stray, plain] = match
      if (stray === '\\') word = word ?? ''
      else if (stray !== undefined)
        return `unmatched ${stray === '"' ? 'double' : 'single'} quote; give -0 or -d '\\n' where names may hold quotes`
      else if (blank !== undefined && !isWhole) {
        if (word !== undefined) words.push(word)
        word = undefined
      } else word = (word ?? '') + (single ?? double ?? escaped ?? blank ?? plain ?? '')
    }
    if (word !== undefined) words.push(word)
    if (words.length > 0) lines.push(words)
  }
  return lines
}

function grouped(lines: readonly (readonly string[])[], perCommand: number, linesPerCommand: number): string[][] {
  const groups: string[][] = []
  let [lineCount, characters] = [Infinity, Infinity]
  for (const words of lines) {
    lineCount += 1
    if (lineCount > linesPerCommand) characters = Infinity
    for (const word of words) {
      const last = groups.at(-1)
      characters += word.length + 1
      if (last === undefined || last.length >= perCommand || characters > mostCharacters) {
        groups.push([word])
        characters = word.length + 1
        if (lineCount > linesPerCommand) lineCount = 1
      } else last.push(word)
    }
  }
  return groups
}
