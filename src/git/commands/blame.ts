// `git blame`.

import { titleOf } from '../revs/subject.ts'
import { decodeText } from '../../shell/byte-text.ts'
import { lineAt, type LineTable, tableOf } from '../../text/git-diff/lines.ts'
import type { GitCall } from '../call.ts'
import { fatal, GitFailure } from '../errors.ts'
import { prefersIndent } from '../diff/settings.ts'
import { commitRange } from '../merge/commit-range.ts'

import { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { formatDate } from '../revs/date.ts'
import { Mailmap } from '../revs/mailmap.ts'
import { parentsOf } from '../revs/parents.ts'
import { findInTree, needCommit } from '../revs/revision.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { modes, type ObjectId, type Person, zeroId } from '../store/object-format.ts'
import { Blame, type BlamedRange } from '../work/blame.ts'
import type { GitCommand } from './command.ts'
import { largest } from '../../core/many.ts'

/** Git's columns for a date, also where all dates are shorter. */
const dateColumns: Readonly<Record<string, number>> = { relative: 22, default: 30, normal: 30, human: 16 }

const notFollowed = 'finding lines that moved between files is not built into this git'

export const blame: GitCommand = {
  name: 'blame',
  summary: 'Show what revision and author last modified each line of a file',
  options: {
    rows: [
      { names: ['b'] },
      { names: ['root'] },
      { names: ['show-stats'], refuses: 'statistics are not built into this git' },
      { names: ['progress'], isIgnored: true },
      { names: ['f', 'show-name'] },
      { names: ['n', 'show-number'] },
      { names: ['p', 'porcelain'] },
      { names: ['line-porcelain'] },
      { names: ['incremental'], refuses: 'the incremental format is not built into this git' },
      { names: ['c'] },
      { names: ['t'] },
      { names: ['l'] },
      { names: ['s'] },
      { names: ['e', 'show-email'] },
      { names: ['w'] },
      { names: ['L'], argument: { name: 'range' } },
      { names: ['abbrev'], argument: { name: 'n', isOptional: true } },
      { names: ['date'], argument: { name: 'format' } },
      { names: ['minimal'] },
      { names: ['indent-heuristic'] },
      { names: ['first-parent'], refuses: 'following first parents only is not built into this git' },
      { names: ['reverse'], refuses: 'going forward in time is not built into this git' },
      { names: ['since'], argument: { name: 'date' }, refuses: 'a limit by date is not built into this git' },
      { names: ['contents'], argument: { name: 'file' }, refuses: 'another content is not built into this git' },
      { names: ['ignore-rev'], argument: { name: 'rev' }, refuses: 'leaving out commits is not built into this git' },
      { names: ['ignore-revs-file'], argument: { name: 'file' }, refuses: 'leaving out commits is not built into this git' },
      { names: ['M'], argument: { name: 'score', isOptional: true }, refuses: notFollowed },
      { names: ['C'], argument: { name: 'score', isOptional: true }, refuses: notFollowed },
    ],
    usage: 'git blame [<options>] [<rev-opts>] [<rev>] [--] <file>',
  },
  async run(call, given) {
    const repository = await call.repository()
    const config = repository.config()
    if (config.all('blame.ignorerevsfile').some(name => name !== ''))
      throw new GitFailure(
        'error: blame.ignoreRevsFile: leaving out commits is not built into this git; run with -c blame.ignoreRevsFile=',
        129,
      )
    const options = given.withUsual([
      ...(config.bool('blame.showemail', false) ? [['show-email', true] as const] : []),
      ...(config.bool('blame.blankboundary', false) ? [['b', true] as const] : []),
    ])
    const { paths } = options
    const words = paths === undefined ? await revisionFirst(repository, options.words) : options.words
    const [file] = paths ?? words.slice(-1)
    const revisions = paths === undefined ? words.slice(0, -1) : words
    if (file === undefined || (paths !== undefined && paths.length > 1)) {
      throw new GitFailure(`usage: ${blame.options.usage}\n`, 129)
    }
    const path = normalized(repository.prefix + file)
    const source = await readSource(repository, path, revisions)
    const table = tableOf(source.bytes)
    const wanted = wantedLines(options.values('L'), table, path)
    const lines = {
      indentHeuristic: prefersIndent(options, config),
      whitespace: options.has('w') ? ('all' as const) : ('exact' as const),
      ...(options.has('minimal') ? { algorithm: 'minimal' as const } : {}),
    }
    const ranges = await new Blame(repository, lines, source.excluded).run({ path, ...source }, wanted)
    const report = new Report(call, repository, options, table, path)
    await (options.has('porcelain') || options.has('line-porcelain') ? report.writePorcelain(ranges) : report.writeTable(ranges))
    return 0
  },
}

export const annotate: GitCommand = {
  ...blame,
  name: 'annotate',
  summary: 'Annotate file lines with commit information',
  run(call, options, args) {
    const date = { key: 'date', value: 'iso', isNegated: false }
    const given = [...options.given, { ...date, key: 'c', value: undefined }, date]
    return blame.run(call, new Options(given, options.words, options.paths), args)
  },
}

/** The file may also come first, if the second word is none. */
async function revisionFirst(repository: Repository, words: readonly string[]): Promise<readonly string[]> {
  const [one, two] = words
  if (one === undefined || two === undefined || words.length > 2) return words
  const isFile = (await repository.files.lstat(`${repository.environment.cwd}/${two}`)) !== undefined
  return isFile ? words : [two, one]
}

function normalized(path: string): string {
  const kept: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') kept.pop()
    else if (name !== '' && name !== '.') kept.push(name)
  }
  return kept.join('/')
}

