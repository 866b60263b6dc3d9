// du and truncate.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { decodeText } from '../../../../shell/byte-text.ts'
import { countOf, has, optionTable, parseArguments, valueOf } from '../options.ts'
import { childOf, complain, humanSize, pathOf, pathToWrite, readNamed, statIfThere } from '../program.ts'
import { compilePattern } from '../../interpreter/pattern.ts'
import { checkFileName, reasonOf } from '../../errno.ts'
import { letOthersRun } from '../stop.ts'
import { pushAll } from '../../../../core/many.ts'

const duOptions = optionTable(`
  -s --summarize: s, -h --human-readable: h, -a --all: a, -b --bytes: b, -k: k, -m: m, -c --total: c, -d --max-depth: depth=,
  --apparent-size: apparent, -x --one-file-system -P --no-dereference: ignored, -L --dereference: L,
  -D -H --dereference-args: D, -l --count-links: links, -B --block-size: unit=, --si: si, -t --threshold: threshold=,
  --inodes: inodes, -X --exclude-from: exclude-from=, --exclude: exclude=, -S --separate-dirs: S, -0 --null: null
`)

export async function du(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, duOptions)
  if (typeof parsed === 'string') return complain(context, 'du', parsed)
  const end = has(parsed, 'null') ? '\0' : '\n'
  const isExact = has(parsed, 'b')
  const unitText = valueOf(parsed, 'unit')
  const unitBytes = unitText === undefined ? undefined : countOf(/^\d/.test(unitText) ? unitText : `1${unitText}`)
  if (unitText !== undefined && !unitBytes) return complain(context, 'du', `invalid -B argument '${unitText}'`)
  const unitSuffix = unitText === undefined || /^\d/.test(unitText) ? '' : unitText
  const [, thresholdSign = '', thresholdText] = /^(-?)([^]*)$/.exec(valueOf(parsed, 'threshold') ?? '0') ?? []
  const threshold = countOf(thresholdText ?? '')
  if (threshold === undefined)
    return complain(context, 'du', `invalid --threshold argument '${valueOf(parsed, 'threshold') ?? ''}'`)
  const isShownSize = (bytes: number): boolean => (thresholdSign === '-' ? bytes <= threshold : bytes >= threshold)
  const isCount = has(parsed, 'inodes')
  const most = has(parsed, 's') ? 0 : Number(valueOf(parsed, 'depth') ?? Infinity)
  const lastUnit = parsed.options.findLast(({ name }) => /^(?:h|si|unit|k|m|b)$/.test(name))?.name
  if (has(parsed, 's') && valueOf(parsed, 'depth') !== undefined && Number(valueOf(parsed, 'depth')) !== 0)
    return complain(context, 'du', `warning: summarizing conflicts with --max-depth=${valueOf(parsed, 'depth') ?? ''}`)
  const shown = (bytes: number): string =>
    isCount
      ? String(bytes)
      : lastUnit === 'h' || lastUnit === 'si'
        ? humanSize(bytes, lastUnit === 'si' ? 1000 : 1024)
        : lastUnit === 'unit' && unitBytes !== undefined
          ? `${Math.ceil(bytes / unitBytes)}${unitSuffix}`
          : lastUnit === 'b'
            ? String(bytes)
            : String(Math.ceil(bytes / (lastUnit === 'm' ? 1024 ** 2 : 1024)))
  const excluded = parsed.options.filter(({ name }) => name === 'exclude').map(({ value }) => compilePattern(value))
  for (const list of parsed.options.filter(({ name }) => name === 'exclude-from'))
    try {
      const lines = decodeText(await readNamed(context, list.value)).split('\n')
      pushAll(
        excluded,
        lines.filter(line => line !== '').map(line => compilePattern(line)),
      )
    } catch (error) {
      return complain(context, 'du', `${list.value}: ${reasonOf(error)}`)
    }
  const isExcluded = (name: string): boolean =>
    excluded.some(pattern => pattern.test(name) || pattern.test(name.slice(name.lastIndexOf('/') + 1)))
  let code = 0
  let total = 0
  /** Something with two names, or named twice, counts once. */
  const counted = new Set<number>()
  const measure = async (path: string, name: string, depth: number): Promise<number> => {
    const isFollowed = has(parsed, 'L') || (depth === 0 && (has(parsed, 'D') || name.endsWith('/')))
    const found = (isFollowed ? await statIfThere(context, path) : undefined) ?? (await context.files.lstat(path))
    if (depth === 0 && found.kind !== 'directory') checkFileName(name)
    if (counted.has(found.ino) && !has(parsed, 'links')) return 0
    counted.add(found.ino)
    const own = isCount
      ? 1
      : isExact || has(parsed, 'apparent')
        ? found.kind === 'directory'
          ? 4096
          : found.sizeBytes
        : found.kind === 'directory'
          ? 4096
          : found.kind === 'symlink'
            ? 0
            : Math.ceil(found.sizeBytes / 4096) * 4096
    if (found.kind !== 'directory') {
      if (isShownSize(own) && (depth === 0 || (has(parsed, 'a') && depth <= most)))
        await context.stdout.write(`${shown(own)}\t${name}${end}`)
      return own
    }
    let sum = own
    for (const entry of await context.files.readdir(path)) {
      if (isExcluded(childOf(name, entry.name))) continue
      const inner = await measure(childOf(path, entry.name), childOf(name, entry.name), depth + 1)
      if (!has(parsed, 'S') || entry.kind !== 'directory') sum += inner
    }
    if (depth <= most && isShownSize(sum)) await context.stdout.write(`${shown(sum)}\t${name}${end}`)
    return sum
  }
  if (has(parsed, 's') && has(parsed, 'a')) return complain(context, 'du', 'cannot both summarize and show all entries')
  for (const name of parsed.operands.length === 0 ? ['.'] : parsed.operands) {
    if (isExcluded(name)) continue
    try {
      total += await measure(pathOf(context, name), name, 0)
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code === 'EPIPE') throw error
      code = await complain(context, 'du', `cannot access '${name}': ${reasonOf(error)}`)
    }
  }
  if (has(parsed, 'c')) await context.stdout.write(`${shown(total)}\ttotal${end}`)
  return code
}

