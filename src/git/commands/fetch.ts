// `git fetch` and `git pull`.

import type { GitCall } from '../call.ts'
import { boolOf } from '../store/config.ts'
import { failure, fatal, GitFailure } from '../errors.ts'
import { refuseConflicts } from '../merge/outcome.ts'
import { fetchFrom, type FetchOptions, type FetchResult } from '../network/fetcher.ts'
import { allRemotes, defaultRemote, findRemote, membersOf, namedRemotes, type RemoteConfig } from '../network/remotes.ts'
import { mapped, parseRefSpec, type RefSpec } from '../network/ref-spec.ts'
import type { Depth } from '../network/remote.ts'
import { type OptionRow, Options, parseOptions } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import { forkPoint } from '../revs/fork-point.ts'
import { isAncestor } from '../revs/merge-base.ts'
import { upstreamOf } from '../revs/revision.ts'
import type { GitCommand } from './command.ts'
import { merge } from './merge.ts'
import { keepUpstream } from './upstream.ts'

const fetchRows: readonly OptionRow[] = [
  { names: ['all'] },
  { names: ['multiple'] },
  { names: ['a', 'append'] },
  { names: ['f', 'force'] },
  { names: ['t', 'tags'] },
  { names: ['p', 'prune'] },
  { names: ['P', 'prune-tags'], refuses: 'it is not built into this git; use git tag -d' },
  { names: ['atomic'] },
  { names: ['set-upstream'] },
  { names: ['u', 'update-head-ok'] },
  { names: ['write-fetch-head'] },
  { names: ['refmap'], argument: { name: 'refmap' }, values: [''] },
  { names: ['stdin'], refuses: 'it is not built into this git; name the references' },
  { names: ['negotiate-only'], refuses: 'it is not built into this git' },
  { names: ['k', 'keep'], isIgnored: true },
  {
    names: ['auto-gc', 'auto-maintenance', 'show-forced-updates', 'write-commit-graph', '4', '6', 'ipv4', 'ipv6'],
    isIgnored: true,
  },
  { names: ['depth'], argument: { name: 'depth' } },
  { names: ['deepen'], argument: { name: 'n' } },
  { names: ['unshallow'] },
  { names: ['filter'], argument: { name: 'args' }, refuses: 'fetching without some objects is not built into this git' },
  {
    names: ['shallow-since'],
    argument: { name: 'time' },
    refuses: 'a history cut by time is not built into this git; use --depth',
  },
  { names: ['j', 'jobs'], argument: { name: 'n' }, isIgnored: true },
  { names: ['progress'], isIgnored: true },
  { names: ['v', 'verbose'] },
  { names: ['q', 'quiet'] },
  { names: ['dry-run'] },
  { names: ['recurse-submodules'], argument: { name: 'on-demand', isOptional: true }, isIgnored: true },
]
const noDepth = 0x7fffffff

export const fetch: GitCommand = {
  name: 'fetch',
  summary: 'Download objects and refs from another repository',
  options: {
    rows: [...fetchRows, { names: ['n'] }],
    usage: 'git fetch [<options>] [<repository> [<refspec>...]]\n   or: git fetch --all [<options>]',
  },
  async run(call, options, args) {
    const repository = await call.repository()
    const action = ['fetch', ...args].join(' ')
    const [first, ...given] = options.all
    if (options.has('all') && first !== undefined) throw fatal('fetch --all does not take a repository argument')
    const all = options.has('all') ? allRemotes(repository) : []
    if (options.has('all') && all.length !== 1) return fetchSeveral(call, repository, all, options)
    if (options.has('multiple')) return fetchSeveral(call, repository, namedRemotes(repository, options.all), options)
    const group = first === undefined ? [] : membersOf(repository, first)
    if (group.length > 1 && given.length > 0) throw fatal('fetching a group and specifying refspecs does not make sense')
    if (group.length > 1) return fetchSeveral(call, repository, group, options)
    const name = first ?? all[0] ?? (await defaultRemote(repository))
    await emptyFetchHead(repository, options)
    if (name === undefined) return 0
    const remote = findRemote(repository, name)
    const { hasRefusal, fetched } = await fetchBy(call, repository, remote, given, { options, action })
    const { branch } = await repository.head()
    const [merged] = fetched.filter(ref => ref.isMerged)
    if (options.has('set-upstream') && branch !== undefined && merged !== undefined) {
      const changes = new Changes()
      await keepUpstream(repository, changes, branch.replace('refs/heads/', ''), { remote: name, merges: [merged.name] })
      await repository.commit(changes)
    }
    return hasRefusal ? 1 : 0
  },
}

