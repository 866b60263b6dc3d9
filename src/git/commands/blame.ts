// `git blame`.

import { encodeText } from '../../shell/byte-text.ts'
import { tableOf } from '../../text/git-diff/lines.ts'
import type { GitCall } from '../call.ts'
import { fatal, GitFailure } from '../errors.ts'
import { prefersIndent } from '../diff/settings.ts'
import { commitRange } from '../merge/commit-range.ts'

import { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { approximateDate } from '../revs/read-date.ts'
import { parentsOf } from '../revs/parents.ts'
import { findInTree, needCommit } from '../revs/revision.ts'
import { modes, type ObjectId } from '../store/object-format.ts'
import { Blame, joined, type MovedOptions } from '../work/blame.ts'
import { BlameReport } from './blame-report.ts'
import { wantedLines } from './line-ranges.ts'
import type { GitCommand } from './command.ts'

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
      { names: ['incremental'] },
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
      { names: ['first-parent'] },
      { names: ['reverse'], refuses: 'going forward in time is not built into this git' },
      { names: ['since', 'after'], argument: { name: 'date' }, key: 'since' },
      { names: ['max-age'], argument: { name: 'timestamp' } },
      { names: ['until', 'before', 'min-age'], argument: { name: 'date' }, isIgnored: true },
      { names: ['contents'], argument: { name: 'file' } },
      { names: ['ignore-rev'], argument: { name: 'rev' }, refuses: 'leaving out commits is not built into this git' },
      { names: ['ignore-revs-file'], argument: { name: 'file' }, refuses: 'leaving out commits is not built into this git' },
      { names: ['M'], argument: { name: 'score', isOptional: true } },
      { names: ['C'], argument: { name: 'score', isOptional: true } },
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
    const source = await readSource(call, repository, path, { revisions, contents: options.value('contents') })
    const table = tableOf(source.bytes)
    const wanted = wantedLines(options.values('L'), table, path, () => new GitFailure(`usage: ${blame.options.usage}\n`, 129))
    const since = options.value('since')
    const ranges = await new Blame(repository, {
      indentHeuristic: prefersIndent(options, config),
      whitespace: options.has('w') ? ('all' as const) : ('exact' as const),
      ...(options.has('minimal') ? { algorithm: 'minimal' as const } : {}),
      excluded: source.excluded,
      firstParentOnly: options.has('first-parent'),
      sinceTime: options.has('max-age')
        ? options.number('max-age')
        : since === undefined
          ? undefined
          : approximateDate(since, call.now),
      now: call.now,
      moved: movedOptions(options),
    }).run({ path, ...source }, wanted)
    const report = new BlameReport(call, repository, options, table, path, source.from)
    const isPorcelain = options.has('porcelain') || options.has('line-porcelain')
    if (options.has('incremental')) await report.writeIncremental(ranges)
    else await (isPorcelain ? report.writePorcelain(joined(ranges)) : report.writeTable(joined(ranges)))
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

const scores = { move: 20, copy: 40 }

function movedOptions(options: Options): MovedOptions | undefined {
  const depth = options.count('C')
  if (depth === 0 && !options.has('M')) return undefined
  // As in git, 0 and what is no number is the default.
  const score = (key: string, usual: number): number => Number(/^\d+$/.exec(options.values(key).at(-1) ?? '')?.[0]) || usual
  const copies = (['none', 'changed', 'all-if-new'] as const)[depth] ?? 'all'
  return { moveScore: score('M', scores.move), copies, copyScore: score('C', scores.copy) }
}

interface Source {
  readonly bytes: Uint8Array
  /** The commit that holds the bytes. If they are not committed: HEAD, and during a merge the other heads. */
  readonly heads: readonly ObjectId[]
  readonly isCommitted: boolean
  readonly excluded: ReadonlySet<ObjectId>
  /** Where the bytes are from, if they are not committed. */
  readonly from: string
}

/** Of several revisions at most one is without `^`; without such a one, the file is that of the work tree. */
async function readSource(
  call: GitCall,
  repository: Repository,
  path: string,
  { revisions, contents }: { readonly revisions: readonly string[]; readonly contents: string | undefined },
): Promise<Source> {
  const [starts, ends]: [string[], string[]] = [[], []]
  for (const revision of revisions) {
    const [, from, to] = /^(.*?)\.\.(?!\.)(.*)$/.exec(revision) ?? []
    if (from !== undefined) starts.push(from || 'HEAD')
    if (revision.startsWith('^')) starts.push(revision.slice(1))
    else ends.push(from === undefined ? revision : to || 'HEAD')
  }
  const [end, other] = ends
  if (other !== undefined) throw fatal(`More than one commit to dig from ${other} and ${end}?`)
  if (end !== undefined && contents !== undefined) throw fatal('cannot use --contents with final commit object name')
  const source =
    end === undefined ? await readUncommitted(call, repository, path, contents) : await readCommitted(repository, path, end)
  return { ...source, excluded: await edgeOf(repository, starts, source.heads) }
}

async function readUncommitted(
  call: GitCall,
  repository: Repository,
  path: string,
  contents: string | undefined,
): Promise<Omit<Source, 'excluded'>> {
  const { oid: head } = await repository.head()
  if (head === undefined) throw fatal(`no such ref: HEAD`)
  const committed = await findInTree(repository, await repository.treeOf(head), path)
  const merged = ((await repository.readState('MERGE_HEAD')) ?? '').split('\n').filter(Boolean)
  const heads = [head, ...merged]
  const index = await repository.readIndex()
  if ((committed === undefined || committed.mode === modes.tree) && !index.has(path))
    throw fatal(`no such path '${path}' in HEAD`)
  const tree = await repository.workTree()
  if (contents !== undefined) {
    const given = contents === '-' ? encodeText(await call.input()) : await readGiven(repository, contents)
    const { bytes } = await tree.convertForRepository(path, given, index)
    return { bytes, heads, isCommitted: false, from: contents === '-' ? 'standard input' : contents }
  }
  const stat = await tree.lstat(path)
  if (stat === undefined) throw fatal(`Cannot lstat '${path}': No such file or directory`)
  const content = await tree.readForRepository(path, stat, index)
  return { bytes: content?.bytes ?? new Uint8Array(), heads, isCommitted: false, from: path }
}

async function readGiven({ files, environment }: Repository, name: string): Promise<Uint8Array> {
  const bytes = await files.read(name.startsWith('/') ? name : `${environment.cwd}/${name}`)
  if (bytes === undefined) throw fatal(`Cannot stat '${name}': No such file or directory`)
  return bytes
}

async function readCommitted(repository: Repository, path: string, revision: string): Promise<Omit<Source, 'excluded'>> {
  const head = await needCommit(repository, revision)
  const entry = await findInTree(repository, await repository.treeOf(head), path)
  if (entry === undefined || entry.mode === modes.tree) throw fatal(`no such path ${path} in ${revision}`)
  return { bytes: await repository.objects.readBlob(entry.oid), heads: [head], isCommitted: true, from: path }
}

/** The excluded commits at which the search ends. */
async function edgeOf(
  repository: Repository,
  starts: readonly string[],
  heads: readonly ObjectId[],
): Promise<ReadonlySet<ObjectId>> {
  const excluded = new Set<ObjectId>()
  if (starts.length === 0) return excluded
  const from = await Promise.all(starts.map(start => needCommit(repository, start)))
  const inside = new Set(await commitRange(repository, from, heads))
  for (const head of heads) if (!inside.has(head)) excluded.add(head)
  for (const oid of inside) for (const parent of await parentsOf(repository, oid)) if (!inside.has(parent)) excluded.add(parent)
  return excluded
}
