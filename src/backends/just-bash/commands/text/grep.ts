// just-bash's grep takes `\+`, `\?` and `\<` of basic patterns literally, keeps only the last of several -e, and knows few bunched options:
// a model that is told "no match" believes it. Patterns are written anew as one extended one; the search itself stays its own.

import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { readInput, reasonOf, shownText } from '../inputs.ts'
import { has, parseArguments, type OptionTable } from '../options.ts'
import { extendedPattern, literalPattern } from './basic-pattern.ts'

const passed = { i: 'i', v: 'v', n: 'n', c: 'c', l: 'l', L: 'L', o: 'o', q: 'q', h: 'h', r: 'r', R: 'r', x: 'x', w: 'w' }
const table: OptionTable = {
  ...Object.fromEntries(Object.entries(passed).map(([letter, name]) => [`-${letter}`, name])),
  '-y': 'i',
  '--ignore-case': 'i',
  '--invert-match': 'v',
  '--line-number': 'n',
  '--count': 'c',
  '--files-with-matches': 'l',
  '--files-without-match': 'L',
  '--only-matching': 'o',
  '--quiet': 'q',
  '--silent': 'q',
  '--no-filename': 'h',
  '--recursive': 'r',
  '--dereference-recursive': 'r',
  '--line-regexp': 'x',
  '--word-regexp': 'w',
  '-E': 'extended',
  '--extended-regexp': 'extended',
  '-F': 'fixed',
  '--fixed-strings': 'fixed',
  '-P': 'perl',
  '--perl-regexp': 'perl',
  '-G': 'basic',
  '-e': 'pattern=',
  '--regexp': 'pattern=',
  '-f': 'file=',
  '--file': 'file=',
  '-m': 'm=',
  '--max-count': 'm=',
  '-A': 'A=',
  '--after-context': 'A=',
  '-B': 'B=',
  '--before-context': 'B=',
  '-C': 'C=',
  '--context': 'C=',
  '--include': 'include=',
  '--exclude': 'exclude=',
  '--exclude-dir': 'exclude-dir=',
  '-H': 'with-names',
  '--with-filename': 'with-names',
  '-s': 'no-messages',
  '--no-messages': 'no-messages',
  '-Z': 'null',
  '--null': 'null',
  // Nothing here is coloured, buffered by line, or left out for being binary.
  '--color': 'ignored',
  '--colour': 'ignored',
  '--line-buffered': 'ignored',
  '-a': 'ignored',
  '--text': 'ignored',
  '-I': 'ignored',
  '-U': 'ignored',
}

/** grep, egrep and fgrep. */
export async function grep(
  command: 'grep' | 'egrep' | 'fgrep',
  args: readonly string[],
  context: CommandContext,
): Promise<CommandResult> {
  if (command !== 'grep') return context.exec('grep', [command === 'egrep' ? '-E' : '-F', ...args])
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const usual = args.map((arg, index) =>
    index < end ? arg.replace(/^-(\d+)$/, '-C$1').replace(/^--colou?r=.*/, '--color') : arg,
  )
  const parsed = parseArguments(usual, table)
  if (typeof parsed === 'string') return failed(command, parsed, 2)
  const operands = [...parsed.operands]
  const patterns: string[] = []
  for (const { name, value } of parsed.options) {
    if (name === 'pattern') patterns.push(value)
    if (name !== 'file') continue
    try {
      patterns.push(shownText(await readInput(value, context)).replace(/\n$/, ''))
    } catch (error) {
      return failed(command, `${value}: ${reasonOf(error)}`, 2)
    }
  }
  if (!parsed.options.some(({ name }) => name === 'pattern' || name === 'file')) {
    const pattern = operands.shift()
    if (pattern === undefined) return failed(command, 'missing pattern', 2)
    patterns.push(pattern)
  }
  const alternatives = patterns.flatMap(pattern => pattern.split('\n'))
  const isPerl = has(parsed, 'perl')
  if (isPerl && alternatives.length > 1) return failed(command, '-P takes one pattern only', 2)
  const isFixed = has(parsed, 'fixed')
  const isExtended = has(parsed, 'extended')
  const written = alternatives.map(pattern =>
    isPerl ? pattern : isFixed ? literalPattern(pattern) : isExtended ? withWordEnds(pattern) : extendedPattern(pattern),
  )
  const joined = written.length === 1 ? (written[0] ?? '') : written.map(pattern => `(${pattern})`).join('|')
  const flags = [...new Set(parsed.options.map(({ name }) => name))].filter(name => name in passed).map(name => `-${name}`)
  for (const { name, value } of parsed.options) {
    if (/^[mABC]$/.test(name)) flags.push(`-${name}`, value)
    else if (name === 'include' || name === 'exclude' || name === 'exclude-dir') flags.push(`--${name}=${value}`)
  }
  const files = operands.length === 0 && has(parsed, 'r') ? ['.'] : operands
  // A second file makes it show names.
  const addsFile = has(parsed, 'with-names') && files.length > 0 && !has(parsed, 'r')
  if (has(parsed, 'with-names') && files.length === 0) return failed(command, '-H needs a file', 2)
  const result = await context.original([
    isPerl ? '-P' : '-E',
    ...flags,
    '-e',
    joined,
    '--',
    ...files,
    ...(addsFile ? ['/dev/null'] : []),
  ])
  let { stdout } = result
  if (addsFile) stdout = stdout.replace(/^\/dev\/null(?::.*)?\n/gm, '')
  if (has(parsed, 'null') && (has(parsed, 'l') || has(parsed, 'L'))) stdout = stdout.replaceAll('\n', '\0')
  else if (has(parsed, 'null')) return failed(command, '-Z is available here with -l or -L only', 2)
  const isTrouble = result.stderr !== '' && !(has(parsed, 'q') && result.exitCode === 0)
  return {
    ...result,
    stdout,
    stderr: has(parsed, 'no-messages') && result.exitCode < 2 ? '' : result.stderr,
    exitCode: isTrouble ? 2 : result.exitCode,
  }
}

/** `\<` and `\>` as the interpreter knows them. */
function withWordEnds(pattern: string): string {
  return pattern.replace(/\\([^])/g, (all, letter: string) => (letter === '<' || letter === '>' ? '\\b' : all))
}
