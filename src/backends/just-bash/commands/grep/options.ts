// The options of grep.

import type { PatternOptions } from './matcher.ts'
import { type Arguments, type OptionTable, optionTable, parseArguments } from '../options.ts'

const table: OptionTable = {
  ...optionTable(`
    -E --extended-regexp: extended, -F --fixed-strings: fixed, -G --basic-regexp: basic, -P --perl-regexp: perl,
    -e --regexp: pattern=, -f --file: file=, -i -y --ignore-case: ignore-case, --no-ignore-case: no-ignore-case,
    -w --word-regexp: word, -x --line-regexp: line, -z --null-data: null-data, -s --no-messages: no-messages,
    -v --invert-match: invert, -m --max-count: max-count=, -b --byte-offset: byte-offset, -n --line-number: line-number,
    -H --with-filename: names, -h --no-filename: no-names, --label: label=, -o --only-matching: only-matching,
    -q --quiet --silent: quiet, --binary-files: binary-files=, -a --text: text, -I: without-binary,
    -d --directories: directories=, -D --devices: devices=, -r --recursive: recursive, -R --dereference-recursive: dereference,
    --include: include=, --exclude: exclude=, --exclude-from: exclude-from=, --exclude-dir: exclude-dir=,
    -L --files-without-match: files-without, -l --files-with-matches: files-with, -c --count: count,
    -T --initial-tab: initial-tab, -Z --null: null, -A --after-context: after=, -B --before-context: before=,
    -C --context: context=, --group-separator: group-separator=, --no-group-separator: no-group-separator,
    --color --colour: color?, -U --binary -u --unix-byte-offsets: ignored, --line-buffered: line-buffered,
    -V --version: version, --help: help
  `),
  ...Object.fromEntries(Array.from('0123456789', digit => [`-${digit}`, `digit-${digit}`])),
}

export interface GrepOptions {
  readonly pattern: PatternOptions
  /** The values of -e and -f in order; if empty, the first operand is the pattern. */
  readonly sources: readonly { readonly kind: 'pattern' | 'file'; readonly value: string }[]
  readonly operands: readonly string[]
  readonly recursion: 'none' | 'recursive' | 'dereference'
  readonly directories: 'read' | 'skip'
  /** `--include` and `--exclude` in order; the last one that matches a name applies. */
  readonly nameRules: readonly { readonly isIncluded: boolean; readonly glob: string }[]
  readonly excludedDirectories: readonly string[]
  readonly excludeFrom: readonly string[]
  readonly showsNames: boolean | undefined
  readonly hidesMessages: boolean
  readonly label: string
  readonly isQuiet: boolean
  readonly list: 'none' | 'with' | 'without'
  readonly output: OutputOptions
}

export interface OutputOptions {
  readonly isInverted: boolean
  /** `undefined`: no limit. */
  readonly maxCount: number | undefined
  readonly isCount: boolean
  readonly isOnlyMatching: boolean
  readonly hasLineNumbers: boolean
  readonly hasByteOffsets: boolean
  readonly hasTabs: boolean
  readonly before: number
  readonly after: number
  /** Printed between groups of lines; `undefined`: no separator. */
  readonly groupSeparator: string | undefined
  readonly isColored: boolean
  readonly endsNamesWithNull: boolean
  /** The delimiter of records. */
  readonly end: '\n' | '\0'
  readonly binary: 'report' | 'text' | 'skip'
}

export const usage = "Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.\n"

