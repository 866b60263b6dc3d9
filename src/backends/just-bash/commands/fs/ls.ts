import type { ShellCommandContext } from '../../../../shell/commands.ts'
import type { FileStat } from '../../../../shell/files.ts'
import { has, parseArguments, type Arguments } from '../options.ts'
import { childOf, complain, humanSize, pathOf, permissions, reasonOf } from '../program.ts'
import { formatTime, inZone } from '../../format/time-format.ts'

interface Entry {
  readonly name: string
  readonly path: string
  readonly stat: FileStat
  /** What a link leads to. */
  readonly target: string | undefined
  readonly isTargetDirectory: boolean
}

const letters = '1aAlhRdFStrpLinsgoUXcuGkCxmQbN'

export async function ls(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(
    context.args.filter(arg => !/^--(?:color|time-style|sort=none|group-directories-first|hide-control-chars)/.test(arg)),
    {
      ...Object.fromEntries([...letters].map(letter => [`-${letter}`, letter])),
      '--all': 'a',
      '--almost-all': 'A',
      '--directory': 'd',
      '--human-readable': 'h',
      '--recursive': 'R',
      '--reverse': 'r',
      '--classify': 'F',
      '--dereference': 'L',
      '--inode': 'i',
      '--size': 's',
    },
  )
  if (typeof parsed === 'string') return complain(context, 'ls', parsed, 2)
  const groupsDirectories = context.args.includes('--group-directories-first')
  let code = 0
  const files: Entry[] = []
  const directories: Entry[] = []
  for (const name of parsed.operands.length === 0 ? ['.'] : parsed.operands) {
    try {
      const path = pathOf(context, name)
      const isLong = has(parsed, 'l') && !name.endsWith('/')
      const entry = await entryOf(
        context,
        path,
        name,
        has(parsed, 'L') || !(isLong || has(parsed, 'd') || (has(parsed, 'F') && !name.endsWith('/'))),
      )
      const isDirectory = entry.stat.kind === 'directory' && !has(parsed, 'd')
      if (isDirectory) directories.push(entry)
      else files.push(entry)
    } catch (error) {
      code = await complain(context, 'ls', `cannot access '${name}': ${reasonOf(error)}`, 2)
    }
  }
  const order = (list: readonly Entry[]): Entry[] => sorted(list, parsed, groupsDirectories)
  if (files.length > 0) await context.stdout.write(listing(order(files), parsed))
  const hasTitles = files.length + directories.length > 1 || has(parsed, 'R') || code !== 0
  let isFirst = files.length === 0
  for (const directory of order(directories)) {
    code = (await listDirectory(context, directory, parsed, { hasTitle: hasTitles, isFirst, groupsDirectories })) || code
    isFirst = false
  }
  return code
}

async function entryOf(context: ShellCommandContext, path: string, name: string, follows: boolean): Promise<Entry> {
  const own = await context.files.lstat(path)
  if (own.kind !== 'symlink') return { name, path, stat: own, target: undefined, isTargetDirectory: false }
  let target: FileStat | undefined
  try {
    target = await context.files.stat(path)
  } catch {
    // It leads nowhere: the link itself is shown.
  }
  if (follows && target !== undefined) return { name, path, stat: target, target: undefined, isTargetDirectory: false }
  return { name, path, stat: own, target: await context.files.readlink(path), isTargetDirectory: target?.kind === 'directory' }
}

interface Place {
  readonly hasTitle: boolean
  readonly isFirst: boolean
  readonly groupsDirectories: boolean
}

async function listDirectory(
  context: ShellCommandContext,
  directory: Entry,
  parsed: Arguments,
  { hasTitle, isFirst, groupsDirectories }: Place,
): Promise<number> {
  const { stdout, files } = context
  if (hasTitle) await stdout.write(`${isFirst ? '' : '\n'}${directory.name}:\n`)
  let code = 0
  let entries: Entry[] = []
  try {
    for (const { name } of await files.readdir(directory.path)) {
      if (name.startsWith('.') && !has(parsed, 'a') && !has(parsed, 'A')) continue
      entries.push(await entryOf(context, childOf(directory.path, name), name, has(parsed, 'L')))
    }
    if (has(parsed, 'a')) {
      const parent = directory.path.slice(0, directory.path.lastIndexOf('/')) || '/'
      entries.push(await entryOf(context, directory.path, '.', true), await entryOf(context, parent, '..', true))
    }
  } catch (error) {
    return complain(context, 'ls', `cannot open directory '${directory.name}': ${reasonOf(error)}`, 2)
  }
  entries = sorted(entries, parsed, groupsDirectories)
  if (has(parsed, 'l') || has(parsed, 's')) await stdout.write(`total ${totalOf(entries, parsed)}\n`)
  await stdout.write(listing(entries, parsed))
  if (!has(parsed, 'R')) return 0
  for (const entry of entries) {
    if (entry.stat.kind !== 'directory' || entry.name === '.' || entry.name === '..') continue
    const inner = { ...entry, name: childOf(directory.name, entry.name) }
    code = (await listDirectory(context, inner, parsed, { hasTitle: true, isFirst: false, groupsDirectories })) || code
  }
  return code
}

