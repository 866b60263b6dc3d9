// du, df, tree and truncate.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { decodeText } from '../../../../shell/byte-text.ts'
import type { FileStat } from '../../../../shell/files.ts'
import { countOf, has, parseArguments, valueOf, wholeNumberOf } from '../options.ts'
import { childOf, complain, humanSize, pathOf, pathToWrite, permissions, readNamed, statIfThere } from '../program.ts'
import { compilePattern } from '../../interpreter/pattern.ts'
import { reasonOf } from '../../errno.ts'

export async function du(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    '-s': 's',
    '--summarize': 's',
    '-h': 'h',
    '--human-readable': 'h',
    '-a': 'a',
    '--all': 'a',
    '-b': 'b',
    '--bytes': 'b',
    '-k': 'k',
    '-m': 'm',
    '-c': 'c',
    '--total': 'c',
    '-d': 'depth=',
    '--max-depth': 'depth=',
    '--apparent-size': 'apparent',
    '-x': 'ignored',
    '--one-file-system': 'ignored',
    '-P': 'ignored',
    '--no-dereference': 'ignored',
    '-L': 'L',
    '--dereference': 'L',
    '-D': 'D',
    '-H': 'D',
    '--dereference-args': 'D',
    '-l': 'ignored',
    '--count-links': 'ignored',
    '-B': 'unit=',
    '--block-size': 'unit=',
    '--si': 'si',
    '-t': 'threshold=',
    '--threshold': 'threshold=',
    '--inodes': 'inodes',
    '-X': 'exclude-from=',
    '--exclude-from': 'exclude-from=',
    '--exclude': 'exclude=',
    '-S': 'S',
    '--separate-dirs': 'S',
    '-0': 'null',
    '--null': 'null',
  })
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
          : isExact
            ? String(bytes)
            : String(Math.ceil(bytes / (has(parsed, 'm') ? 1024 ** 2 : 1024)))
  const excluded = parsed.options.filter(({ name }) => name === 'exclude').map(({ value }) => compilePattern(value))
  for (const list of parsed.options.filter(({ name }) => name === 'exclude-from'))
    try {
      const lines = decodeText(await readNamed(context, list.value)).split('\n')
      excluded.push(...lines.filter(line => line !== '').map(line => compilePattern(line)))
    } catch (error) {
      return complain(context, 'du', `${list.value}: ${reasonOf(error)}`)
    }
  let code = 0
  let total = 0
  const measure = async (path: string, name: string, depth: number): Promise<number> => {
    const isFollowed = has(parsed, 'L') || (has(parsed, 'D') && depth === 0)
    const found = (isFollowed ? await statIfThere(context, path) : undefined) ?? (await context.files.lstat(path))
    const own = isCount
      ? 1
      : isExact || has(parsed, 'apparent')
        ? found.kind === 'directory'
          ? 4096
          : found.sizeBytes
        : found.kind === 'directory'
          ? 4096
          : Math.ceil(found.sizeBytes / 4096) * 4096
    if (found.kind !== 'directory') {
      if (isShownSize(own) && (depth === 0 || (has(parsed, 'a') && depth <= most)))
        await context.stdout.write(`${shown(own)}\t${name}${end}`)
      return own
    }
    let sum = own
    for (const entry of await context.files.readdir(path)) {
      if (excluded.some(pattern => pattern.test(entry.name) || pattern.test(childOf(name, entry.name)))) continue
      const inner = await measure(childOf(path, entry.name), childOf(name, entry.name), depth + 1)
      if (!has(parsed, 'S') || entry.kind !== 'directory') sum += inner
    }
    if (depth <= most && isShownSize(sum)) await context.stdout.write(`${shown(sum)}\t${name}${end}`)
    return sum
  }
  for (const name of parsed.operands.length === 0 ? ['.'] : parsed.operands) {
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

export async function df(context: ShellCommandContext): Promise<number> {
  // There is one file system, which is local and of no type.
  const parsed = parseArguments(context.args, {
    '-h': 'human',
    '--human-readable': 'human',
    '-H': 'human',
    '--si': 'human',
    '-k': 'ignored',
    '-a': 'ignored',
    '--all': 'ignored',
    '-l': 'ignored',
    '--local': 'ignored',
    '-P': 'posix',
    '--portability': 'posix',
  })
  if (typeof parsed === 'string') return complain(context, 'df', parsed)
  let code = 0
  const found: string[] = []
  for (const name of parsed.operands) {
    if ((await statIfThere(context, pathOf(context, name))) !== undefined) found.push(name)
    else code = await complain(context, 'df', `${name}: No such file or directory`)
  }
  const [title, row] = has(parsed, 'human')
    ? ['Filesystem      Size  Used Avail Use% Mounted on', 'workspace          -     -     -    - /']
    : has(parsed, 'posix')
      ? [
          'Filesystem     1024-blocks  Used Available Capacity Mounted on',
          'workspace                -     -         -        - /',
        ]
      : ['Filesystem     1K-blocks  Used Available Use% Mounted on', 'workspace              -     -         -    - /']
  const rows = parsed.operands.length === 0 ? [row] : found.map(() => row)
  if (rows.length > 0) await context.stdout.write([title, ...rows].map(line => `${line}\n`).join(''))
  return code
}

export async function tree(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    '-a': 'a',
    '-d': 'd',
    '-f': 'f',
    '-L': 'level=',
    '-I': 'ignore=',
    '-P': 'pattern=',
    '-F': 'F',
    '--noreport': 'quiet',
    '--dirsfirst': 'first',
    '-n': 'ignored',
    '-C': 'ignored',
    '-i': 'i',
    '-s': 'size',
    '-h': 'human',
    '-p': 'mode',
    '-r': 'reverse',
  })
  if (typeof parsed === 'string') return complain(context, 'tree', parsed)
  const level = valueOf(parsed, 'level')
  const most = level === undefined ? Infinity : wholeNumberOf(level, 1)
  if (most === undefined) return complain(context, 'tree', `Invalid level, must be greater than 0: '${level ?? ''}'`)
  const details = ({ kind, mode, sizeBytes }: FileStat): string => {
    const letter = kind === 'directory' ? 'd' : kind === 'symlink' ? 'l' : '-'
    const size = has(parsed, 'human')
      ? humanSize(sizeBytes).padStart(has(parsed, 'mode') ? 5 : 4)
      : has(parsed, 'size')
        ? String(sizeBytes).padStart(has(parsed, 'mode') ? 12 : 11)
        : ''
    const shown = (has(parsed, 'mode') ? letter + permissions(mode) : '') + size
    return shown === '' ? '' : `[${shown}]  `
  }
  const markOf = (found: FileStat | undefined): string =>
    !has(parsed, 'F') || found === undefined
      ? ''
      : found.kind === 'directory'
        ? '/'
        : found.kind === 'file' && (found.mode & 0o111) !== 0
          ? '*'
          : ''
  const patterns = (text: string | undefined): RegExp[] => text?.split('|').map(pattern => compilePattern(pattern)) ?? []
  const [ignored, wanted] = [patterns(valueOf(parsed, 'ignore')), patterns(valueOf(parsed, 'pattern'))]
  let [directories, files, code] = [0, 0, 0]
  const show = async (path: string, name: string, indent: string, depth: number): Promise<void> => {
    if (depth >= most) return
    let entries = (await context.files.readdir(path)).filter(
      entry =>
        (has(parsed, 'a') || !entry.name.startsWith('.')) &&
        (!has(parsed, 'd') || entry.kind !== 'file') &&
        !ignored.some(pattern => pattern.test(entry.name)) &&
        (wanted.length === 0 || entry.kind === 'directory' || wanted.some(pattern => pattern.test(entry.name))),
    )
    if (has(parsed, 'd')) {
      const kinds = await Promise.all(
        entries.map(async ({ name: own }) => (await statIfThere(context, childOf(path, own)))?.kind),
      )
      entries = entries.filter((_, index) => kinds[index] === 'directory')
    }
    // The directory that was named counts only if it shows something.
    if (depth === 0 && entries.length > 0) directories += 1
    if (has(parsed, 'reverse')) entries = entries.toReversed()
    if (has(parsed, 'first'))
      entries = [...entries.filter(({ kind }) => kind === 'directory'), ...entries.filter(({ kind }) => kind !== 'directory')]
    for (const [index, entry] of entries.entries()) {
      const isLast = index === entries.length - 1
      const inner = childOf(path, entry.name)
      const target = entry.kind === 'symlink' ? ` -> ${await context.files.readlink(inner)}` : ''
      const shown = has(parsed, 'f') ? childOf(name, entry.name) : entry.name
      const size = details(await context.files.lstat(inner))
      // The target of a link decides how it is marked and counted.
      const found = entry.kind === 'symlink' || has(parsed, 'F') ? await statIfThere(context, inner) : undefined
      const mark = markOf(found)
      await context.stdout.write(
        `${has(parsed, 'i') ? '' : `${indent}${isLast ? '└── ' : '├── '}`}${size}${shown}${target}${mark}\n`,
      )
      if (entry.kind !== 'directory') {
        if (found?.kind === 'directory') directories += 1
        else files += 1
        continue
      }
      directories += 1
      await show(inner, childOf(name, entry.name), `${indent}${isLast ? '    ' : '│\u00a0\u00a0 '}`, depth + 1)
    }
  }
  for (const name of parsed.operands.length === 0 ? ['.'] : parsed.operands) {
    const path = pathOf(context, name)
    const found = await statIfThere(context, path)
    if (found?.kind !== 'directory') {
      await context.stdout.write(`${found === undefined ? '' : details(found)}${name}  [error opening dir]\n`)
      if (found === undefined) code = 2
      else files += 1
      continue
    }
    await context.stdout.write(`${details(found)}${name}${markOf(found)}\n`)
    await show(path, name, '', 0)
  }
  const count = (value: number, one: string, many: string): string => `${value} ${value === 1 ? one : many}`
  const report = `${count(directories, 'directory', 'directories')}${has(parsed, 'd') ? '' : `, ${count(files, 'file', 'files')}`}`
  if (!has(parsed, 'quiet')) await context.stdout.write(`\n${report}\n`)
  return code
}