interface Source {
  readonly bytes: Uint8Array
  readonly head: ObjectId
  readonly isCommitted: boolean
  readonly excluded: ReadonlySet<ObjectId>
}

/** Of several revisions at most one is without `^`; without such a one, the file is that of the work tree. */
async function readSource(repository: Repository, path: string, revisions: readonly string[]): Promise<Source> {
  const [starts, ends]: [string[], string[]] = [[], []]
  for (const revision of revisions) {
    const [, from, to] = /^(.*?)\.\.(?!\.)(.*)$/.exec(revision) ?? []
    if (from !== undefined) starts.push(from || 'HEAD')
    if (revision.startsWith('^')) starts.push(revision.slice(1))
    else ends.push(from === undefined ? revision : to || 'HEAD')
  }
  const [end, other] = ends
  if (other !== undefined) throw fatal(`More than one commit to dig from ${other} and ${end}?`)
  const source = end === undefined ? await readUncommitted(repository, path) : await readCommitted(repository, path, end)
  return { ...source, excluded: await edgeOf(repository, starts, source.head) }
}

async function readUncommitted(repository: Repository, path: string): Promise<Omit<Source, 'excluded'>> {
  const { oid: head } = await repository.head()
  if (head === undefined) throw fatal(`no such ref: HEAD`)
  const committed = await findInTree(repository, await repository.treeOf(head), path)
  const index = await repository.readIndex()
  if ((committed === undefined || committed.mode === modes.tree) && !index.has(path))
    throw fatal(`no such path '${path}' in HEAD`)
  const tree = await repository.workTree()
  const stat = await tree.lstat(path)
  if (stat === undefined) throw fatal(`Cannot lstat '${path}': No such file or directory`)
  const content = await tree.readForRepository(path, stat, index)
  return { bytes: content?.bytes ?? new Uint8Array(), head, isCommitted: false }
}

async function readCommitted(repository: Repository, path: string, revision: string): Promise<Omit<Source, 'excluded'>> {
  const head = await needCommit(repository, revision)
  const entry = await findInTree(repository, await repository.treeOf(head), path)
  if (entry === undefined || entry.mode === modes.tree) throw fatal(`no such path ${path} in ${revision}`)
  return { bytes: await repository.objects.readBlob(entry.oid), head, isCommitted: true }
}

/** The excluded commits at which the search ends. */
async function edgeOf(repository: Repository, starts: readonly string[], head: ObjectId): Promise<ReadonlySet<ObjectId>> {
  const excluded = new Set<ObjectId>()
  if (starts.length === 0) return excluded
  const from = await Promise.all(starts.map(start => needCommit(repository, start)))
  const inside = new Set(await commitRange(repository, from, [head]))
  if (!inside.has(head)) excluded.add(head)
  for (const oid of inside) for (const parent of await parentsOf(repository, oid)) if (!inside.has(parent)) excluded.add(parent)
  return excluded
}

interface LineSpan {
  readonly start: number
  readonly count: number
}

/** `-L` in all forms except functions. */
function wantedLines(ranges: readonly string[], table: LineTable, path: string): readonly LineSpan[] {
  if (ranges.length === 0) return table.count === 0 ? [] : [{ start: 0, count: table.count }]
  const chosen = new Uint8Array(table.count)
  let anchor = 1
  for (const range of ranges) {
    const [start, end] = parseRange(range, table, anchor)
    const [low, high] = start > 0 && end > 0 && end < start ? [end, start] : [start, end]
    if (low > table.count || (table.count === 0 && high > 0))
      throw fatal(`file ${path} has only ${table.count} line${table.count === 1 ? '' : 's'}`)
    const last = high < 1 || high > table.count ? table.count : high
    chosen.fill(1, Math.max(1, low) - 1, last)
    anchor = last + 1
  }
  const spans: LineSpan[] = []
  for (let at = 0; at < chosen.length; at++) {
    if (chosen[at] !== 1) continue
    const start = at
    while (chosen[at] === 1) at++
    spans.push({ start, count: at - start })
  }
  return spans
}

