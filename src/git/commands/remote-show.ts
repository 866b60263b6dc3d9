// The subcommands of `git remote` that ask the server, loaded together.

import type { GitCall } from '../call.ts'
import { failure } from '../errors.ts'
import { openRemote } from '../network/remote.ts'
import { allRemotes, findRemote, membersOf, namedRemotes, type RemoteConfig } from '../network/remotes.ts'
import { mapped, parseRefSpec } from '../network/ref-spec.ts'
import { type Options, parseOptions } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import { isAncestor } from '../revs/merge-base.ts'
import { compareText, type ObjectId } from '../store/object-format.ts'
import { largest, pushAll } from '../../core/many.ts'

export { setRemoteHead } from './remote-head.ts'

/** The server's answer beside the local state. */
interface Compared {
  /** Branches of the server that a fetch would store, and where. */
  readonly fetched: readonly { readonly name: string; readonly to: string }[]
  /** References here whose counterpart on the server is gone. */
  readonly stale: readonly string[]
  readonly refs: ReadonlyMap<string, ObjectId>
  readonly heads: readonly string[]
}

function shortBranch(name: string): string {
  return name.replace(/^refs\/heads\//, '')
}

async function ask(call: GitCall, repository: Repository, remote: RemoteConfig): Promise<Compared> {
  const { refs, head } = await (await openRemote(call, remote.url, repository.baseDirectory)).advertised('git-upload-pack')
  const names = [...refs.keys()].filter(name => name !== 'HEAD' && !name.endsWith('^{}'))
  const fetched = remote.fetchSpecs.flatMap(spec =>
    names.flatMap(name => {
      const to = mapped(spec, name)
      return to === undefined ? [] : [{ name, to }]
    }),
  )
  const kept = new Set(fetched.map(({ to }) => to))
  const stale: string[] = []
  for (const { name } of await trackingRefs(repository, remote)) if (!kept.has(name)) stale.push(name)
  const tip = refs.get('HEAD')
  const same = names.filter(name => name.startsWith('refs/heads/') && refs.get(name) === tip)
  const heads = head !== undefined && refs.has(head) ? [head] : tip === undefined ? [] : same
  return { fetched, stale, refs, heads: heads.map(shortBranch) }
}

/** The references here that a fetch writes, with their names on the server. */
async function trackingRefs(
  repository: Repository,
  { fetchSpecs }: RemoteConfig,
): Promise<readonly { readonly name: string; readonly from: string }[]> {
  const found: { readonly name: string; readonly from: string }[] = []
  for (const { name } of await repository.refs.list()) {
    if ((await repository.refs.read(name))?.kind === 'symbolic') continue
    for (const { from, to, isForced } of fetchSpecs) {
      const source = to === '' ? undefined : mapped({ from: to, to: from, isForced }, name)
      if (source !== undefined) found.push({ name, from: source })
    }
  }
  return found
}

export async function showRemote(call: GitCall, repository: Repository, name: string, options: Options): Promise<void> {
  const remote = findRemote(repository, name)
  const config = repository.config()
  const isAsked = !options.has('no-query')
  const pushSpecs = config.all(`remote.${name}.push`)
  if (isAsked && pushSpecs.length > 0)
    throw failure(`remote show: comparing what remote.${name}.push names is not built into this git; use -n`, 129)
  const state = isAsked ? await ask(call, repository, remote) : undefined
  const urls = [config.all(`remote.${name}.pushurl`), config.all(`remote.${name}.url`), [remote.url]].find(
    list => list.length > 0,
  )
  const lines = [`* remote ${name}`, `  Fetch URL: ${remote.url}`, ...(urls ?? []).map(url => `  Push  URL: ${url}`)]
  const heads = state === undefined ? ['(not queried)'] : state.heads.length === 0 ? ['(unknown)'] : state.heads
  if (heads.length === 1) lines.push(`  HEAD branch: ${heads[0]}`)
  else
    lines.push(
      '  HEAD branch (remote HEAD is ambiguous, may be one of the following):',
      ...heads.toSorted().map(head => `    ${head}`),
    )
  pushAll(lines, await branchLines(repository, remote, state))
  pushAll(lines, pullLines(repository, name))
  pushAll(lines, state === undefined ? unaskedPushLines(pushSpecs) : await pushLines(repository, state.refs))
  await call.print(lines.join('\n'))
}

function titled(what: readonly [one: string, more: string], rows: readonly string[]): readonly string[] {
  return rows.length === 0 ? [] : [`  ${what[rows.length === 1 ? 0 : 1]}`, ...rows.map(row => `    ${row}`)]
}

function widest(texts: readonly string[]): number {
  return largest(texts.map(text => text.length))
}

async function branchLines(
  repository: Repository,
  remote: RemoteConfig,
  state: Compared | undefined,
): Promise<readonly string[]> {
  if (state === undefined) {
    const names = (await trackingRefs(repository, remote)).map(({ from }) => shortBranch(from))
    const note = ' (status not queried)'
    return titled([`Remote branch:${note}`, `Remote branches:${note}`], [...new Set(names)].sort(compareText))
  }
  const rows = new Map<string, string>()
  for (const { name, to } of state.fetched) {
    const isNew = to === '' || (await repository.refs.idOf(to)) === undefined
    rows.set(shortBranch(name), isNew ? `new (next fetch will store in remotes/${remote.name ?? remote.url})` : 'tracked')
  }
  for (const name of state.stale) rows.set(shortBranch(name), "stale (use 'git remote prune' to remove)")
  const names = [...rows.keys()].sort(compareText)
  const width = widest(names)
  return titled(
    ['Remote branch:', 'Remote branches:'],
    names.map(name => `${name.padEnd(width)} ${rows.get(name)}`),
  )
}

function pullLines(repository: Repository, remote: string): readonly string[] {
  const config = repository.config()
  const own = config
    .subsections('branch')
    .filter(name => config.get(`branch.${name}.remote`) === remote && config.has(`branch.${name}.merge`))
    .toSorted(compareText)
  const width = widest(own)
  const modeOf = (name: string): string => {
    const mode = config.get(`branch.${name}.rebase`) ?? 'false'
    if (/^(?:i|interactive)$/.test(mode)) return 'rebases interactively onto remote'
    if (/^(?:m|merges)$/.test(mode)) return 'rebases interactively (with merges) onto remote'
    return config.bool(`branch.${name}.rebase`, false) ? 'rebases onto remote' : ''
  }
  const isAnyRebased = own.some(name => modeOf(name) !== '')
  const rows = own.flatMap(name => {
    const [first = '', ...others] = config.all(`branch.${name}.merge`).map(shortBranch)
    const merges = isAnyRebased ? ' merges with remote' : 'merges with remote'
    const indent = ' '.repeat(width + (isAnyRebased ? 1 : 0))
    const mode = modeOf(name)
    return [
      `${name.padEnd(width)} ${mode === '' ? merges : mode} ${first}`,
      ...(mode === '' ? others.map(other => `${indent}    and with remote ${other}`) : []),
    ]
  })
  const title = own.length === 1 ? 'branch' : 'branches'
  return titled([`Local ${title} configured for 'git pull':`, `Local ${title} configured for 'git pull':`], rows)
}

function unaskedPushLines(specs: readonly string[]): readonly string[] {
  const note = ' (status not queried)'
  const rows = (specs.length === 0 ? [':'] : specs).map(text => {
    const { from, to, isForced } = parseRefSpec(text)
    const source = from !== '' ? from : to === '' ? '(matching)' : '(delete)'
    return { source, target: to === '' ? source : to, verb: isForced ? 'forces to' : 'pushes to' }
  })
  const width = widest(rows.map(({ source }) => source))
  return titled(
    [`Local ref configured for 'git push'${note}:`, `Local refs configured for 'git push'${note}:`],
    rows
      .toSorted((a, b) => compareText(a.source, b.source) || compareText(a.target, b.target))
      .map(({ source, target, verb }) => `${source.padEnd(width)} ${verb} ${target}`),
  )
}

/** Branches that are on both sides under one name. */
async function pushLines(repository: Repository, refs: ReadonlyMap<string, ObjectId>): Promise<readonly string[]> {
  const rows: { readonly name: string; readonly state: string }[] = []
  for (const { name, oid } of await repository.refs.list('refs/heads/')) {
    const there = refs.get(name)
    if (there === undefined) continue
    const isNewer = (await repository.objects.has(there)) && (await isAncestor(repository, there, oid))
    const state = there === oid ? 'up to date' : isNewer ? 'fast-forwardable' : 'local out of date'
    rows.push({ name: shortBranch(name), state })
  }
  const width = widest(rows.map(({ name }) => name))
  return titled(
    ["Local ref configured for 'git push':", "Local refs configured for 'git push':"],
    rows.map(({ name, state }) => `${name.padEnd(width)} pushes to ${name.padEnd(width)} (${state})`),
  )
}

export async function pruneRemote(call: GitCall, repository: Repository, name: string, isDry: boolean): Promise<void> {
  const remote = findRemote(repository, name)
  const { stale } = await ask(call, repository, remote)
  if (stale.length === 0) return
  const changes = new Changes()
  const lines = [`Pruning ${name}`, `URL: ${remote.url}`]
  for (const ref of stale) {
    await repository.refs.update(changes, { name: ref, oid: undefined, message: 'remote: prune' })
    lines.push(` * [${isDry ? 'would prune' : 'pruned'}] ${ref.replace(/^refs\/remotes\//, '')}`)
  }
  for (const { name: own } of await repository.refs.list()) {
    const value = await repository.refs.read(own)
    if (value?.kind === 'symbolic' && stale.includes(value.target))
      lines.push(` ${own} ${isDry ? 'will become' : 'has become'} dangling!`)
  }
  if (!isDry) await repository.commit(changes)
  await call.print(lines.join('\n'))
}

/** Fetches from the named remotes and groups of remotes, one after the other. */
export async function updateRemotes(
  call: GitCall,
  repository: Repository,
  words: readonly string[],
  options: Options,
): Promise<number> {
  const isAll = words.length === 0 && membersOf(repository, 'default').length === 0
  const names = isAll ? allRemotes(repository) : namedRemotes(repository, words.length === 0 ? ['default'] : words)
  const { fetch, fetchSeveral } = await import('./fetch.ts')
  const prunes = options.has('prune') ? ['--prune'] : options.isNegated('prune') ? ['--no-prune'] : []
  const [only, ...others] = isAll ? names : []
  if (only !== undefined && others.length === 0)
    return fetch.run(call, parseOptions(fetch.options, [...prunes, only]), [...prunes, '--multiple', '--all'])
  return fetchSeveral(call, repository, names, parseOptions(fetch.options, prunes))
}
