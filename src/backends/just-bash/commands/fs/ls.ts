import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { quotedName } from '../quoted-name.ts'
import type { FileStat } from '../../../../shell/files.ts'
import { has } from '../options.ts'
import { childOf, complain, humanSize, pathOf, permissions } from '../program.ts'
import { compareVersions } from '../version-order.ts'
import { displayWidth } from '../display-width.ts'
import { inColumns } from './ls-columns.ts'
import { isQuoted, type ShowName } from './ls-quoting.ts'
import { checkFileName, reasonOf } from '../../errno.ts'
import { type Request, requestOf } from './ls-options.ts'
import { largest } from '../../../../core/many.ts'

interface Entry {
  readonly name: string
  readonly path: string
  readonly stat: FileStat
  /** The target of a symbolic link, as stored. */
  readonly target: string | undefined
  /** What the link leads to, if that is there. */
  readonly behind: FileStat | undefined
}

/** `before` are the options that `dir` and `vdir` stand for. */
export async function ls(context: ShellCommandContext, name = 'ls', before: readonly string[] = []): Promise<number> {
  const request = requestOf(context, before)
  if (typeof request === 'string') return complain(context, name, request, /^invalid argument .* for '--/.test(request) ? 1 : 2)
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
        has(parsed, 'L') || has(parsed, 'H')
          ? 'all'
          : has(parsed, 'link-to-directory') ||
              !(isLong || has(parsed, 'd') || (request.marks === 'classify' && !name.endsWith('/')))
            ? 'directories'
            : 'none',
      )
      // With -L and -H, a link that leads nowhere is an error.
      if (entry.stat.kind === 'symlink' && (has(parsed, 'L') || has(parsed, 'H'))) await context.files.stat(path)
      if (entry.stat.kind !== 'directory') checkFileName(name)
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

/** Which symbolic links are shown as what they lead to. */
type Follows = 'all' | 'directories' | 'none'

async function entryOf(context: ShellCommandContext, path: string, name: string, follows: Follows): Promise<Entry> {
  const own = await context.files.lstat(path)
  if (own.kind !== 'symlink') return { name, path, stat: own, target: undefined, behind: undefined }
  let target: FileStat | undefined
  try {
    target = await context.files.stat(path)
  } catch {
    // The link is broken, so the link itself is listed.
  }
  if (target !== undefined && (follows === 'all' || (follows === 'directories' && target.kind === 'directory')))
    return { name, path, stat: target, target: undefined, behind: undefined }
  return { name, path, stat: own, target: await context.files.readlink(path), behind: target }
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
      entries.push(await entryOf(context, childOf(directory.path, name), name, has(parsed, 'L') ? 'all' : 'none'))
    }
    if (has(parsed, 'a')) {
      const parent = directory.path.slice(0, directory.path.lastIndexOf('/')) || '/'
      for (const [path, name] of [
        [directory.path, '.'],
        [parent, '..'],
      ] as const)
        if (!request.isHidden(name)) entries.push(await entryOf(context, path, name, 'all'))
    }
  } catch (error) {
    return complain(context, 'ls', `cannot open directory ${quotedName(directory.name)}: ${reasonOf(error)}`, 2)
  }
  entries = sorted(entries, request)
  if (request.isLong || has(parsed, 's')) await stdout.write(`total ${totalOf(entries, request)}${endOf(request)}`)
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

function endOf({ parsed }: Request): string {
  return has(parsed, 'zero') ? '\0' : '\n'
}

function totalOf(entries: readonly Entry[], request: Request): string {
  const total = entries.reduce((sum, { stat }) => sum + blocksOf(stat), 0)
  return shownSize(total * 1024, request) ?? String(total)
}

/** With -h, --si or --block-size; the last of them counts. */
function shownSize(bytes: number, { parsed, unit }: Request): string | undefined {
  const last = parsed.options.findLast(({ name }) => ['h', 'si', 'block-size'].includes(name))?.name
  if (last === 'block-size' && unit !== undefined) return `${Math.ceil(bytes / unit.bytes)}${unit.suffix}`
  return last === undefined ? undefined : humanSize(bytes, last === 'si' ? 1000 : 1024)
}

function sorted(entries: readonly Entry[], { parsed, order, timeMsOf }: Request): Entry[] {
  if (order === 'U') return [...entries]
  const extension = (name: string): string => (/\.[^.]*$/.exec(name) ?? [''])[0]
  const list = entries.toSorted((one, other) => {
    const difference =
      order === 'S'
        ? other.stat.sizeBytes - one.stat.sizeBytes
        : order === 't'
          ? timeMsOf(other.stat) - timeMsOf(one.stat)
          : order === 'v'
            ? compareVersions(one.name, other.name)
            : order === 'X' && extension(one.name) !== extension(other.name)
              ? extension(one.name) < extension(other.name)
                ? -1
                : 1
              : order === 'by-width'
                ? displayWidth(one.name) - displayWidth(other.name)
                : 0
    return difference || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0)
  })
  if (has(parsed, 'r')) list.reverse()
  if (!has(parsed, 'first')) return list
  const isDirectory = (entry: Entry): boolean => entry.stat.kind === 'directory' || entry.behind?.kind === 'directory'
  return [...list.filter(isDirectory), ...list.filter(entry => !isDirectory(entry))]
}