/** First and last line, from 1; 0 where the range does not say it. */
function parseRange(range: string, table: LineTable, anchor: number): readonly [number, number] {
  if (/^\^?:/.test(range)) throw new GitFailure('error: -L with the name of a function is not built into this git', 129)
  const [, first = '', second = ''] = /^([^,/]*|\^?\/(?:[^/\\]|\\.)*\/)(?:,(.*))?$/s.exec(range) ?? [range, range]
  const start = lineOf(first.replace(/^\^(?=\/)/, ''), table, first.startsWith('^') ? 1 : anchor)
  const [, sign, digits] = /^([-+])(\d+)$/.exec(second) ?? []
  if (sign === undefined) return [start, lineOf(second, table, start + 1)]
  const count = Number(digits)
  if (count === 0) throw fatal('-L invalid empty range')
  return [start, sign === '+' ? start + count - 1 : Math.max(1, start + 1 - count)]
}

/** The line that a number or a pattern names; 0 for no text. A pattern is looked for from the line `from` on. */
function lineOf(text: string, table: LineTable, from: number): number {
  if (text === '') return 0
  if (/^\s*[-+]?\d+$/.test(text)) {
    if (Number(text) <= 0) throw fatal(`-L invalid line number: ${Number(text)}`)
    return Number(text)
  }
  const [, source] = /^\/(.*)\/$/s.exec(text) ?? []
  if (source === undefined) throw new GitFailure(`usage: ${blame.options.usage}\n`, 129)
  let pattern: RegExp
  try {
    pattern = new RegExp(source)
  } catch {
    throw fatal(`-L parameter '${source}': invalid regular expression`)
  }
  for (let line = from - 1; line < table.count; line++)
    if (pattern.test(decodeText(lineAt(table, line)).replace(/\n$/, ''))) return line + 1
  throw fatal(`-L parameter '${source}' starting at line ${from}: No match`)
}

interface Told {
  readonly author: Person
  readonly committer: Person
  readonly subject: string
}

class Report {
  readonly #call: GitCall
  readonly #repository: Repository
  readonly #options: Options
  readonly #table: LineTable
  readonly #path: string
  #mailmap: Promise<Mailmap> | undefined
  readonly #told = new Map<ObjectId, Told>()

  constructor(call: GitCall, repository: Repository, options: Options, table: LineTable, path: string) {
    this.#call = call
    this.#repository = repository
    this.#options = options
    this.#table = table
    this.#path = path
  }

  async #tell(oid: ObjectId): Promise<Told> {
    const known = this.#told.get(oid)
    if (known !== undefined) return known
    let told: Told
    if (oid === zeroId) {
      const who: Person = { name: 'Not Committed Yet', email: 'not.committed.yet', time: this.#call.now, zone: '+0000' }
      told = { author: who, committer: who, subject: `Version of ${this.#path} from ${this.#path}` }
    } else {
      const { author, committer, message } = await this.#repository.objects.readCommit(oid)
      this.#mailmap ??= Mailmap.read(this.#repository)
      const mailmap = await this.#mailmap
      told = { author: mailmap.of(author), committer: mailmap.of(committer), subject: titleOf(message) }
    }
    this.#told.set(oid, told)
    return told
  }