export async function truncate(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    '-s': 'size=',
    '--size': 'size=',
    '-c': 'c',
    '--no-create': 'c',
    '-r': 'reference=',
    '--reference': 'reference=',
  })
  if (typeof parsed === 'string') return complain(context, 'truncate', parsed)
  const written = valueOf(parsed, 'size')
  const [, operator = '', amount = ''] = /^([-+<>/%]?)(.*)$/.exec(written ?? '') ?? []
  const reference = valueOf(parsed, 'reference')
  const base = reference === undefined ? undefined : (await statIfThere(context, pathOf(context, reference)))?.sizeBytes
  const count = written === undefined ? base : countOf(amount)
  if (count === undefined)
    return complain(
      context,
      'truncate',
      written === undefined ? "you must specify either '--size' or '--reference'" : `Invalid number: '${written}'`,
    )
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
      const size =
        operator === '+'
          ? before.length + count
          : operator === '-'
            ? Math.max(0, before.length - count)
            : operator === '<'
              ? Math.min(before.length, count)
              : operator === '>'
                ? Math.max(before.length, count)
                : operator === '/'
                  ? Math.floor(before.length / count) * count
                  : operator === '%'
                    ? Math.ceil(before.length / count) * count
                    : count
      const after = new Uint8Array(size)
      after.set(before.subarray(0, size))
      await context.files.writeFile(path, after)
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error
      code = await complain(context, 'truncate', `cannot open '${name}' for writing: ${reasonOf(error)}`)
    }
  }
  return code
}
