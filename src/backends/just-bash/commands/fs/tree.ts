// tree: draws a directory as a tree, as text, JSON or XML.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import type { FileEntry, FileStat } from '../../../../shell/files.ts'
import { compilePattern } from '../../interpreter/pattern.ts'
import { reasonOf } from '../../errno.ts'
import { compareVersions } from '../version-order.ts'
import { showTimes } from './ls-times.ts'
import { type Arguments, has, type OptionTable, optionTable, parseArguments, valueOf, wholeNumberOf } from '../options.ts'
import { childOf, complain, pathOf, pathToWrite, statIfThere } from '../program.ts'
import { treeAsData } from './tree-data.ts'
import { treeAsText } from './tree-text.ts'
import type { TreeNode, TreeStyle } from './tree-style.ts'

const table: OptionTable = optionTable(`
  -a: a, -d: d, -f: f, -L: level=, -I: ignore=, -P: pattern=, --ignore-case: any-case, -F: F, --noreport: quiet,
  --dirsfirst: directories-first, --filesfirst: files-first, -n -C -x: ignored, -i: i, -s: size, -h: human, --si: si,
  --du: sums, -p: mode, -N: ignored, -D: time, --timefmt: time-format=, -r: reverse, -t: by-mtime, -c: by-ctime, -v: by-version,
  -U: by-none, --sort: sort=, --prune: prune, --filelimit: limit=, -Q: quoted, -J: json, -X: xml, -o: output=,
  --charset: charset=
`)

interface Search {
  readonly context: ShellCommandContext
  readonly parsed: Arguments
  readonly most: number
  readonly limit: number
  readonly ignored: readonly RegExp[]
  readonly wanted: readonly RegExp[]
  readonly compare: (one: TreeNode, other: TreeNode) => number
}

const orders = ['name', 'version', 'size', 'mtime', 'ctime'] as const

export async function tree(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, table)
  if (typeof parsed === 'string') return complain(context, 'tree', parsed)
  const level = valueOf(parsed, 'level')
  const most = level === undefined ? Infinity : wholeNumberOf(level, 1)
  if (most === undefined) return complain(context, 'tree', `Invalid level, must be greater than 0: '${level ?? ''}'`)
  const limitText = valueOf(parsed, 'limit')
  const limit = limitText === undefined ? Infinity : wholeNumberOf(limitText, 1)
  if (limit === undefined) return complain(context, 'tree', `Invalid file limit, must be greater than 0: '${limitText ?? ''}'`)
  const order = orderOf(parsed)
  if (order === undefined)
    return complain(
      context,
      'tree',
      `Sort type '${valueOf(parsed, 'sort') ?? ''}' not valid, should be one of: ${orders.join(',')}`,
    )
  const charset = valueOf(parsed, 'charset')?.toLowerCase() ?? 'utf-8'
  if (!['ascii', 'us-ascii', 'utf-8', 'utf8'].includes(charset))
    return complain(context, 'tree', `the charset '${charset}' is not available here; give ascii or utf-8`)
  const refused = refusalOf(parsed)
  if (refused !== undefined) return complain(context, 'tree', refused)
  const flags = has(parsed, 'any-case') ? 'i' : ''
  const patterns = (option: string): RegExp[] =>
    parsed.options
      .filter(({ name }) => name === option)
      .flatMap(({ value }) => value.split('|'))
      .map(pattern => new RegExp(compilePattern(pattern).source, `${compilePattern(pattern).flags}${flags}`))
  const search: Search = {
    context,
    parsed,
    most,
    limit,
    ignored: patterns('ignore'),
    wanted: patterns('pattern'),
    compare: has(parsed, 'by-none') ? () => 0 : comparisons[order],
  }
  const output = valueOf(parsed, 'output')
  try {
    if (output !== undefined) await context.files.writeFile(pathToWrite(context, output), new Uint8Array())
  } catch (error) {
    return complain(context, 'tree', `invalid filename '${output ?? ''}': ${reasonOf(error)}`)
  }
  const roots: TreeNode[] = []
  let code = 0
  for (const name of parsed.operands.length === 0 ? ['.'] : parsed.operands) {
    const path = pathOf(context, name)
    const stat = await statIfThere(context, path)
    if (stat === undefined) code = 2
    const isDirectory = stat?.kind === 'directory'
    const shown = has(parsed, 'f') ? name.replace(/(?<=.)\/+$/, '') : name
    roots.push(await nodeOf(search, path, { name: shown, kind: isDirectory ? 'directory' : 'file' }, stat, 0))
  }
  const style = styleOf(context, parsed, charset)
  const text = style.form === 'text' ? treeAsText(roots, style) : treeAsData(roots, style.form, style)
  if (output === undefined) await context.stdout.write(text)
  else await context.files.writeFile(pathToWrite(context, output), new TextEncoder().encode(text))
  return code
}

type Order = (typeof orders)[number]

function orderOf(parsed: Arguments): Order | undefined {
  const named = valueOf(parsed, 'sort')
  if (named !== undefined) return orders.find(order => order.startsWith(named))
  const last = parsed.options.findLast(({ name }) => name.startsWith('by-'))?.name.slice('by-'.length)
  return orders.find(order => order === last) ?? 'name'
}

const byName = (one: TreeNode, other: TreeNode): number => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0)

