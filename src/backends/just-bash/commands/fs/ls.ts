import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { quotedName } from '../quoted-name.ts'
import type { FileStat } from '../../../../shell/files.ts'
import { has, parseArguments, type Arguments, type OptionTable } from '../options.ts'
import { childOf, complain, humanSize, pathOf, permissions, reasonOf } from '../program.ts'
import { compilePattern } from '../../interpreter/pattern.ts'
import { compareVersions } from '../version-order.ts'
import { showNames, type ShowName } from './ls-quoting.ts'
import { showTimes, type ShowTime } from './ls-times.ts'

interface Entry {
  readonly name: string
  readonly path: string
  readonly stat: FileStat
  /** The target of a symbolic link, as stored. */
  readonly target: string | undefined
  readonly isTargetDirectory: boolean
}

const letters = '1aAlhRdFStrpLinsgoUXcuGkCxmQbNvB'

const table: OptionTable = {
  ...Object.fromEntries([...letters].map(letter => [`-${letter}`, letter])),
  '--all': 'a',
  '--almost-all': 'A',
  '--directory': 'd',
  '--human-readable': 'h',
  '--si': 'si',
  '--recursive': 'R',
  '--reverse': 'r',
  '--classify': 'F',
  '--dereference': 'L',
  '--inode': 'i',
  '--size': 's',
  '--ignore-backups': 'B',
  '-I': 'ignore=',
  '--ignore': 'ignore=',
  '--hide': 'hide=',
  '--sort': 'sort=',
  '--time-style': 'style=',
  '--full-time': 'full',
  '--group-directories-first': 'first',
  '--color': 'color?',
  '--hide-control-chars': 'q',
  '-q': 'q',
  '--escape': 'b',
  '--literal': 'N',
  '--quote-name': 'Q',
  '--quoting-style': 'quoting=',
  // Names are never printed in columns, so a width has no effect.
  '-w': 'ignored=',
  '--width': 'ignored=',
}

const sortLetters: Readonly<Record<string, string>> = {
  none: 'U',
  size: 'S',
  time: 't',
  version: 'v',
  extension: 'X',
  name: 'name',
}

/** Shared by all directories of one call. */
interface Request {
  readonly parsed: Arguments
  /** A value of `sortLetters`; the last sort option applies. */
  readonly order: string
  readonly isLong: boolean
  readonly showTime: ShowTime
  readonly showName: ShowName
  readonly isHidden: (name: string) => boolean
}

function requestOf(context: ShellCommandContext): Request | string {
  const parsed = parseArguments(context.args, table)
  if (typeof parsed === 'string') return parsed
  const orders = Object.values(sortLetters)
  let order = 'name'
  let style = context.env['TIME_STYLE'] || 'locale'
  for (const { name, value } of parsed.options) {
    if (orders.includes(name)) order = name
    else if (name === 'full') style = 'full-iso'
    else if (name === 'style') style = value
    else if (name === 'sort') {
      if (!Object.hasOwn(sortLetters, value))
        return `invalid argument '${value}' for '--sort'; valid are ${Object.keys(sortLetters).join(', ')}`
      order = sortLetters[value] ?? order
    }
  }
  const isLong = ['l', 'n', 'g', 'o', 'full'].some(name => has(parsed, name))
  // Without timestamps in the output, an invalid style is not an error.
  const showTime = showTimes(isLong ? style : 'locale', context.env['TZ'] ?? '')
  if (typeof showTime === 'string') return showTime
  const showName = showNames(parsed)
  if (typeof showName === 'string') return showName
  return { parsed, order, isLong, showTime, showName, isHidden: hiddenBy(parsed) }
}

function hiddenBy(parsed: Arguments): (name: string) => boolean {
  const isAll = has(parsed, 'a')
  const showsDots = isAll || has(parsed, 'A')
  const patternsOf = (option: string): string[] => parsed.options.flatMap(({ name, value }) => (name === option ? [value] : []))
  const patterns = [
    ...patternsOf('ignore'),
    ...(showsDots ? [] : patternsOf('hide')),
    ...(has(parsed, 'B') ? ['*~', '.*~'] : []),
  ].map(pattern => ({ takesDot: /^\\?\./.test(pattern), expression: compilePattern(pattern) }))
  return name => {
    const isDot = name.startsWith('.')
    if (isDot && !showsDots) return true
    return patterns.some(({ takesDot, expression }) => (takesDot || !isDot) && expression.test(name))
  }
}