function listing(entries: readonly Entry[], request: Request): string {
  const { parsed, format, showTime, lineWidth, tabWidth } = request
  const showName = aligned(entries, request)
  const blocks = ({ stat }: Entry): string => shownSize(blocksOf(stat) * 1024, request) ?? String(blocksOf(stat))
  const widest = (of: (entry: Entry) => string): number =>
    format === 'commas' ? 0 : largest(entries.map(entry => of(entry).length))
  const inode = ({ stat }: Entry): string => String(stat.ino)
  const [inodeWidth, blocksWidth] = [has(parsed, 'i') ? widest(inode) : 0, has(parsed, 's') ? widest(blocks) : 0]
  const isContext = has(parsed, 'Z') && format !== 'long'
  const prefix = (entry: Entry): string =>
    (has(parsed, 'i') ? `${inode(entry).padStart(inodeWidth)} ` : '') +
    (has(parsed, 's') ? `${blocks(entry).padStart(blocksWidth)} ` : '') +
    (isContext ? '? ' : '')
  if (format !== 'long') {
    const names = entries.map(entry => prefix(entry) + marked(entry, request, showName))
    if (format === 'commas') return inCommas(names, lineWidth)
    if (format === 'single') return names.map(name => name + endOf(request)).join('')
    return inColumns(names, { isDown: format === 'down', lineWidth, tabWidth })
  }
  const owner = has(parsed, 'n') ? '1000' : 'user'
  const columns = [
    ...(has(parsed, 'g') ? [] : [owner]),
    ...(has(parsed, 'o') || has(parsed, 'G') ? [] : [owner]),
    ...(has(parsed, 'author') ? [owner] : []),
    ...(has(parsed, 'Z') ? ['?'] : []),
  ].join(' ')
  const rows = entries.map(entry => {
    const { stat } = entry
    const size = stat.device?.join(', ') ?? shownSize(stat.sizeBytes, request) ?? String(stat.sizeBytes)
    const type = stat.kind === 'directory' ? 'd' : stat.kind === 'symlink' ? 'l' : stat.device ? 'c' : '-'
    return { entry, mode: type + permissions(stat.mode), links: String(stat.nlink), size }
  })
  const width = (of: (row: (typeof rows)[number]) => string): number => largest(rows.map(row => of(row).length))
  const [linkWidth, sizeWidth] = [width(({ links }) => links), width(({ size }) => size)]
  return rows
    .map(({ entry, mode, links, size }) => {
      const target =
        entry.target === undefined
          ? ''
          : ` -> ${request.showName(entry.target)}${request.marks === 'slash' ? '' : markOf(entry.behind, request)}`
      return `${prefix(entry)}${mode} ${links.padStart(linkWidth)} ${columns === '' ? '' : `${columns} `}${size.padStart(sizeWidth)} ${showTime(request.timeMsOf(entry.stat))} ${marked(entry, request, showName)}${target}${endOf(request)}`
    })
    .join('')
}

/** In columns, a name without quotes is indented by one beside names with quotes. */
function aligned(entries: readonly Entry[], { parsed, format, showName }: Request): ShowName {
  const style = parsed.options.findLast(({ name }) => name === 'quoting')?.value
  const isAligned = (style === 'shell' || style === 'shell-escape') && format !== 'single' && format !== 'commas'
  if (!isAligned || !entries.some(({ name }) => isQuoted(showName(name)))) return showName
  return name => {
    const shown = showName(name)
    return isQuoted(shown) ? shown : ` ${shown}`
  }
}

function marked({ name, stat, target }: Entry, { marks, isLong }: Request, showName: ShowName): string {
  const shown = showName(name)
  if (target === undefined || marks === 'none' || marks === 'slash') return shown + markOf(stat, { marks })
  return isLong ? shown : `${shown}@`
}

function markOf(stat: FileStat | undefined, { marks }: Pick<Request, 'marks'>): string {
  if (stat === undefined || marks === 'none') return ''
  if (stat.kind === 'directory') return '/'
  return marks === 'classify' && stat.kind === 'file' && (stat.mode & 0o111) !== 0 ? '*' : ''
}

/** `-m`: fills lines with names separated by commas. */
function inCommas(names: readonly string[], lineWidth: number): string {
  let text = ''
  let column = 0
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1
    const length = Array.from(name).length
    if (index > 0) {
      const fits = column + 2 + length + (isLast ? 0 : 1) <= lineWidth
      text += fits ? ', ' : ',\n'
      column = fits ? column + 2 : 0
    }
    text += name
    column += length
  }
  return names.length === 0 ? '' : `${text}\n`
}