const secondsOf = (timeMs = 0): number => Math.floor(timeMs / 1000)

const comparisons: Readonly<Record<Order, Search['compare']>> = {
  name: byName,
  version: (one, other) => compareVersions(one.name, other.name),
  size: (one, other) => other.sizeBytes - one.sizeBytes || byName(one, other),
  mtime: (one, other) => secondsOf(one.stat?.mtimeMs) - secondsOf(other.stat?.mtimeMs) || byName(one, other),
  ctime: (one, other) => secondsOf(one.stat?.ctimeMs) - secondsOf(other.stat?.ctimeMs) || byName(one, other),
}

/** Combinations whose answer is not known here. */
function refusalOf(parsed: Arguments): string | undefined {
  const isData = has(parsed, 'json') || has(parsed, 'xml')
  if (has(parsed, 'json') && has(parsed, 'xml')) return '-J and -X exclude each other; give one'
  if (isData && has(parsed, 'i')) return '-i is not available here together with -J and -X; leave it out'
  if (isData && valueOf(parsed, 'limit') !== undefined)
    return '--filelimit is not available here together with -J and -X; give -L'
  if (has(parsed, 'sums') && valueOf(parsed, 'level') !== undefined)
    return '--du is not available here together with -L; use du -d'
  return undefined
}

async function nodeOf(
  search: Search,
  path: string,
  { name, kind }: FileEntry,
  stat: FileStat | undefined,
  depth: number,
): Promise<TreeNode> {
  const { context, parsed, most, limit } = search
  const target = kind === 'symlink' ? await context.files.readlink(path) : undefined
  const found = kind === 'symlink' ? await statIfThere(context, path) : stat
  const node = { name, kind, stat, target, found, sizeBytes: stat?.sizeBytes ?? 0, children: [], problem: undefined }
  if (depth === 0 && kind !== 'directory') return { ...node, problem: 'error opening dir' }
  if (kind !== 'directory' || depth >= most) return node
  const entries = await wantedEntries(search, path)
  if (entries.length > limit) return { ...node, problem: `${entries.length} entries exceeds filelimit, not opening dir` }
  const children: TreeNode[] = []
  for (const entry of entries) {
    context.signal.throwIfAborted()
    const inner = childOf(path, entry.name)
    const shown = has(parsed, 'f') ? { ...entry, name: childOf(name, entry.name) } : entry
    const child = await nodeOf(search, inner, shown, await context.files.lstat(inner), depth + 1)
    const isEmpty = child.found?.kind === 'directory' && child.children.length === 0
    if (!has(parsed, 'prune') || has(parsed, 'd') || !isEmpty) children.push(child)
  }
  const sum = children.reduce((total, child) => total + child.sizeBytes, node.sizeBytes)
  return { ...node, children: ordered(children, search), sizeBytes: has(parsed, 'sums') ? sum : node.sizeBytes }
}

async function wantedEntries({ context, parsed, ignored, wanted }: Search, path: string): Promise<FileEntry[]> {
  const entries: FileEntry[] = []
  for (const entry of await context.files.readdir(path)) {
    if (!has(parsed, 'a') && entry.name.startsWith('.')) continue
    if (ignored.some(pattern => pattern.test(entry.name))) continue
    if (has(parsed, 'd')) {
      const kind = entry.kind === 'symlink' ? (await statIfThere(context, childOf(path, entry.name)))?.kind : entry.kind
      if (kind !== 'directory') continue
    }
    if (entry.kind !== 'directory' && wanted.length > 0 && !wanted.some(pattern => pattern.test(entry.name))) continue
    entries.push(entry)
  }
  return entries
}

function ordered(nodes: readonly TreeNode[], { parsed, compare }: Search): TreeNode[] {
  const sorted = nodes.toSorted(compare)
  if (has(parsed, 'reverse')) sorted.reverse()
  const isDirectory = ({ found }: TreeNode): boolean => found?.kind === 'directory'
  if (has(parsed, 'directories-first')) return [...sorted.filter(isDirectory), ...sorted.filter(node => !isDirectory(node))]
  if (has(parsed, 'files-first')) return [...sorted.filter(node => !isDirectory(node)), ...sorted.filter(isDirectory)]
  return sorted
}

function styleOf(context: ShellCommandContext, parsed: Arguments, charset: string): TreeStyle {
  const format = valueOf(parsed, 'time-format')
  const show = showTimes(format === undefined ? 'locale' : `+${format}`, context.env['TZ'] ?? '')
  const hasSize = has(parsed, 'size') || has(parsed, 'sums')
  return {
    form: has(parsed, 'json') ? 'json' : has(parsed, 'xml') ? 'xml' : 'text',
    isAscii: charset.endsWith('ascii'),
    hasIndent: !has(parsed, 'i'),
    hasMarks: has(parsed, 'F'),
    hasMode: has(parsed, 'mode'),
    size: has(parsed, 'si') ? 'si' : has(parsed, 'human') ? 'human' : hasSize ? 'bytes' : 'none',
    hasSums: has(parsed, 'sums'),
    time: (has(parsed, 'time') || format !== undefined) && typeof show === 'function' ? show : undefined,
    isQuoted: has(parsed, 'quoted'),
    hasOnlyDirectories: has(parsed, 'd'),
    hasReport: !has(parsed, 'quiet'),
  }
}
