// The command line of jq.

import { ownValue } from '../../../../core/record.ts'
import { JsonError, JsonReader, type Json } from './json.ts'

export interface JqOptions {
  readonly program: string | undefined
  readonly programFile: string | undefined
  readonly files: readonly string[]
  readonly variables: ReadonlyMap<string, Json>
  /** `--slurpfile` and `--rawfile`: variables whose values are read from files. */
  readonly fromFiles: readonly { readonly name: string; readonly file: string; readonly isRaw: boolean }[]
  readonly positional: readonly Json[]
  readonly flags: ReadonlySet<Flag>
  readonly indent: string
}

export type Flag =
  | 'raw'
  | 'join'
  | 'ascii'
  | 'null-input'
  | 'slurp'
  | 'exit-status'
  | 'sort-keys'
  | 'raw-input'
  | 'stream'
  | 'nul'
  | 'color'
  | 'seq'
  | 'help'
  | 'version'

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const flags: Readonly<Record<string, Flag | 'compact' | 'monochrome' | 'tab' | 'ignored' | 'args' | 'jsonargs' | 'file'>> = {
  r: 'raw',
  'raw-output': 'raw',
  j: 'join',
  'join-output': 'join',
  a: 'ascii',
  'ascii-output': 'ascii',
  c: 'compact',
  'compact-output': 'compact',
  n: 'null-input',
  'null-input': 'null-input',
  s: 'slurp',
  slurp: 'slurp',
  e: 'exit-status',
  'exit-status': 'exit-status',
  S: 'sort-keys',
  'sort-keys': 'sort-keys',
  R: 'raw-input',
  'raw-input': 'raw-input',
  stream: 'stream',
  'raw-output0': 'nul',
  tab: 'tab',
  args: 'args',
  jsonargs: 'jsonargs',
  f: 'file',
  'from-file': 'file',
  C: 'color',
  'color-output': 'color',
  M: 'monochrome',
  'monochrome-output': 'monochrome',
  seq: 'seq',
  // Output is not buffered.
  unbuffered: 'ignored',
  h: 'help',
  help: 'help',
  V: 'version',
  version: 'version',
}

/** Throws `UsageError`. */
export function readOptions(args: readonly string[]): JqOptions {
  const operands: string[] = []
  const positional: Json[] = []
  const named = new Map<string, Json>()
  const fromFiles: { name: string; file: string; isRaw: boolean }[] = []
  const set = new Set<Flag>()
  let indent = '  '
  let kind: 'files' | 'args' | 'jsonargs' = 'files'
  let hasProgram = false
  let isFile = false
  let isRest = false
  const valuesOf = (at: number, count: number, name: string): readonly string[] => {
    const values = args.slice(at + 1, at + 1 + count)
    if (values.length < count)
      throw new UsageError(
        `--${name} takes ${count === 1 ? 'one parameter' : 'two parameters'} (e.g. --${name} ${count === 1 ? 'N' : 'varname value'})`,
      )
    return values
  }
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (isRest || !arg.startsWith('-') || arg === '-') {
      if (!hasProgram) {
        hasProgram = true
        operands.unshift(arg)
      } else if (kind === 'files') operands.push(arg)
      else positional.push(kind === 'args' ? arg : jsonOf(arg, 'jsonargs'))
      continue
    }
    if (arg === '--') {
      isRest = true
      continue
    }
    const names = arg.startsWith('--') ? [arg.slice(2)] : Array.from(arg.slice(1))
    for (const name of names) {
      const flag = ownValue(flags, name)
      if (flag === 'compact') indent = ''
      else if (flag === 'tab') indent = '\t'
      else if (flag === 'file') isFile = true
      else if (flag === 'args' || flag === 'jsonargs') kind = flag
      else if (flag === 'ignored') continue
      else if (flag === 'monochrome') set.delete('color')
      else if (flag !== undefined) set.add(flag)
      else if (name === 'indent') {
        const [width = ''] = valuesOf(at, 1, name)
        if (!/^\d+$/.test(width) || Number(width) > 7) throw new UsageError('Cannot indent more than 7 characters')
        indent = ' '.repeat(Number(width))
        at += 1
      } else if (name === 'arg' || name === 'argjson') {
        const [variable = '', value = ''] = valuesOf(at, 2, name)
        if (!named.has(variable)) named.set(variable, name === 'arg' ? value : jsonOf(value, 'argjson'))
        at += 2
      } else if (name === 'slurpfile' || name === 'rawfile') {
        const [variable = '', file = ''] = valuesOf(at, 2, name)
        fromFiles.push({ name: variable, file, isRaw: name === 'rawfile' })
        at += 2
      } else if (name === 'L') throw new UsageError('modules are not available here')
      else throw new UsageError(`Unknown arguments: ${arg}`)
    }
  }
  if (set.has('seq') && !set.has('null-input')) throw new UsageError('--seq is available with -n only')
  // As jq without a terminal does.
  const [first = '.', ...files] = operands
  return {
    program: isFile ? undefined : first,
    programFile: isFile ? first : undefined,
    files,
    variables: named,
    fromFiles,
    positional,
    flags: set,
    indent,
  }
}

function jsonOf(text: string, option: string): Json {
  try {
    const reader = new JsonReader(text)
    const value = reader.next()
    if (value !== undefined && reader.next() === undefined) return value
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
  }
  throw new UsageError(`Invalid JSON text passed to --${option}`)
}