const truncateOptions = optionTable(`
  -s --size: size=, -c --no-create: c, -r --reference: reference=
`)

export async function truncate(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, truncateOptions)
  if (typeof parsed === 'string') return complain(context, 'truncate', parsed)
  const written = valueOf(parsed, 'size')
  const [, operator = '', amount = ''] = /^([-+<>/%]?)(.*)$/.exec(written ?? '') ?? []
  const reference = valueOf(parsed, 'reference')
  const base = reference === undefined ? undefined : (await statIfThere(context, pathOf(context, reference)))?.sizeBytes
  if (written !== undefined && reference !== undefined && operator === '')
    return complain(context, 'truncate', "you must specify a relative '--size' with '--reference'")
  if (reference !== undefined && base === undefined)
    return complain(context, 'truncate', `cannot stat '${reference}': No such file or directory`)
  const count = written === undefined ? base : countOf(amount)
  if (count === undefined)
    return complain(
      context,
      'truncate',
      written === undefined ? "you must specify either '--size' or '--reference'" : `Invalid number: '${written}'`,
    )
  if (/[/%]/.test(operator) && count === 0) return complain(context, 'truncate', 'division by zero')
  if (parsed.operands.length === 0) return complain(context, 'truncate', 'missing file operand')
  let code = 0
  for (const name of parsed.operands) {
    try {
      const path = pathToWrite(context, name)
      const found = await statIfThere(context, path)
      if (found === undefined && has(parsed, 'c')) continue
      // A file that is truncated to 0 is not read first: another writer may have changed it since this command saw it.
      const isEmptied = operator === '' && count === 0
      const before = found === undefined || isEmptied ? new Uint8Array() : await context.files.readFile(path)
      const size = sizeAfter(operator, base ?? before.length, count)
      await letOthersRun(context.signal)
      const after = new Uint8Array(size)
      after.set(before.subarray(0, size))
      await letOthersRun(context.signal)
      await context.files.writeFile(path, after)
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error
      code = await complain(context, 'truncate', `cannot open '${name}' for writing: ${reasonOf(error)}`)
    }
  }
  return code
}

function sizeAfter(operator: string, sizeBytes: number, count: number): number {
  switch (operator) {
    case '+':
      return sizeBytes + count
    case '-':
      return Math.max(0, sizeBytes - count)
    case '<':
      return Math.min(sizeBytes, count)
    case '>':
      return Math.max(sizeBytes, count)
    case '/':
      return Math.floor(sizeBytes / count) * count
    case '%':
      return Math.ceil(sizeBytes / count) * count
    default:
      return count
  }
}
