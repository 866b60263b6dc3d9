// The options of all commands that walk commits, as rows, and the walk that they describe.

import { fatal } from '../errors.ts'
import type { OptionRow, Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { Decorations } from '../revs/decorations.ts'
import { peel } from '../revs/revision.ts'
import { type NamedRevision, readRefOptions, type RevisionArguments } from '../revs/revision-arguments.ts'
import { CommitWalk, type WalkedCommit, type WalkOptions } from '../revs/walk.ts'
import type { ObjectId } from '../store/object-format.ts'
import { parsePathspec } from '../work/pathspec.ts'
import type { TextFilterOptions } from './text-filter.ts'

const required = (name: string): { readonly name: string } => ({ name })
const optional = (name: string): { readonly name: string; readonly isOptional: true } => ({ name, isOptional: true })

export const revisionOptionRows: readonly OptionRow[] = [
  { names: ['n', 'max-count'], argument: required('number'), key: 'max-count' },
  { names: ['skip'], argument: required('number') },
  { names: ['since', 'after'], argument: required('date'), key: 'since' },
  { names: ['since-as-filter'], argument: required('date') },
  { names: ['until', 'before'], argument: required('date'), key: 'until' },
  { names: ['max-age'], argument: required('timestamp') },
  { names: ['min-age'], argument: required('timestamp') },
  { names: ['author'], argument: required('pattern') },
  { names: ['committer'], argument: required('pattern') },
  { names: ['grep'], argument: required('pattern') },
  { names: ['grep-reflog'], argument: required('pattern') },
  { names: ['all-match'], isNegatable: false },
  { names: ['invert-grep'], isNegatable: false },
  { names: ['i', 'regexp-ignore-case'], key: 'ignore-case', isNegatable: false },
  { names: ['basic-regexp'], key: 'pattern-kind', value: 'basic', isNegatable: false },
  { names: ['E', 'extended-regexp'], key: 'pattern-kind', value: 'extended', isNegatable: false },
  { names: ['F', 'fixed-strings'], key: 'pattern-kind', value: 'fixed', isNegatable: false },
  { names: ['P', 'perl-regexp'], key: 'pattern-kind', value: 'perl', isNegatable: false },
  { names: ['merges'], key: 'min-parents', value: '2', isNegatable: false },
  { names: ['no-merges'], key: 'max-parents', value: '1', isNegatable: false },
  { names: ['min-parents'], argument: required('number') },
  { names: ['max-parents'], argument: required('number') },
  { names: ['first-parent'], isNegatable: false },
  { names: ['all'], isNegatable: false },
  { names: ['branches'], argument: optional('pattern'), isNegatable: false },
  { names: ['tags'], argument: optional('pattern'), isNegatable: false },
  { names: ['remotes'], argument: optional('pattern'), isNegatable: false },
  { names: ['glob'], argument: required('pattern'), isNegatable: false },
  { names: ['exclude'], argument: required('pattern'), isNegatable: false },
  { names: ['not'], isWord: true, isNegatable: false },
  { names: ['reverse'], isNegatable: false },
  { names: ['topo-order'], key: 'order', value: 'topological', isNegatable: false },
  { names: ['date-order'], key: 'order', value: 'date-order', isNegatable: false },
  { names: ['author-date-order'], key: 'order', value: 'author-date', isNegatable: false },
  { names: ['full-history'], isNegatable: false },
  { names: ['simplify-merges'], isNegatable: false },
  { names: ['dense'], key: 'history', value: 'dense', isNegatable: false },
  { names: ['sparse'], key: 'history', value: 'sparse', isNegatable: false },
  { names: ['simplify-by-decoration'], isNegatable: false },
  { names: ['ancestry-path'], argument: optional('commit'), isNegatable: false },
  { names: ['boundary'], isNegatable: false },
  { names: ['left-right'], isNegatable: false },
  { names: ['left-only'], isNegatable: false },
  { names: ['right-only'], isNegatable: false },
  { names: ['cherry-pick'], key: 'twins', value: 'leave-out', isNegatable: false },
  { names: ['cherry-mark'], key: 'twins', value: 'tell', isNegatable: false },
  { names: ['cherry'], isNegatable: false },
  { names: ['parents'], isNegatable: false },
  { names: ['children'], isNegatable: false },
  { names: ['no-walk'], argument: optional('order'), values: ['sorted', 'unsorted'], isNegatable: false },
  { names: ['do-walk'], isNegatable: false },
  { names: ['remove-empty'], refuses: 'ending where a path is gone is not built into this git', isNegatable: false },
  { names: ['ignore-missing'], isNegatable: false },
  { names: ['stdin'], isNegatable: false },
]

export interface LimitedWalk {
  readonly commits: AsyncIterable<WalkedCommit>
  /** Whether anything was named; otherwise HEAD is the default. */
  readonly hasRevisions: boolean
}

export interface LimitOptions extends TextFilterOptions {
  /** Says when enough commits were shown, where `--max-count` does not count all of them. */
  readonly isFull?: () => boolean
  /** Use the order of a graph. */
  readonly isGraph?: boolean
  readonly defaultsToHead: boolean
  readonly follow?: boolean
  /** What becomes of the walked commits before they are counted. Each must come before its parents. */
  readonly through?: ((commits: AsyncIterable<WalkedCommit>) => AsyncIterable<WalkedCommit>) | undefined
  /** Ends with the excluded parents of the commits in the range. */
  readonly listsEdge?: boolean
  /** Each commit has the name by which it was reached. */
  readonly needsSources?: boolean
  /** The names that `--simplify-by-decoration` counts; without them all references. */
  readonly decorations?: Decorations
  /** Follows all parents of merges, also where one has the wanted files as they are. */
  readonly showsMerges?: boolean
}

/** The commits that options and revisions select, in order, filtered and counted. */
export async function limitedWalk(
  repository: Repository,
  options: Options,
  args: RevisionArguments,
  limits: LimitOptions,
): Promise<LimitedWalk> {
  if (options.has('children') && ['parents', 'graph', 'simplify-merges', 'simplify-by-decoration'].some(key => options.has(key)))
    throw fatal("options '--parents' and '--children' cannot be used together")
  if (options.has('left-only') && options.has('right-only'))
    throw fatal("options '--left-only' and '--right-only' cannot be used together")
  if (new Set(options.values('twins')).size > 1)
    throw fatal("options '--cherry-mark' and '--cherry-pick' cannot be used together")
  const named: NamedRevision[] = [...args.revisions, ...(await readRefOptions(repository, options))]
  // A name that leads nowhere is a name.
  const hasRevisions = named.length > 0 || asksForRefs(options) || (options.has('ignore-missing') && options.words.length > 0)
  if (!hasRevisions && limits.defaultsToHead) {
    const { branch, oid } = await repository.head()
    if (oid === undefined)
      throw fatal(`your current branch '${(branch ?? '').replace('refs/heads/', '')}' does not have any commits yet`)
    named.push({ oid, text: 'HEAD', isExcluded: false })
  }
  const sources = new Map<ObjectId, string>()
  const include: ObjectId[] = []
  const exclude: ObjectId[] = []
  for (const { oid, text, isExcluded } of named) {
    const commit = await peel(repository, oid, 'commit')
    if (commit === undefined) {
      if (isExcluded) continue
      const object = await repository.objects.read(oid)
      if (object === undefined) throw fatal(`bad object ${text}`)
      continue
    }
    const list = isExcluded ? exclude : include
    if (!list.includes(commit)) list.push(commit)
    if (!isExcluded && !sources.has(commit)) sources.set(commit, text)
  }
  const throughWords = options.values('ancestry-path')
  const through =
    throughWords.length === 0 ? [] : await (await import('../revs/rare-walks.ts')).throughCommits(repository, throughWords)
  if (options.has('ancestry-path') && through.length === 0 && exclude.length === 0)
    throw fatal('--ancestry-path given but there are no bottom commits')
  const isByDecoration = options.has('simplify-by-decoration')
  const decorations = limits.decorations ?? new Decorations(repository, { wanted: [], unwanted: [], showsAll: true })
  const simplifiesMerges = isByDecoration || options.has('simplify-merges')
  const twins = options.has('cherry') ? 'tell' : options.value('twins')
  const now = Math.floor(repository.environment.clock() / 1000)
  const pathspec = parsePathspec(repository, args.paths)
  const order = options.value('order')
  const isWanted = await commitFilter(repository, options, limits)
  const walkOptions: WalkOptions = {
    include,
    exclude,
    ...(args.symmetric === undefined ? {} : { left: new Set([args.symmetric.left]) }),
    order:
      order === 'author-date'
        ? 'author-date'
        : order === 'date-order'
          ? 'parents-last'
          : order === 'topological' || limits.isGraph || simplifiesMerges || limits.through !== undefined
            ? 'topological'
            : 'date',
    firstParent: options.has('first-parent'),
    isWanted: pathspec.isEmpty || limits.follow ? undefined : pathspec.filter,
    fullHistory: options.has('full-history') || simplifiesMerges || limits.showsMerges === true,
    rewritesParents: limits.isGraph === true || options.has('parents') || options.has('children'),
    hidesParents: limits.isGraph === true,
    listsChildren: options.has('children'),
    isShown: isWanted,
    sources: options.has('source') || limits.needsSources ? sources : undefined,
    ancestryPath: options.has('ancestry-path') ? { bottoms: exclude, through } : undefined,
    simplifiesMerges,
    decorated: isByDecoration ? await decorations.commits() : undefined,
    isSparse: options.value('history') === 'sparse',
    twins: twins === 'tell' || twins === 'leave-out' ? twins : undefined,
    noWalk: isNoWalk(options) && exclude.length === 0,
    sortsGiven: options.value('no-walk') !== 'unsorted',
    ...(await timeLimits(options, now)),
    boundary: options.has('boundary'),
    listsEdge: limits.listsEdge,
    signal: repository.environment.signal,
  }
  const walk = new CommitWalk(repository, walkOptions)
  const isFull = options.has('reverse') ? undefined : limits.isFull
  return { commits: counted(walk, limits.through?.(walk) ?? walk, options, { isWanted, isFull }), hasRevisions }
}

/** Whether an option names references, even if there are none. */
export function asksForRefs(options: Options): boolean {
  return options.given.some(({ key }) => ['all', 'branches', 'tags', 'remotes', 'glob'].includes(key))
}

/** Of `--no-walk` and `--do-walk` the last counts. */
function isNoWalk(options: Options): boolean {
  return options.given.findLast(({ key }) => key === 'no-walk' || key === 'do-walk')?.key === 'no-walk'
}

interface TimeLimits {
  readonly newest: number | undefined
  readonly oldest: number | undefined
  /** Older commits are left out, and the walk goes on behind them. */
  readonly oldestShown: number | undefined
}

/** The times that `--since`, `--until` and their raw forms name. */
export async function timeLimits(options: Options, now: number): Promise<TimeLimits> {
  const timeOf = async (key: string, rawKey: string): Promise<number | undefined> => {
    const raw = options.value(rawKey)
    if (raw !== undefined) return Number(raw)
    const text = options.value(key)
    return text === undefined ? undefined : (await import('../revs/read-date.ts')).approximateDate(text, now)
  }
  return {
    newest: await timeOf('until', 'min-age'),
    oldest: await timeOf('since', 'max-age'),
    oldestShown: await timeOf('since-as-filter', ''),
  }
}

/** The number that a text begins with, or 0, as git reads it. */
function countOf(options: Options, key: string): number | undefined {
  const text = options.value(key)
  return text === undefined ? undefined : Number.parseInt(text, 10) || 0
}

async function* counted(
  walk: CommitWalk,
  commits: AsyncIterable<WalkedCommit>,
  options: Options,
  { isWanted, isFull }: { readonly isWanted: (commit: WalkedCommit) => boolean; readonly isFull: (() => boolean) | undefined },
): AsyncGenerator<WalkedCommit> {
  const max = isFull === undefined ? (countOf(options, 'max-count') ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY
  let skip = countOf(options, 'skip') ?? 0
  const inside = async function* (): AsyncGenerator<WalkedCommit> {
    let count = 0
    if (max === 0 || isFull?.() === true) return
    for await (const commit of commits) {
      if (!commit.isBoundary && !isWanted(commit)) continue
      if (skip > 0) {
        skip--
        continue
      }
      yield commit
      if ((++count >= max && max >= 0) || isFull?.() === true) return
    }
  }
  const selected = async function* (): AsyncGenerator<WalkedCommit> {
    if (!options.has('boundary')) return yield* inside()
    const shown: WalkedCommit[] = []
    for await (const commit of inside()) {
      shown.push(commit)
      yield commit
    }
    yield* await walk.boundaryOf(shown)
  }
  if (!options.has('reverse')) {
    yield* selected()
    return
  }
  const all: WalkedCommit[] = []
  for await (const commit of selected()) all.push(commit)
  yield* all.reverse()
}

/** Whether a commit is among those that its parents, people and message select. */
export async function commitFilter(
  repository: Repository,
  options: Options,
  people: TextFilterOptions,
): Promise<(commit: WalkedCommit) => boolean> {
  if (options.has('grep-reflog') && !options.has('walk-reflogs'))
    throw fatal("the option '--grep-reflog' requires '--walk-reflogs'")
  const minimum = Number(options.value('min-parents') ?? 0)
  const isCherry = options.has('cherry')
  const maximum = options.isNegated('max-parents')
    ? Number.POSITIVE_INFINITY
    : Number(options.value('max-parents') ?? (isCherry ? 1 : Number.POSITIVE_INFINITY))
  const side = options.has('left-only') ? 'left' : options.has('right-only') || isCherry ? 'right' : undefined
  const hasText = ['author', 'committer', 'grep'].some(key => options.has(key))
  const matches = hasText ? await (await import('./text-filter.ts')).textFilter(repository, options, people) : () => true
  return ({ oid, commit, side: own }) => {
    const { length } = commit.parents
    if (length < minimum || length > (maximum < 0 ? Number.POSITIVE_INFINITY : maximum)) return false
    return (side === undefined || own === side) && matches(oid, commit)
  }
}
