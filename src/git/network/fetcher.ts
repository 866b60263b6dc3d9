// Fetches objects from a remote and updates the references that track it.

import { encodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { fatal } from '../errors.ts'
import { Changes, type Repository } from '../repository.ts'
import { isAncestor } from '../revs/merge-base.ts'
import { parentsOf } from '../revs/parents.ts'
import { ShortIds } from '../revs/short-ids.ts'
import type { ObjectId } from '../store/object-format.ts'
import { shortRefName } from '../store/refs.ts'
import { checkedOutAt } from '../work/worktrees.ts'
import { withoutUser } from './guard.ts'
import { type Advertised, type Depth, openRemote, type Remote } from './remote.ts'
import { type RemoteConfig } from './remotes.ts'
import { mapped, type RefSpec } from './ref-spec.ts'
import { unpack } from './unpack.ts'
import { pushAll } from '../../core/many.ts'

export interface FetchOptions {
  readonly specs: readonly RefSpec[]
  /** Uses the configured specs too, when only `specs` are fetched. */
  readonly prunes: boolean
  readonly tags: 'followed' | 'all' | 'none'
  readonly depth: Depth | undefined
  /** The reference that a merge would take, where no references were given. */
  readonly mergedName?: string | undefined
  readonly isForced: boolean
  readonly isQuiet: boolean
  /** The command, for the logs of references. */
  readonly action?: string
  /** Changes no reference, and no `FETCH_HEAD`. */
  readonly isDry?: boolean
  readonly isClone?: boolean
  /** The references were named, and a merge would take them. */
  readonly isGiven?: boolean
  readonly writesFetchHead?: boolean
  /** False: references that track what was named are left as they are. */
  readonly tracks?: boolean
  /** Changes nothing if one reference is refused. */
  readonly isAtomic?: boolean
  /** Also a branch that is checked out. */
  readonly updatesHead?: boolean
}

export interface FetchResult {
  readonly advertised: Advertised
  /** The requested references, by their names on the remote. */
  readonly fetched: readonly { readonly name: string; readonly oid: ObjectId; readonly isMerged: boolean }[]
  readonly hasRefusal: boolean
}

const maxHaves = 1000

export async function fetchFrom(
  call: GitCall,
  repository: Repository,
  remote: RemoteConfig,
  options: FetchOptions,
): Promise<FetchResult> {
  const server = await openRemote(call, remote.url, repository.baseDirectory)
  const advertised = await server.advertised('git-upload-pack')
  const wanted = wantedRefs(advertised, options)
  const moves: RefMove[] = wanted.filter(({ to }) => to !== '')
  // Fetching by name also updates the reference that tracks it.
  const tracked = wanted.flatMap(({ name, oid, to }) =>
    (options.tracks === false ? [] : remote.fetchSpecs).flatMap(spec => {
      const followed = mapped(spec, name) ?? ''
      return followed === '' || followed === to ? [] : [{ name, oid, to: followed, isForced: spec.isForced }]
    }),
  )
  if (options.isClone !== true && options.updatesHead !== true) await refuseCheckedOut(repository, moves)
  await bringObjects(
    call,
    repository,
    server,
    wanted.map(({ oid }) => oid),
    options.depth,
  )
  const tags = (await tagMoves(repository, advertised, options)).filter(tag => !moves.some(move => move.to === tag.to))
  const changes = new Changes()
  const rows: string[] = []
  let hasRefusal = false
  for (const { name, to } of wanted) {
    const kind = name.startsWith('refs/tags/') ? 'tag' : 'branch'
    if (to === '') rows.push(` * ${kind.padEnd(17)} ${shortRefName(name).padEnd(columnWidth)} -> FETCH_HEAD`)
  }
  for (const move of [...moves, ...tags, ...tracked]) {
    const row = await moveRef(repository, changes, move, options)
    hasRefusal ||= row?.startsWith(' !') === true
    if (row !== undefined) rows.push(row)
  }
  if (options.prunes) pushAll(rows, await prune(repository, changes, advertised, remote.fetchSpecs))
  const isFollowed = wanted.some(({ name }) => name === options.mergedName)
  const marked = wanted.map(ref => (isFollowed ? { ...ref, isMerged: ref.name === options.mergedName } : ref))
  const following = tags.map(({ name, oid }) => ({ name, oid, isMerged: false }))
  const heads = [...marked.filter(ref => ref.isMerged), ...marked.filter(ref => !ref.isMerged), ...following].map(
    ({ name, oid, isMerged }) =>
      `${oid}\t${isMerged ? '' : 'not-for-merge'}\t${name === 'HEAD' ? '' : `${described(name)} of `}${shownUrl(remote.url)}\n`,
  )
  if (options.writesFetchHead) {
    const before = (await repository.readState('FETCH_HEAD')) ?? ''
    repository.writeState(changes, 'FETCH_HEAD', (before === '' ? '' : `${before}\n`) + heads.join(''))
  }
  if (options.isDry !== true && !(hasRefusal && options.isAtomic)) await repository.commit(changes)
  if (rows.length > 0 && !options.isQuiet) await call.warn(`From ${shownUrl(remote.url)}\n${rows.join('\n')}`)
  return { advertised, fetched: marked, hasRefusal }
}

/** A branch that is checked out must not move away from its files. */
async function refuseCheckedOut(repository: Repository, moves: readonly RefMove[]): Promise<void> {
  for (const { to } of moves) {
    const place = to.startsWith('refs/heads/') ? await checkedOutAt(repository, to) : undefined
    if (place !== undefined) throw fatal(`refusing to fetch into branch '${to}' checked out at '${place.path}'`)
  }
}

export function shownUrl(url: string): string {
  return withoutUser(url)
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
}

function described(name: string): string {
  if (name.startsWith('refs/heads/')) return `branch '${name.slice('refs/heads/'.length)}'`
  if (name.startsWith('refs/tags/')) return `tag '${name.slice('refs/tags/'.length)}'`
  return `'${name}'`
}

interface WantedRef {
  readonly name: string
  readonly oid: ObjectId
  readonly to: string
  readonly isForced: boolean
  readonly isMerged: boolean
}

function wantedRefs({ refs }: Advertised, { specs, tags, isGiven = false }: FetchOptions): readonly WantedRef[] {
  const found: WantedRef[] = []
  for (const spec of specs) {
    if (spec.from.includes('*')) {
      for (const [name, oid] of refs) {
        const to = name.endsWith('^{}') ? undefined : mapped(spec, name)
        if (to !== undefined) found.push({ name, oid, to, isForced: spec.isForced, isMerged: isGiven })
      }
      continue
    }
    const from = spec.from === '' ? 'HEAD' : spec.from
    const name = [from, `refs/${from}`, `refs/tags/${from}`, `refs/heads/${from}`].find(candidate => refs.has(candidate))
    const oid = name === undefined ? undefined : refs.get(name)
    if (name === undefined || oid === undefined) throw fatal(`couldn't find remote ref ${spec.from}`)
    const to = spec.to === '' || spec.to.startsWith('refs/') ? spec.to : `refs/heads/${spec.to}`
    found.push({ name, oid, to, isForced: spec.isForced, isMerged: true })
  }
  if (tags === 'all') {
    for (const [name, oid] of refs) {
      if (name.startsWith('refs/tags/') && !name.endsWith('^{}'))
        found.push({ name, oid, to: name, isForced: false, isMerged: false })
    }
  }
  return found
}

/** Objects are written before any reference names them. */
async function bringObjects(
  call: GitCall,
  repository: Repository,
  server: Remote,
  oids: readonly ObjectId[],
  depth: Depth | undefined,
): Promise<void> {
  const missing: ObjectId[] = []
  for (const oid of new Set(oids)) if (depth !== undefined || !(await repository.objects.has(oid))) missing.push(oid)
  if (missing.length === 0) return
  const cut = [...(await repository.shallowCommits())]
  const { pack, shallow, unshallow } = await server.fetchPack(missing, await localCommits(repository), { shallow: cut, depth })
  if (pack.length > 0) {
    await unpack(pack, repository.objects, (doneCount, totalCount) => {
      call.check()
      call.environment.progress?.({ phase: 'unpack', doneCount, totalCount })
    })
  }
  const left = new Set([...cut, ...shallow].filter(oid => !unshallow.includes(oid)))
  const changes = new Changes()
  if (depth !== undefined) {
    const path = repository.shallowFile
    if (left.size > 0)
      changes.write(
        path,
        encodeText(
          [...left]
            .sort()
            .map(oid => `${oid}\n`)
            .join(''),
        ),
      )
    else if ((await repository.files.lstat(path)) !== undefined) changes.remove(path)
  }
  await repository.commit(changes)
  repository.objects.cutAt(() => repository.shallowCommits())
}

/** The newest commits of all references, which the server need not send. */
async function localCommits(repository: Repository): Promise<readonly ObjectId[]> {
  const found = new Set<ObjectId>()
  const open: ObjectId[] = []
  for (const { oid } of await repository.refs.list()) {
    const object = await repository.objects.read(oid)
    if (object?.type === 'commit') open.push(oid)
  }
  for (let at = 0; at < open.length && found.size < maxHaves; at++) {
    const oid = open[at] ?? ''
    if (found.has(oid)) continue
    found.add(oid)
    open.push(...(await parentsOf(repository, oid)))
  }
  return [...found]
}

interface RefMove {
  readonly name: string
  readonly oid: ObjectId
  readonly to: string
  readonly isForced: boolean
}

/** Fetches tags of commits that are here now. */
async function tagMoves(repository: Repository, { refs }: Advertised, { tags }: FetchOptions): Promise<readonly RefMove[]> {
  if (tags !== 'followed') return []
  const found: RefMove[] = []
  for (const [name, oid] of refs) {
    if (!name.startsWith('refs/tags/') || name.endsWith('^{}') || (await repository.refs.read(name)) !== undefined) continue
    const target = refs.get(`${name}^{}`) ?? oid
    if ((await repository.objects.has(oid)) && (await repository.objects.has(target)))
      found.push({ name, oid, to: name, isForced: false })
  }
  return found
}

const columnWidth = 10

async function moveRef(
  repository: Repository,
  changes: Changes,
  { name, oid, to, isForced }: RefMove,
  { isForced: forcesAll, action = 'fetch' }: FetchOptions,
): Promise<string | undefined> {
  const before = await repository.refs.idOf(to)
  if (before === oid) return undefined
  const [from, short] = [shortRefName(name), shortRefName(to)]
  const arrow = `${from.padEnd(columnWidth)} -> ${short}`
  const row = (flag: string, what: string, note = ''): string => ` ${flag} ${what.padEnd(17)} ${arrow}${note}`
  const update = (message: string): Promise<void> =>
    repository.refs.update(changes, { name: to, oid, message: `${action}${message}` })
  if (before === undefined) {
    const kind = name.startsWith('refs/tags/') ? 'tag' : name.startsWith('refs/heads/') ? 'branch' : 'ref'
    await update(`: storing ${kind === 'branch' ? 'head' : kind}`)
    return row('*', `[new ${kind}]`)
  }
  const ids = new ShortIds(repository)
  const [old, now] = [await ids.of(before), await ids.of(oid)]
  if (to.startsWith('refs/tags/') && !isForced && !forcesAll) return row('!', '[rejected]', '  (would clobber existing tag)')
  const bothCommits = [await repository.objects.read(before), await repository.objects.read(oid)].every(
    object => object?.type === 'commit',
  )
  if (bothCommits && (await isAncestor(repository, before, oid))) {
    await update(': fast-forward')
    return row(' ', `${old}..${now}`)
  }
  if (!isForced && !forcesAll) return row('!', '[rejected]', '  (non-fast-forward)')
  await update(': forced-update')
  return row('+', `${old}...${now}`, '  (forced update)')
}

/** References whose counterpart on the remote is gone. */
async function prune(
  repository: Repository,
  changes: Changes,
  { refs }: Advertised,
  specs: readonly RefSpec[],
): Promise<readonly string[]> {
  const kept = new Set<string>()
  for (const name of refs.keys()) for (const spec of specs) kept.add(mapped(spec, name) ?? '')
  const rows: string[] = []
  for (const spec of specs) {
    const star = spec.to.indexOf('*')
    if (star === -1) continue
    for (const { name } of await repository.refs.list(spec.to.slice(0, star))) {
      const value = await repository.refs.read(name)
      if (kept.has(name) || value?.kind === 'symbolic') continue
      await repository.refs.update(changes, { name, oid: undefined, message: '' })
      rows.push(` - ${'[deleted]'.padEnd(17)} ${'(none)'.padEnd(columnWidth)} -> ${shortRefName(name)}`)
    }
  }
  return rows
}
