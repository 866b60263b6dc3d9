// Parses options as GNU getopt does: bundled short options, values attached or separate, long options with `=` or a separate value, options
// after operands, and `--`. All commands share this parser, because deviations between commands would go unnoticed.

import { ownValue } from '../../../core/record.ts'
import { pushAll } from '../../../core/many.ts'

/**
 * Maps each option as written, `-n` or `--lines`, to the command's own name for it. A name that ends in `=` takes a value. A name
 * that ends in `?` takes an optional value: after `=` for a long option, attached for a short one.
 */
export type OptionTable = Readonly<Record<string, string>>

/** The table that a list of groups stands for, such as `-n --lines: lines=, -q --quiet: q`: the spellings of an option, and its name. */
export function optionTable(groups: string): OptionTable {
  return Object.fromEntries(
    groups.split(/,\s+/).flatMap(group => {
      const [spellings = '', name = ''] = group.trim().split(': ')
      return spellings.split(' ').map(spelling => [spelling, name])
    }),
  )
}

export interface Option {
  readonly name: string
  /** Empty for an option without a value. */
  readonly value: string
}

export interface Arguments {
  /** In the order of the command line. */
  readonly options: readonly Option[]
  readonly operands: readonly string[]
}

/** Parses `args`; a string is an error message. With `stopsAtOperand`, parsing stops at the first operand. */
export function parseArguments(args: readonly string[], table: OptionTable, stopsAtOperand = false): Arguments | string {
  const options: Option[] = []
  const operands: string[] = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '--') return { options, operands: [...operands, ...args.slice(index + 1)] }
    if (!arg.startsWith('-') || arg === '-') {
      if (stopsAtOperand) return { options, operands: [...operands, ...args.slice(index)] }
      operands.push(arg)
      continue
    }
    const next = args[index + 1]
    const read = arg.startsWith('--') ? readLong(arg, next, table) : readShort(arg, next, table)
    if (typeof read === 'string') return read
    pushAll(options, read.options)
    if (read.tookNext) index += 1
  }
  return { options, operands }
}

interface Read {
  readonly options: readonly Option[]
  readonly tookNext: boolean
}

function readLong(arg: string, next: string | undefined, table: OptionTable): Read | string {
  const [, written = arg, attached] = /^(--[^=]*)(?:=([^]*))?$/.exec(arg) ?? []
  const name = table[written] ?? abbreviated(written, table)
  if (name === undefined) return `unrecognized option '${written}'`
  if (name.endsWith('?')) return { options: [{ name: name.slice(0, -1), value: attached ?? '' }], tookNext: false }
  if (!name.endsWith('=')) {
    if (attached !== undefined) return `option '${written}' doesn't allow an argument`
    return { options: [{ name, value: '' }], tookNext: false }
  }
  const value = attached ?? next
  if (value === undefined) return `option '${written}' requires an argument`
  return { options: [{ name: name.slice(0, -1), value }], tookNext: attached === undefined }
}

/** A long option may be abbreviated if the abbreviation is unambiguous. */
function abbreviated(written: string, table: OptionTable): string | undefined {
  const names = new Set(
    Object.keys(table).flatMap(long => (written.length > 2 && long.startsWith(written) ? (table[long] ?? []) : [])),
  )
  const [only] = names
  return names.size === 1 ? only : undefined
}

function readShort(arg: string, next: string | undefined, table: OptionTable): Read | string {
  const options: Option[] = []
  for (let at = 1; at < arg.length; at++) {
    const written = `-${arg.charAt(at)}`
    const name = table[written]
    if (name === undefined) return `invalid option -- '${written.slice(1)}'`
    const attached = arg.slice(at + 1)
    if (name.endsWith('?')) {
      options.push({ name: name.slice(0, -1), value: attached })
      return { options, tookNext: false }
    }
    if (!name.endsWith('=')) {
      options.push({ name, value: '' })
      continue
    }
    const value = attached === '' ? next : attached
    if (value === undefined) return `option requires an argument -- '${written.slice(1)}'`
    options.push({ name: name.slice(0, -1), value })
    return { options, tookNext: attached === '' }
  }
  return { options, tookNext: false }
}

const aboutCommandLine =
  /^(?:invalid option -- |unrecognized option '|option requires |option '.*' (?:requires|doesn't)|unrecognized operand|(?:missing|extra) |you must specify a list|only one list|an input delimiter|suppressing non-|the delimiter must|fields are numbered|byte\/character positions|invalid (?:decreasing|range|field value|byte\/character)|too many templates)/

/** A message about a command. Behind one about its options or operands GNU's programs name their help. */
export function complaintOf(name: string, problem: string): string {
  const hint = aboutCommandLine.test(problem) ? `${hintPrefixes[name] ?? ''}Try '${name} --help' for more information.\n` : ''
  return `${name}: ${problem}\n${hint}`
}

const hintPrefixes: Readonly<Record<string, string>> = {
  diff: 'diff: ',
  cmp: 'cmp: ',
  sdiff: 'sdiff: ',
  grep: 'Usage: grep [OPTION]... PATTERNS [FILE]...\n',
}

/** The one of `known` that `written` is or abbreviates, as in `--sort=si`. */
export function abbreviatedValue(written: string, known: readonly string[]): string | undefined {
  if (known.includes(written)) return written
  const [found, other] = known.filter(value => value.startsWith(written))
  return other === undefined && written !== '' ? found : undefined
}

/** The value of the last option `name`, which overrides earlier ones. */
export function valueOf({ options }: Arguments, name: string): string | undefined {
  return options.findLast(option => option.name === name)?.value
}

export function has({ options }: Arguments, name: string): boolean {
  return options.some(option => option.name === name)
}

/** Parses a whole number in decimal digits; `undefined` for anything else, or beyond the limits. */
export function wholeNumberOf(text: string, least: number = -Infinity, most: number = Infinity): number | undefined {
  const value = /^\s*[+-]?\d+$/.test(text) ? Number(text) : undefined
  return value === undefined || value < least || value > most ? undefined : value
}

const unitBytes: Readonly<Record<string, number>> = {
  '': 1,
  b: 512,
  K: 1024,
  k: 1024,
  KiB: 1024,
  kB: 1000,
  KB: 1000,
  M: 1024 ** 2,
  MiB: 1024 ** 2,
  MB: 1e6,
  G: 1024 ** 3,
  GiB: 1024 ** 3,
  GB: 1e9,
}

/** Parses a count with an optional unit, as in `head -c 1K`; `undefined` if it is invalid. */
export function countOf(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+)([A-Za-z]*)$/.exec(text) ?? []
  const factor = ownValue(unitBytes, unit)
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor
}
