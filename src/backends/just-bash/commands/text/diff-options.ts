// The options of `diff` and what they mean together.

import { type Arguments, countOf, has, type OptionTable, optionTable, valueOf } from '../options.ts'
import { posixRegex } from '../../regex/regex.ts'
import { readInput, recordsOf, shownText } from '../inputs.ts'
import type { CommandContext } from '../command.ts'
import { pushAll } from '../../../../core/many.ts'

export const diffTable: OptionTable = {
  ...optionTable(`
    -u: unified, -U: context=, --unified: unified?, -q --brief: brief, -s --report-identical-files: same,
    -r --recursive: recursive, -N --new-file: new-file, -a --text: text, -i --ignore-case: ignore-case,
    -w --ignore-all-space: ignore-all-space, -b --ignore-space-change: ignore-space-change,
    -B --ignore-blank-lines: ignore-blank-lines, --strip-trailing-cr: strip-cr, -x --exclude: exclude=, -c: copied,
    -C: copied-lines=, --context: copied?, -y --side-by-side: columns, -W --width: width=,
    --suppress-common-lines: suppress-common, --left-column: left-column, -t --expand-tabs: expand-tabs, -e --ed: ed,
    -n --rcs: rcs, -Z --ignore-trailing-space: ignore-trailing-space, -d --minimal: minimal, --horizon-lines: horizon=,
    --normal: normal, --color: color?, --label -L: label=, -p --show-c-function: functions,
    -F --show-function-line: function-line=, -I --ignore-matching-lines: ignore-matching=,
    -E --ignore-tab-expansion: ignore-tabs, -T --initial-tab: initial-tab, --tabsize: tab-size=, -D --ifdef: ifdef=,
    -f --forward-ed: forward-ed, -X --exclude-from: exclude-from=, --from-file: from-file=, --to-file: to-file=,
    --unidirectional-new-file: new-file-right, -H --speed-large-files: large
  `),
  ...Object.fromEntries(['old', 'new', 'changed', 'unchanged'].map(kind => [`--${kind}-group-format`, `${kind}-group-format=`])),
  ...Object.fromEntries(['old-', 'new-', 'unchanged-', ''].map(kind => [`--${kind}line-format`, `${kind}line-format=`])),
}

/** The options that choose a format; two formats exclude each other. */
export const styles: Readonly<Record<string, string>> = {
  unified: 'unified',
  context: 'unified',
  copied: 'copied',
  'copied-lines': 'copied',
  columns: 'columns',
  ed: 'ed',
  rcs: 'rcs',
  normal: 'normal',
  'forward-ed': 'forward-ed',
  ifdef: 'groups',
}

export const isGroupOption: RegExp = /-format$/

/** The arguments that are options or their values. */
export function optionsOf(args: readonly string[]): readonly string[] {
  const found: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--') break
    if (!/^-./.test(arg)) continue
    found.push(arg)
    const last = arg.startsWith('--') ? diffTable[arg] : diffTable[`-${arg.at(-1) ?? ''}`]
    const takesAttached =
      !arg.startsWith('--') && Array.from(arg.slice(1, -1)).some(letter => diffTable[`-${letter}`]?.endsWith('='))
    if (last?.endsWith('=') === true && !takesAttached) found.push(args[(at += 1)] ?? '')
  }
  return found
}

interface LineTests {
  /** -p and -F: whether a line names what follows it. */
  readonly isFunction: ((line: string) => boolean) | undefined
  /** -I and -B: whether a change of this line does not count. */
  readonly isIgnored: ((line: string) => boolean) | undefined
}

export function testsOf(parsed: Arguments): LineTests {
  const matching = (pattern: string): ((line: string) => boolean) => {
    const regex = posixRegex(pattern, { syntax: 'basic', escapes: 'none' })
    return line => regex.test(shownText(line.replace(/\n$/, '')))
  }
  const functionLine = valueOf(parsed, 'function-line')
  const ignored = parsed.options.flatMap(({ name, value }) => (name === 'ignore-matching' ? [matching(value)] : []))
  const ignoresSpace = ['ignore-all-space', 'ignore-space-change', 'ignore-trailing-space'].some(name => has(parsed, name))
  if (has(parsed, 'ignore-blank-lines'))
    ignored.push(line => (ignoresSpace ? line.trim() === '' : line.replace(/\n$/, '') === ''))
  return {
    isFunction:
      functionLine !== undefined
        ? matching(functionLine)
        : has(parsed, 'functions')
          ? line => /^[A-Za-z$_]/.test(line)
          : undefined,
    isIgnored: ignored.length === 0 ? undefined : line => ignored.some(test => test(line)),
  }
}

export async function excludedNames(parsed: Arguments, context: CommandContext): Promise<readonly RegExp[]> {
  const patterns: string[] = []
  for (const { name, value } of parsed.options) {
    if (name === 'exclude') patterns.push(value)
    if (name === 'exclude-from') pushAll(patterns, recordsOf(await readInput(value, context)))
  }
  return patterns.map(globOf)
}

/** The largest number that is given counts. `-u` and `-c` give 3. NaN if a value is not a number. */
export function contextLinesOf({ options }: Arguments): number {
  const given = options.flatMap(({ name, value }) => {
    if (name === 'unified' || name === 'copied') return value === '' ? 3 : countOf(value)
    return name === 'context' || name === 'copied-lines' ? countOf(value) : []
  })
  return Math.max(0, ...given.map(count => count ?? Number.NaN))
}

export interface DiffOptions {
  readonly parsed: Arguments
  readonly context: CommandContext
  readonly contextLines: number
  readonly isUnified: boolean
  readonly shownArgs: string
  readonly tests: LineTests
  /** Patterns of names that directories are compared without. */
  readonly excluded: readonly RegExp[]
}

export function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function globOf(glob: string): RegExp {
  return new RegExp(
    `^${glob
      .replace(/[.+^${}()|\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  )
}
