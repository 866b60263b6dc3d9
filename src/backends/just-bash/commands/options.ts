// How GNU programs take their options: short ones in a bunch, values attached or apart, long ones with `=` or apart, options behind
// operands, and `--`. Written once, because every command that is read otherwise would be silently wrong for somebody.

/**
 * Each option's name as the command knows it, by how it is written: `-n`, `--lines`. A name that ends in `=` takes a value, a long one that
 * ends in `?` takes one only behind `=`.
 */
export type OptionTable = Readonly<Record<string, string>>

export interface Option {
  readonly name: string
  /** Empty for one that takes none. */
  readonly value: string
}

export interface Arguments {
  /** In the order given. */
  readonly options: readonly Option[]
  readonly operands: readonly string[]
}

/** The arguments taken apart, or what is wrong with them. With `stopsAtOperand` what follows the first operand is left alone. */
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
    options.push(...read.options)
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
  if (name === undefined) return `unrecognized option '${written}'; known are ${known(table)}`
  if (name.endsWith('?')) return { options: [{ name: name.slice(0, -1), value: attached ?? '' }], tookNext: false }
  if (!name.endsWith('=')) {
    if (attached !== undefined) return `option '${written}' doesn't allow an argument`
    return { options: [{ name, value: '' }], tookNext: false }
  }
  const value = attached ?? next
  if (value === undefined) return `option '${written}' needs a value`
  return { options: [{ name: name.slice(0, -1), value }], tookNext: attached === undefined }
}

/** A long option may be cut short as long as it can be only one. */
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
    if (name === undefined) return `invalid option '${written}'; known are ${known(table)}`
    if (!name.endsWith('=')) {
      options.push({ name, value: '' })
      continue
    }
    const attached = arg.slice(at + 1)
    const value = attached === '' ? next : attached
    if (value === undefined) return `option '${written}' needs a value`
    options.push({ name: name.slice(0, -1), value })
    return { options, tookNext: attached === '' }
  }
  return { options, tookNext: false }
}

/** Long ones only where they are few: a message must stay short. */
function known(table: OptionTable): string {
  const names = Object.keys(table)
  const long = names.filter(name => name.startsWith('--'))
  const short = names.filter(name => !name.startsWith('--')).map(name => name.slice(1))
  return [short.length === 0 ? [] : `-${short.join('')}`, long.length > 8 ? [] : long].flat().join(' ')
}

/** The value of the last `name`, which is the one that counts. */
export function valueOf({ options }: Arguments, name: string): string | undefined {
  return options.findLast(option => option.name === name)?.value
}

export function has({ options }: Arguments, name: string): boolean {
  return options.some(option => option.name === name)
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

/** A count with an optional unit, as in `head -c 1K`. `undefined` for what is none. */
export function countOf(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+)([A-Za-z]*)$/.exec(text) ?? []
  const factor = unitBytes[unit]
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor
}