  #isBoundary({ isBoundary, oid }: BlamedRange, parents: ReadonlyMap<ObjectId, number>): boolean {
    if (!isBoundary) return false
    const showsRoot = this.#options.has('root') || this.#repository.config().bool('blame.showroot', false)
    return !(showsRoot && parents.get(oid) === 0)
  }

  async #parentCounts(ranges: readonly BlamedRange[]): Promise<ReadonlyMap<ObjectId, number>> {
    const counts = new Map<ObjectId, number>()
    for (const { oid } of ranges) if (oid !== zeroId) counts.set(oid, (await parentsOf(this.#repository, oid)).length)
    return counts
  }

  async writeTable(ranges: readonly BlamedRange[]): Promise<void> {
    const options = this.#options
    const last = ranges.at(-1)
    if (last === undefined) return
    const parents = await this.#parentCounts(ranges)
    const idWidth = await this.#idWidth(ranges)
    const names = new Map<ObjectId, string>()
    const dates = new Map<ObjectId, string>()
    for (const { oid } of ranges) {
      const { author } = await this.#tell(oid)
      names.set(oid, options.has('show-email') ? `<${author.email}>` : author.name)
      dates.set(oid, this.#date(author))
    }
    const nameWidth = largest([...names.values()].map(name => [...name].length))
    const dateWidth = largest(
      [...dates.values()].map(date => date.length),
      dateColumns[this.#dateMode],
    )
    const lineWidth = String(largest(ranges.map(({ finalStart, count }) => finalStart + count))).length
    const sourceWidth = String(largest(ranges.map(({ start, count }) => start + count))).length
    const showsPath = options.has('show-name') || ranges.some(({ path }) => path !== this.#path)
    const pathWidth = largest(ranges.map(({ path }) => path.length))
    for (const range of ranges) {
      const isCompatible = options.has('c')
      const isBoundary = this.#isBoundary(range, parents) && (options.has('b') || !isCompatible)
      const id = isBoundary
        ? options.has('b')
          ? ' '.repeat(idWidth)
          : `^${range.oid.slice(0, idWidth - 1)}`
        : range.oid.slice(0, idWidth)
      const name = names.get(range.oid) ?? ''
      for (let line = 0; line < range.count; line++) {
        if (isCompatible) {
          const date = (dates.get(range.oid) ?? '').padEnd(dateWidth)
          const head = `${id}\t(${name.padStart(10)}\t${date}\t${range.finalStart + line + 1})`
          await this.#writeLine(head, range.finalStart + line)
          continue
        }
        let head = id
        if (showsPath) head += ` ${range.path.padEnd(pathWidth)}`
        if (options.has('show-number')) head += ` ${String(range.start + line + 1).padStart(sourceWidth)}`
        if (!options.has('s')) {
          const pad = ' '.repeat(nameWidth - [...name].length)
          head += ` (${name}${pad} ${(dates.get(range.oid) ?? '').padEnd(dateWidth)}`
        }
        head += ` ${String(range.finalStart + line + 1).padStart(lineWidth)}) `
        await this.#writeLine(head, range.finalStart + line)
      }
    }
  }

  async #writeLine(head: string, line: number): Promise<void> {
    const bytes = lineAt(this.#table, line)
    await this.#call.out.write(head)
    await this.#call.out.write(bytes)
    if (bytes.at(-1) !== 0x0a) await this.#call.out.write('\n')
  }

  get #dateMode(): string {
    return this.#options.value('date') ?? this.#repository.config().get('blame.date') ?? 'iso'
  }

  #date(author: Person): string {
    if (this.#options.has('t')) return `${author.time} ${author.zone}`
    const mode = this.#dateMode
    const text = formatDate(author, mode, this.#call.now)
    if (text === undefined) throw fatal(`unknown date format ${mode}`)
    return text
  }

  /** One digit more than needed to be unique: the place for the mark of a boundary. */
  async #idWidth(ranges: readonly BlamedRange[]): Promise<number> {
    if (this.#options.has('l')) return 40
    const ids = new ShortIds(this.#repository)
    const given = this.#options.number('abbrev')
    let width = given ?? 7
    for (const { oid } of ranges) if (oid !== zeroId && given === undefined) width = Math.max(width, (await ids.of(oid)).length)
    return Math.min(40, width + 1)
  }

  async writePorcelain(ranges: readonly BlamedRange[]): Promise<void> {
    const told = new Set<string>()
    const parents = await this.#parentCounts(ranges)
    const repeats = this.#options.has('line-porcelain')
    const pathsOf = new Map<ObjectId, Set<string>>()
    for (const { oid, path } of ranges) pathsOf.set(oid, (pathsOf.get(oid) ?? new Set<string>()).add(path))
    for (const range of ranges) {
      for (let line = 0; line < range.count; line++) {
        const size = line === 0 ? ` ${range.count}` : ''
        await this.#call.print(`${range.oid} ${range.start + line + 1} ${range.finalStart + line + 1}${size}`)
        if (repeats || (line === 0 && !told.has(range.oid))) await this.#call.out.write(await this.#headers(range, parents))
        else if (line === 0 && (pathsOf.get(range.oid)?.size ?? 0) > 1) await this.#call.print(`filename ${range.path}`)
        told.add(range.oid)
        await this.#writeLine('\t', range.finalStart + line)
      }
    }
  }

  async #headers(range: BlamedRange, parents: ReadonlyMap<ObjectId, number>): Promise<string> {
    const { author, committer, subject } = await this.#tell(range.oid)
    const person = (role: string, { name, email, time, zone }: Person): readonly string[] => [
      `${role} ${name}`,
      `${role}-mail <${email}>`,
      `${role}-time ${time}`,
      `${role}-tz ${zone}`,
    ]
    const lines = [...person('author', author), ...person('committer', committer), `summary ${subject}`]
    if (this.#isBoundary(range, parents)) lines.push('boundary')
    if (range.previous !== undefined) lines.push(`previous ${range.previous.oid} ${range.previous.path}`)
    lines.push(`filename ${range.path}`)
    return lines.map(line => `${line}\n`).join('')
  }
}