/** Returns the options, an error message, or the request for help or version. */
export function readOptions(args: readonly string[]): GrepOptions | { readonly problem: string } | 'help' | 'version' {
  const parsed = parseArguments(args, table)
  if (typeof parsed === 'string') return { problem: parsed }
  const { options } = parsed
  const last = (...names: readonly string[]): string | undefined => options.findLast(({ name }) => names.includes(name))?.name
  const value = (name: string): string | undefined => options.findLast(option => option.name === name)?.value
  if (last('help') !== undefined) return 'help'
  if (last('version') !== undefined) return 'version'
  const context = contextOf(parsed)
  if (typeof context === 'string') return { problem: context }
  const maxText = value('max-count')
  const maxCount = maxText === undefined ? undefined : wholeNumber(maxText)
  if (maxText !== undefined && maxCount === undefined) return { problem: 'invalid max count' }
  const binary = readBinary(options)
  if (binary === undefined) return { problem: 'invalid argument for --binary-files; valid are binary, text and without-match' }
  const directories = value('directories')
  if (directories !== undefined && !['read', 'recurse', 'skip'].includes(directories))
    return { problem: `invalid argument '${directories}' for '--directories'; valid are read, recurse and skip` }
  const devices = value('devices')
  if (devices !== undefined && !['read', 'skip'].includes(devices))
    return { problem: `invalid argument '${devices}' for '--devices'; valid are read and skip` }
  const color = options.findLast(({ name }) => name === 'color')
  const isColored = color !== undefined && ['always', 'yes', 'force'].includes(color.value)
  if (
    color !== undefined &&
    !['', 'always', 'yes', 'force', 'auto', 'tty', 'if-tty', 'never', 'no', 'none'].includes(color.value)
  )
    return { problem: `invalid argument '${color.value}' for '--color'; valid are always, never and auto` }
  const syntaxes = new Set(options.map(({ name }) => name).filter(name => ['extended', 'fixed', 'basic', 'perl'].includes(name)))
  if (syntaxes.size > 1) return { problem: 'conflicting matchers specified' }
  const [syntax] = syntaxes
  const list = last('files-with', 'files-without')
  const names = last('names', 'no-names')
  const hasContext = context.before !== undefined || context.after !== undefined
  const isQuiet = last('quiet') !== undefined
  const recursion = last('recursive', 'dereference')
  return {
    pattern: {
      syntax: syntax === 'extended' || syntax === 'fixed' || syntax === 'perl' ? syntax : 'basic',
      ignoresCase: last('ignore-case', 'no-ignore-case') === 'ignore-case',
      whole: last('line') !== undefined ? 'line' : last('word') !== undefined ? 'word' : undefined,
    },
    sources: options.flatMap(option =>
      option.name === 'pattern' || option.name === 'file' ? [{ kind: option.name, value: option.value }] : [],
    ),
    operands: parsed.operands,
    recursion:
      recursion === 'recursive' || recursion === 'dereference' ? recursion : directories === 'recurse' ? 'recursive' : 'none',
    directories: directories === 'skip' ? 'skip' : 'read',
    nameRules: options.flatMap(option =>
      option.name === 'include' || option.name === 'exclude'
        ? [{ isIncluded: option.name === 'include', glob: option.value }]
        : [],
    ),
    excludedDirectories: options.flatMap(option =>
      option.name === 'exclude-dir' ? [option.value.replace(/(?<=.)\/+$/, '')] : [],
    ),
    excludeFrom: options.flatMap(option => (option.name === 'exclude-from' ? [option.value] : [])),
    showsNames: names === undefined ? undefined : names === 'names',
    hidesMessages: last('no-messages') !== undefined,
    label: value('label') ?? '(standard input)',
    isQuiet,
    list: isQuiet || list === undefined ? 'none' : list === 'files-with' ? 'with' : 'without',
    output: {
      isInverted: last('invert') !== undefined,
      maxCount: maxCount !== undefined && maxCount < 0 ? undefined : maxCount,
      isCount: last('count') !== undefined,
      isOnlyMatching: last('only-matching') !== undefined,
      hasLineNumbers: last('line-number') !== undefined,
      hasByteOffsets: last('byte-offset') !== undefined,
      hasTabs: last('initial-tab') !== undefined,
      before: context.before ?? 0,
      after: context.after ?? 0,
      groupSeparator:
        !hasContext || last('group-separator', 'no-group-separator') === 'no-group-separator'
          ? undefined
          : (value('group-separator') ?? '--'),
      isColored,
      endsNamesWithNull: last('null') !== undefined,
      end: last('null-data') !== undefined ? '\0' : '\n',
      binary,
    },
  }
}

function readBinary(options: Arguments['options']): OutputOptions['binary'] | undefined {
  let binary: OutputOptions['binary'] | undefined = 'report'
  for (const { name, value } of options) {
    if (name === 'text') binary = 'text'
    else if (name === 'without-binary') binary = 'skip'
    else if (name === 'binary-files')
      binary = value === 'binary' ? 'report' : value === 'text' ? 'text' : value === 'without-match' ? 'skip' : undefined
  }
  return binary
}

/** The context of `-NUM` and `-C`, which `-A` and `-B` override. */
function contextOf({ options }: Arguments): { readonly before?: number; readonly after?: number } | string {
  let both: number | undefined
  let before: number | undefined
  let after: number | undefined
  let digits = ''
  for (const { name, value } of options) {
    if (name.startsWith('digit-')) {
      digits += name.slice(6)
      both = Number(digits)
      continue
    }
    digits = ''
    if (name !== 'before' && name !== 'after' && name !== 'context') continue
    const count = wholeNumber(value)
    if (count === undefined || count < 0) return `${value}: invalid context length argument`
    if (name === 'context') both = count
    else if (name === 'before') before = count
    else after = count
  }
  before ??= both
  after ??= both
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }
}

function wholeNumber(text: string): number | undefined {
  return /^[+-]?\d+$/.test(text) ? Number(text) : undefined
}