function blocksOf({ sizeBytes, kind }: FileStat): number {
  return kind === 'directory' ? 4 : kind === 'symlink' ? 0 : Math.ceil(sizeBytes / 4096) * 4
}

function totalOf(entries: readonly Entry[], parsed: Arguments): string {
  const total = entries.reduce((sum, { stat }) => sum + blocksOf(stat), 0)
  return has(parsed, 'h') ? humanSize(total * 1024) : String(total)
}

function sorted(entries: readonly Entry[], parsed: Arguments, groupsDirectories: boolean): Entry[] {
  if (has(parsed, 'U')) return [...entries]
  const extension = (name: string): string => (/\.[^.]*$/.exec(name.replace(/^\./, '')) ?? [''])[0]
  const list = entries.toSorted((one, other) => {
    const difference = has(parsed, 'S')
      ? other.stat.sizeBytes - one.stat.sizeBytes
      : has(parsed, 't')
        ? other.stat.mtimeMs - one.stat.mtimeMs
        : has(parsed, 'X') && extension(one.name) !== extension(other.name)
          ? extension(one.name) < extension(other.name)
            ? -1
            : 1
          : 0
    return difference || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0)
  })
  if (has(parsed, 'r')) list.reverse()
  if (!groupsDirectories) return list
  const isDirectory = (entry: Entry): boolean => entry.stat.kind === 'directory' || entry.isTargetDirectory
  return [...list.filter(isDirectory), ...list.filter(entry => !isDirectory(entry))]
}

function listing(entries: readonly Entry[], parsed: Arguments): string {
  const prefix = ({ stat }: Entry): string =>
    `${has(parsed, 'i') ? `${stat.ino} ` : ''}${has(parsed, 's') ? `${blocksOf(stat)} ` : ''}`
  const isLong = has(parsed, 'l') || has(parsed, 'n') || has(parsed, 'g') || has(parsed, 'o')
  if (!isLong) {
    const names = entries.map(entry => prefix(entry) + marked(entry, parsed))
    if (has(parsed, 'm')) return inCommas(names)
    return names.map(name => `${name}\n`).join('')
  }
  const owner = has(parsed, 'n') ? '1000' : 'user'
  const columns = [...(has(parsed, 'g') ? [] : [owner]), ...(has(parsed, 'o') || has(parsed, 'G') ? [] : [owner])].join(' ')
  const rows = entries.map(entry => {
    const { stat } = entry
    const size = has(parsed, 'h') ? humanSize(stat.sizeBytes) : String(stat.sizeBytes)
    const type = stat.kind === 'directory' ? 'd' : stat.kind === 'symlink' ? 'l' : '-'
    return { entry, mode: type + permissions(stat.mode), links: String(stat.nlink), size }
  })
  const width = (of: (row: (typeof rows)[number]) => string): number => Math.max(0, ...rows.map(row => of(row).length))
  const [linkWidth, sizeWidth] = [width(({ links }) => links), width(({ size }) => size)]
  return rows
    .map(({ entry, mode, links, size }) => {
      const target = entry.target === undefined ? '' : ` -> ${entry.target}`
      const date = dateOf(entry.stat.mtimeMs)
      return `${prefix(entry)}${mode} ${links.padStart(linkWidth)} ${columns === '' ? '' : `${columns} `}${size.padStart(sizeWidth)} ${date} ${marked(entry, parsed)}${target}\n`
    })
    .join('')
}

const halfYearMs = 182 * 86_400_000

function dateOf(mtimeMs: number): string {
  const isRecent = Math.abs(Date.now() - mtimeMs) < halfYearMs
  const time = inZone(mtimeMs, '')
  return time === undefined ? '' : formatTime(isRecent ? '%b %e %H:%M' : '%b %e  %Y', time)
}

function marked({ name, stat, target }: Entry, parsed: Arguments): string {
  const shown = has(parsed, 'Q') ? `"${name.replace(/["\\]/g, '\\$&')}"` : name
  if (stat.kind === 'directory' && (has(parsed, 'F') || has(parsed, 'p'))) return `${shown}/`
  if (!has(parsed, 'F')) return shown
  if (target !== undefined) return has(parsed, 'l') ? shown : `${shown}@`
  return stat.kind === 'file' && (stat.mode & 0o111) !== 0 ? `${shown}*` : shown
}

/** `-m`: as many names in a line as 80 columns hold. */
function inCommas(names: readonly string[]): string {
  let text = ''
  let column = 0
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1
    const length = Array.from(name).length
    if (index > 0) {
      const fits = column + 2 + length + (isLast ? 0 : 1) <= 80
      text += fits ? ', ' : ',\n'
      column = fits ? column + 2 : 0
    }
    text += name
    column += length
  }
  return names.length === 0 ? '' : `${text}\n`
}