export async function ls(context: ShellCommandContext): Promise<number> {
  const request = requestOf(context)
  if (typeof request === 'string') return complain(context, 'ls', request, 2)
  const { parsed } = request
  let code = 0
  const files: Entry[] = []
  const directories: Entry[] = []
  for (const name of parsed.operands.length === 0 ? ['.'] : parsed.operands) {
    try {
      const path = pathOf(context, name)
      const isLong = request.isLong && !name.endsWith('/')
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
      code = await complain(context, 'ls', `cannot access ${quotedName(name)}: ${reasonOf(error)}`, 2)
    }
  }
  if (files.length > 0) await context.stdout.write(listing(sorted(files, request), request))
  const hasTitles = files.length + directories.length > 1 || has(parsed, 'R') || code !== 0
  let isFirst = files.length === 0
  for (const directory of sorted(directories, request)) {
    code = (await listDirectory(context, directory, request, { hasTitle: hasTitles, isFirst })) || code
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
    // The link is broken, so the link itself is listed.
  }
  if (follows && target !== undefined) return { name, path, stat: target, target: undefined, isTargetDirectory: false }
  return { name, path, stat: own, target: await context.files.readlink(path), isTargetDirectory: target?.kind === 'directory' }
}

interface Place {
  readonly hasTitle: boolean
  readonly isFirst: boolean
}

async function listDirectory(
  context: ShellCommandContext,
  directory: Entry,
  request: Request,
  { hasTitle, isFirst }: Place,
): Promise<number> {
  const { parsed } = request
  const { stdout, files } = context
  if (hasTitle) await stdout.write(`${isFirst ? '' : '\n'}${request.showName(directory.name, true)}:\n`)
  let code = 0
  let entries: Entry[] = []
  try {
    for (const { name } of await files.readdir(directory.path)) {
      if (request.isHidden(name)) continue
      entries.push(await entryOf(context, childOf(directory.path, name), name, has(parsed, 'L')))
    }
    if (has(parsed, 'a')) {
      const parent = directory.path.slice(0, directory.path.lastIndexOf('/')) || '/'
      for (const [path, name] of [
        [directory.path, '.'],
        [parent, '..'],
      ] as const)
        if (!request.isHidden(name)) entries.push(await entryOf(context, path, name, true))
    }
  } catch (error) {
    return complain(context, 'ls', `cannot open directory ${quotedName(directory.name)}: ${reasonOf(error)}`, 2)
  }
  entries = sorted(entries, request)
  if (request.isLong || has(parsed, 's')) await stdout.write(`total ${totalOf(entries, parsed)}\n`)
  await stdout.write(listing(entries, request))
  if (!has(parsed, 'R')) return 0
  for (const entry of entries) {
    if (entry.stat.kind !== 'directory' || entry.name === '.' || entry.name === '..') continue
    const inner = { ...entry, name: childOf(directory.name, entry.name) }
    code = (await listDirectory(context, inner, request, { hasTitle: true, isFirst: false })) || code
  }
  return code
}

function blocksOf({ sizeBytes, kind }: FileStat): number {
  return kind === 'directory' ? 4 : kind === 'symlink' ? 0 : Math.ceil(sizeBytes / 4096) * 4
}

function totalOf(entries: readonly Entry[], parsed: Arguments): string {
  const total = entries.reduce((sum, { stat }) => sum + blocksOf(stat), 0)
  return shownSize(total * 1024, parsed) ?? String(total)
}

/** With -h or --si; the last of them counts. */
function shownSize(bytes: number, { options }: Arguments): string | undefined {
  const last = options.findLast(({ name }) => name === 'h' || name === 'si')?.name
  return last === undefined ? undefined : humanSize(bytes, last === 'si' ? 1000 : 1024)
}