/** Fetches from one remote after the other, also behind one that fails. */
export async function fetchSeveral(
  call: GitCall,
  repository: Repository,
  names: readonly string[],
  options: Options,
): Promise<number> {
  await emptyFetchHead(repository, options)
  const flag = (key: string): readonly string[] =>
    options.has(key) ? [`--${key}`] : options.isNegated(key) ? [`--no-${key}`] : []
  const quiet = options.has('quiet') ? ['-q'] : options.has('verbose') ? ['-v'] : []
  // As the logs of references name the command.
  const words = [
    '--append',
    '--no-auto-gc',
    '--no-write-commit-graph',
    ...flag('prune'),
    ...flag('force'),
    ...flag('tags'),
    ...quiet,
  ]
  let exitCode = 0
  for (const name of names) {
    if (!options.has('quiet')) await call.print(`Fetching ${name}`)
    try {
      const action = ['fetch', ...words, name].join(' ')
      const result = await fetchBy(call, repository, findRemote(repository, name), [], { options, action })
      if (result.hasRefusal) exitCode = 1
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error
      await call.warn(`${error.message}\nerror: could not fetch ${name}`)
      exitCode = 1
    }
  }
  return exitCode
}

/** A fetch begins with an empty `FETCH_HEAD`, and leaves it so if it fails. */
async function emptyFetchHead(repository: Repository, options: Options): Promise<void> {
  if (options.has('append') || !writesFetchHead(options)) return
  const changes = new Changes()
  repository.writeState(changes, 'FETCH_HEAD', '')
  await repository.commit(changes)
}

function writesFetchHead(options: Options): boolean {
  return !options.has('dry-run') && !options.isNegated('write-fetch-head')
}

/** Two words `tag NAME` are one reference. */
function givenSpecs(words: readonly string[]): readonly RefSpec[] {
  const specs: RefSpec[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const tag = word === 'tag' ? words[++at] : undefined
    if (word === 'tag' && tag === undefined) throw fatal('you need to specify a tag name')
    specs.push(parseRefSpec(tag === undefined ? word : `refs/tags/${tag}:refs/tags/${tag}`))
  }
  return specs
}

