// df: names the one file system. How much space it has is not known, so its numbers are dashes.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { type Arguments, has, type OptionTable, optionTable, parseArguments, valueOf } from '../options.ts'
import { complain, pathOf, statIfThere } from '../program.ts'

const table: OptionTable = optionTable(`
  -h --human-readable -H --si: human, -k: unit-K, -m: unit-M, -B --block-size: unit=, -a --all -l --local: ignored,
  -P --portability: posix, -T --print-type: type, -i --inodes: inodes, --output: output?
`)

interface Column {
  readonly title: string
  readonly width: number
  readonly isLeft?: true
}

const sizes = { used: { title: 'Used', width: 5 }, pcent: { title: 'Use%', width: 4 } } as const

function columnsOf(parsed: Arguments): Readonly<Record<string, Column>> {
  const isHuman = has(parsed, 'human')
  const isPosix = has(parsed, 'posix')
  const isChosen = has(parsed, 'output')
  const size = isHuman ? 'Size' : `${isPosix ? '1024' : `1${unitOf(parsed)}`}-blocks`
  return {
    source: { title: 'Filesystem', width: 14, isLeft: true },
    fstype: { title: 'Type', width: 4, isLeft: true },
    itotal: { title: 'Inodes', width: 5 },
    iused: { title: 'IUsed', width: 5 },
    iavail: { title: 'IFree', width: 5 },
    ipcent: { title: 'IUse%', width: 4 },
    size: { title: size, width: 5 },
    used: sizes.used,
    avail: { title: isHuman || isChosen ? 'Avail' : 'Available', width: 5 },
    pcent: isPosix ? { title: 'Capacity', width: 4 } : sizes.pcent,
    file: { title: 'File', width: 0, isLeft: true },
    target: { title: 'Mounted on', width: 0, isLeft: true },
  }
}

function unitOf(parsed: Arguments): string {
  const last = parsed.options.findLast(({ name }) => name.startsWith('unit'))
  if (last?.name === 'unit-M') return 'M'
  return last?.name === 'unit' ? last.value.replace(/^1(?=[A-Z])/, '') : 'K'
}

const byDefault = ['source', 'size', 'used', 'avail', 'pcent', 'target']
const ofInodes = ['source', 'itotal', 'iused', 'iavail', 'ipcent', 'target']

/** `df [-hHkmTiPal] [-B UNIT] [--output[=FIELD,...]] [FILE]...`. */
export async function df(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, table)
  if (typeof parsed === 'string') return complain(context, 'df', parsed)
  for (const [option, shown] of [
    ['inodes', '-i'],
    ['posix', '-P'],
    ['type', '-T'],
  ] as const)
    if (has(parsed, option) && has(parsed, 'output'))
      return complain(context, 'df', `options ${shown} and --output are mutually exclusive`)
  if (!/^[KMGTPE]$/.test(unitOf(parsed)))
    return complain(context, 'df', `invalid --block-size argument '${valueOf(parsed, 'unit') ?? ''}'; give K, M or G`)
  const columns = columnsOf(parsed)
  const output = valueOf(parsed, 'output')
  const asked = output === undefined || output === '' ? Object.keys(columns) : output.split(',')
  const unknown = asked.find(name => columns[name] === undefined)
  if (unknown !== undefined) return complain(context, 'df', `option --output: field '${unknown}' unknown`)
  const usual = has(parsed, 'inodes') ? ofInodes : byDefault
  const names = has(parsed, 'output')
    ? asked
    : usual.flatMap(name => (name === 'source' && has(parsed, 'type') ? [name, 'fstype'] : [name]))
  let code = 0
  const found: string[] = []
  for (const name of parsed.operands) {
    if ((await statIfThere(context, pathOf(context, name))) !== undefined) found.push(name)
    else code = await complain(context, 'df', `${name}: No such file or directory`)
  }
  const rowOf = (file: string): Readonly<Record<string, string>> => ({ source: 'workspace', target: '/', file })
  const rows = parsed.operands.length === 0 ? [rowOf('-')] : found.map(rowOf)
  if (rows.length === 0) return code
  const lines = [Object.fromEntries(names.map(name => [name, columns[name]?.title ?? ''])), ...rows].map(row =>
    names
      .map((name, index) => {
        const { title, width, isLeft } = columns[name] ?? { title: '', width: 0 }
        const cell = row[name] ?? '-'
        const wanted = Math.max(width, title.length, ...rows.map(other => other[name]?.length ?? 1))
        return isLeft !== true ? cell.padStart(wanted) : index === names.length - 1 ? cell : cell.padEnd(wanted)
      })
      .join(' '),
  )
  await context.stdout.write(lines.map(line => `${line}\n`).join(''))
  return code
}