function sorted(entries: readonly Entry[], { parsed, order }: Request): Entry[] {
  if (order === 'U') return [...entries]
  const extension = (name: string): string => (/\.[^.]*$/.exec(name.replace(/^\./, '')) ?? [''])[0]
  const list = entries.toSorted((one, other) => {
    const difference =
      order === 'S'
        ? other.stat.sizeBytes - one.stat.sizeBytes
        : order === 't'
          ? other.stat.mtimeMs - one.stat.mtimeMs
          : order === 'v'
            ? compareVersions(one.name, other.name)
            : order === 'X' && extension(one.name) !== extension(other.name)
              ? extension(one.name) < extension(other.name)
                ? -1
                : 1
              : 0
    return difference || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0)
  })
  if (has(parsed, 'r')) list.reverse()
  if (!has(parsed, 'first')) return list
  const isDirectory = (entry: Entry): boolean => entry.stat.kind === 'directory' || entry.isTargetDirectory
  return [...list.filter(isDirectory), ...list.filter(entry => !isDirectory(entry))]
}

function listing(entries: readonly Entry[], { parsed, isLong, showTime, showName }: Request): string {
  const blocks = ({ stat }: Entry): string => shownSize(blocksOf(stat) * 1024, parsed) ?? String(blocksOf(stat))
  const widest = (of: (entry: Entry) => string): number =>
    has(parsed, 'm') ? 0 : Math.max(0, ...entries.map(entry => of(entry).length))
  const inode = ({ stat }: Entry): string => String(stat.ino)
  const [inodeWidth, blocksWidth] = [has(parsed, 'i') ? widest(inode) : 0, has(parsed, 's') ? widest(blocks) : 0]
  const prefix = (entry: Entry): string =>
    (has(parsed, 'i') ? `${inode(entry).padStart(inodeWidth)} ` : '') +
    (has(parsed, 's') ? `${blocks(entry).padStart(blocksWidth)} ` : '')
  if (!isLong) {
    const names = entries.map(entry => prefix(entry) + marked(entry, parsed, showName))
    if (has(parsed, 'm')) return inCommas(names)
    return names.map(name => `${name}\n`).join('')
  }
  const owner = has(parsed, 'n') ? '1000' : 'user'
  const columns = [...(has(parsed, 'g') ? [] : [owner]), ...(has(parsed, 'o') || has(parsed, 'G') ? [] : [owner])].join(' ')
  const rows = entries.map(entry => {
    const { stat } = entry
    const size = shownSize(stat.sizeBytes, parsed) ?? String(stat.sizeBytes)
    const type = stat.kind === 'directory' ? 'd' : stat.kind === 'symlink' ? 'l' : '-'
    return { entry, mode: type + permissions(stat.mode), links: String(stat.nlink), size }
  })
  const width = (of: (row: (typeof rows)[number]) => string): number => Math.max(0, ...rows.map(row => of(row).length))
  const [linkWidth, sizeWidth] = [width(({ links }) => links), width(({ size }) => size)]
  return rows
    .map(({ entry, mode, links, size }) => {
      const target = entry.target === undefined ? '' : ` -> ${showName(entry.target)}`
      return `${prefix(entry)}${mode} ${links.padStart(linkWidth)} ${columns === '' ? '' : `${columns} `}${size.padStart(sizeWidth)} ${showTime(entry.stat.mtimeMs)} ${marked(entry, parsed, showName)}${target}\n`
    })
    .join('')
}

function marked({ name, stat, target }: Entry, parsed: Arguments, showName: ShowName): string {
  const shown = showName(name)
  if (stat.kind === 'directory' && (has(parsed, 'F') || has(parsed, 'p'))) return `${shown}/`
  if (!has(parsed, 'F')) return shown
  if (target !== undefined) return has(parsed, 'l') ? shown : `${shown}@`
  return stat.kind === 'file' && (stat.mode & 0o111) !== 0 ? `${shown}*` : shown
}

/** `-m`: fills lines of 80 columns with names separated by commas. */
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