async function fetchBy(
  call: GitCall,
  repository: Repository,
  remote: RemoteConfig,
  given: readonly string[],
  { options, action }: { readonly options: Options; readonly action: string },
): Promise<FetchResult> {
  const depth = await depthOf(repository, options)
  // A shallow history is cut where its new objects come, before anything else changes.
  if (options.has('dry-run') && depth !== undefined)
    throw failure('--dry-run: it is not built into this git together with --depth, --deepen and --unshallow; leave one out', 129)
  const config = repository.config()
  const { branch } = await repository.head()
  const short = branch?.replace(/^refs\/heads\//, '') ?? ''
  const isOwn = remote.name !== undefined && config.get(`branch.${short}.remote`) === remote.name
  const mergedName = isOwn ? config.get(`branch.${short}.merge`) : undefined
  const own = `remote.${remote.name ?? ''}`
  const tagOption = remote.name === undefined ? undefined : config.get(`${own}.tagopt`)
  const prunes =
    options.has('prune') || (!options.isNegated('prune') && config.bool(`${own}.prune`, config.bool('fetch.prune', false)))
  if (prunes && config.bool(`${own}.prunetags`, config.bool('fetch.prunetags', false)))
    throw failure('fetch.pruneTags: it is not built into this git; run with -c fetch.pruneTags=false to leave it out', 129)
  const specs = given.length > 0 ? givenSpecs(given) : remote.fetchSpecs.length > 0 ? remote.fetchSpecs : [parseRefSpec('HEAD')]
  const chosen: FetchOptions = {
    specs,
    prunes,
    tags: options.has('tags')
      ? 'all'
      : options.isNegated('tags') || options.has('n')
        ? 'none'
        : tagOption === '--tags'
          ? 'all'
          : tagOption === '--no-tags'
            ? 'none'
            : // Tags follow what is stored under a name.
              specs.some(({ to }) => to !== '')
              ? 'followed'
              : 'none',
    mergedName: given.length > 0 ? undefined : mergedName,
    depth,
    isForced: options.has('force'),
    action,
    isQuiet: options.has('quiet'),
    isDry: options.has('dry-run'),
    isGiven: given.length > 0,
    isAtomic: options.has('atomic'),
    tracks: options.value('refmap') !== '',
    writesFetchHead: writesFetchHead(options),
    updatesHead: options.has('update-head-ok'),
  }
  return fetchFrom(call, repository, remote, chosen)
}

async function depthOf(repository: Repository, options: Options): Promise<Depth | undefined> {
  const [depth, deepen = 0] = [options.number('depth'), options.number('deepen')]
  if (deepen < 0) throw fatal('negative depth in --deepen is not supported')
  if (deepen > 0 && depth !== undefined) throw fatal("options '--deepen' and '--depth' cannot be used together")
  const commits = deepen > 0 ? deepen : depth
  if (!options.has('unshallow')) {
    if (commits !== undefined && commits < 1) throw fatal(`depth ${commits} is not a positive number`)
    return commits === undefined ? undefined : { commits, isRelative: deepen > 0 }
  }
  if (commits !== undefined) throw fatal("options '--depth' and '--unshallow' cannot be used together")
  if ((await repository.shallowCommits()).size === 0) throw fatal('--unshallow on a complete repository does not make sense')
  return { commits: noDepth, isRelative: false }
}

export const pull: GitCommand = {
  name: 'pull',
  summary: 'Fetch from and integrate with another repository or a local branch',
  options: {
    rows: [
      ...merge.options.rows.filter(row => !fetchRows.some(other => other.names.some(name => row.names.includes(name)))),
      ...fetchRows,
      { names: ['r', 'rebase'], argument: { name: 'mode', isOptional: true } },
    ],
    usage: 'git pull [<options>] [<repository> [<refspec>...]]',
  },
  async run(call, options, args) {
    const repository = await call.repository()
    await refuseConflicts(call, await repository.readIndex(), 'Pulling')
    if ((await repository.refs.idOf('MERGE_HEAD')) !== undefined)
      throw new GitFailure(
        'error: You have not concluded your merge (MERGE_HEAD exists).\nhint: Please, commit your changes before merging.\nfatal: Exiting because of unfinished merge.',
        128,
      )
    if (options.has('all') && allRemotes(repository).length > 1)
      throw failure('--all: it is not built into pull of this git; run git fetch --all first', 129)
    const [asked, ...words] = options.all
    const name = asked ?? (await defaultRemote(repository))
    const remote = findRemote(repository, name ?? '')
    const { branch, oid: head } = await repository.head()
    const short = branch?.replace(/^refs\/heads\//, '')
    // A destination that is checked out moves with its files, when the pull has merged.
    const isOwn = (word: string): boolean => {
      const { to, isForced } = parseRefSpec(word)
      return to !== '' && !isForced && (to === short || to === branch)
    }
    const given = words.map(word => (isOwn(word) ? parseRefSpec(word).from : word))
    const config = repository.config()
    const upstream = short === undefined ? undefined : config.get(`branch.${short}.merge`)
    // Nothing is configured for an address without a name. The branch that is checked out there is fetched.
    const isBareAddress = remote.name === undefined
    const isRebase = options.has('rebase')
      ? options.value('rebase') !== 'false'
      : !options.isNegated('rebase') && pullRebases(repository, short)
    if (isRebase && head !== undefined) {
      const { refuseDirty, stashesAside } = await import('./rebase.ts')
      if (!stashesAside(repository, options)) await refuseDirty(call, repository, head, 'pull with rebase')
    }
    const own = short === undefined ? undefined : config.get(`branch.${short}.remote`)
    const isOther = asked !== undefined && asked !== own
    const hasNone = given.length === 0 && !isBareAddress && (upstream === undefined || isOther)
    const action = ['pull', ...args].join(' ')
    const followed = isRebase && branch !== undefined ? trackedBy(repository, remote, given[0], branch) : undefined
    const fork = followed === undefined || head === undefined ? undefined : await forkPoint(repository, followed, head)
    await emptyFetchHead(repository, options)
    const result = name === undefined ? undefined : await ofPull(fetchBy(call, repository, remote, given, { options, action }))
    if (result?.hasRefusal === true) return 1
    if (options.has('dry-run')) return 0
    if (result === undefined || hasNone)
      throw new GitFailure(noCandidate(repository, { branch: short, other: isOther ? asked : undefined, isRebase }), 1)
    const wanted = given.length > 0 ? given.map(text => parseRefSpec(text).from) : [isBareAddress ? 'HEAD' : (upstream ?? '')]
    const [word = '', ...more] = wanted
    if (more.length > 0 && isRebase) throw fatal('Cannot rebase onto multiple branches.')
    const { refs } = result.advertised
    const full = [word, `refs/heads/${word}`, `refs/tags/${word}`].find(candidate => refs.has(candidate))
    const oid = full === undefined ? undefined : refs.get(full)
    if (full === undefined || oid === undefined)
      throw given.length > 0
        ? fatal(`couldn't find remote ref ${word}`)
        : new GitFailure(
            `Your configuration specifies to merge with the ref '${word}'\nfrom the remote, but no such ref was fetched.`,
            1,
          )
    const quiet = options.has('quiet') ? ['--quiet'] : []
    const isBehind = head !== undefined && (await isAncestor(repository, head, oid))
    if (words.some(isOwn) && head !== undefined && !isBehind)
      throw new GitFailure(` ! [rejected]        ${word} -> ${short ?? ''}  (non-fast-forward)`, 1)
    if (isRebase && head !== undefined && !isBehind) {
      const { rebase, rebaseAs, stashesAside } = await import('./rebase.ts')
      const aside = [stashesAside(repository, options) ? '--autostash' : '--no-autostash']
      // What the remote has dropped since is not replayed.
      const start = fork === undefined || (await isAncestor(repository, fork, oid)) ? oid : fork
      return rebaseAs(call, parseOptions(rebase.options, [...quiet, ...aside, '--onto', oid, start]), action)
    }
    const chosen = isRebase ? withForwarding(options, 'only') : withForwarding(options, forwarding(repository, options))
    if (!isRebase) await refuseDivergence(repository, chosen, { head, oid })
    const { Merger } = await import('../merge/merger.ts')
    return new Merger(call, repository, chosen, action).run(['FETCH_HEAD'])
  },
}

/** The reference here that follows what a pull takes. */
function trackedBy(repository: Repository, remote: RemoteConfig, word: string | undefined, branch: string): string | undefined {
  if (word === undefined) return upstreamOf(repository, branch)
  const { from } = parseRefSpec(word)
  const name = from.startsWith('refs/') ? from : `refs/heads/${from}`
  return remote.fetchSpecs.map(spec => mapped(spec, name)).find(to => to !== undefined && to !== '')
}

/** A pull that cannot fetch ends with 1. */
async function ofPull(fetched: Promise<FetchResult>): Promise<FetchResult> {
  try {
    return await fetched
  } catch (error) {
    throw error instanceof GitFailure ? new GitFailure(error.message, 1) : error
  }
}

function pullRebases(repository: Repository, branch: string | undefined): boolean {
  const config = repository.config()
  const own = branch === undefined ? undefined : config.get(`branch.${branch}.rebase`)
  const name = own === undefined ? 'pull.rebase' : `branch.${branch ?? ''}.rebase`
  const setting = own ?? config.get('pull.rebase') ?? 'false'
  const meant = boolOf(setting)
  if (meant !== undefined) return meant
  if (/^(?:m|merges|i|interactive)$/.test(setting))
    throw failure(`${name}=${setting}: it is not built into this git; run with --rebase or --no-rebase`, 129)
  throw fatal(`invalid value for '${name}': '${setting}'`)
}

/** `pull.ff`, unless an option says otherwise. */
function forwarding(repository: Repository, options: Options): string | undefined {
  const config = repository.config()
  const isSaid = options.given.some(({ key }) => ['ff', 'ff-only', 'rebase'].includes(key))
  const setting = isSaid ? undefined : config.get('pull.ff')
  return setting === undefined || setting === 'only' ? setting : String(boolOf(setting) ?? true)
}

function withForwarding(options: Options, setting: string | undefined): Options {
  if (setting === undefined) return options
  const added = { key: setting === 'only' ? 'ff-only' : 'ff', value: undefined, isNegated: setting === 'false' }
  return new Options([...options.given, added], options.words, options.paths)
}

/** Diverged histories are only combined if the user has said how. */
async function refuseDivergence(
  repository: Repository,
  options: Options,
  { head, oid }: { readonly head: string | undefined; readonly oid: string },
): Promise<void> {
  const config = repository.config()
  const isSaid =
    options.given.some(({ key }) => ['ff', 'ff-only', 'rebase', 'squash', 'commit'].includes(key)) || config.has('pull.rebase')
  const isOnly = options.has('ff-only')
  if (head === undefined || (isSaid && !isOnly)) return
  if ((await isAncestor(repository, head, oid)) || (await isAncestor(repository, oid, head))) return
  if (isOnly) throw fatal('Not possible to fast-forward, aborting.')
  throw new GitFailure(
    'hint: You have divergent branches and need to specify how to reconcile them.\nhint: You can do so by running one of the following commands sometime before\n' +
      'hint: your next pull:\nhint: \nhint:   git config pull.rebase false  # merge\nhint:   git config pull.rebase true   # rebase\n' +
      'hint:   git config pull.ff only       # fast-forward only\nfatal: Need to specify how to reconcile divergent branches.',
    128,
  )
}

/** Why a pull has nothing to combine with. `other`: the remote that was named, and is not that of the branch. */
function noCandidate(
  repository: Repository,
  {
    branch,
    other,
    isRebase,
  }: { readonly branch: string | undefined; readonly other: string | undefined; readonly isRebase: boolean },
): string {
  const details = `Please specify which branch you want to ${isRebase ? 'rebase against' : 'merge with'}.\nSee git-pull(1) for details.\n\n    git pull <remote> <branch>\n`
  if (branch === undefined) return `You are not currently on a branch.\n${details}`
  if (other !== undefined)
    return `You asked to pull from the remote '${other}', but did not specify\na branch. Because this is not the default configured remote\nfor your current branch, you must specify a branch on the command line.`
  const [only = '<remote>', ...more] = repository.config().subsections('remote')
  return (
    `There is no tracking information for the current branch.\n${details}\nIf you wish to set tracking information for this branch you can do so with:\n\n` +
    `    git branch --set-upstream-to=${more.length > 0 ? '<remote>' : only}/<branch> ${branch}\n`
  )
}
