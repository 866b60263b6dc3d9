// Sends commits to a remote and updates its references.

import type { GitCall } from '../call.ts'
import { GitFailure } from '../errors.ts'
import { Changes, type Repository } from '../repository.ts'
import { isAncestor } from '../revs/merge-base.ts'
import { findRef, peel, resolveRevision } from '../revs/revision.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { zeroId } from '../store/object-format.ts'
import { writePack } from '../store/object-files.ts'
import { shortRefName } from '../store/refs.ts'
import { withoutUser } from './guard.ts'
import { missingObjects } from './missing-objects.ts'
import { type Advertised, openRemote, type PushedRef } from './remote.ts'
import { type RemoteConfig } from './remotes.ts'
import { mapped, parseRefSpec } from './ref-spec.ts'

export interface PushOptions {
  readonly isForced: boolean
  /** Updates a reference only if it is as we last saw it, or as named. */
  readonly lease: { readonly expected: ReadonlyMap<string, string> } | undefined
  readonly isDryRun: boolean
  readonly isQuiet: boolean
  /** One line per reference on stdout, with full names, separated by tabs. */
  readonly isForPrograms: boolean
}

interface Planned extends PushedRef {
  /** As shown to a person; '' for a deletion. */
  readonly from: string
  readonly fullFrom: string
  readonly isForced: boolean
}

/** Returns the exit code. `specs` are `from:to`, with full or short names. */
export async function pushTo(
  call: GitCall,
  repository: Repository,
  remote: RemoteConfig,
  specs: readonly string[],
  options: PushOptions,
): Promise<number> {
  const server = await openRemote(call, remote.pushUrl, repository.baseDirectory)
  const advertised = await server.advertised('git-receive-pack')
  const planned: Planned[] = []
  for (const spec of specs) planned.push(await plan(repository, advertised, spec))
  const moving = planned.filter(({ before, after }) => before !== after)
  if (moving.length === 0) {
    if (!options.isDryRun) await follow(repository, remote, planned)
    if (!options.isQuiet && !options.isForPrograms) await call.warn('Everything up-to-date')
    if (!options.isForPrograms) return 0
  }
  const refusals = new Map<string, string>()
  for (const row of moving) {
    const reason = await refusal(repository, remote, row, options)
    if (reason !== undefined) refusals.set(row.name, reason)
  }
  const sent = moving.filter(({ name }) => !refusals.has(name))
  let answers: ReadonlyMap<string, string> = new Map()
  if (sent.length > 0 && !options.isDryRun) {
    const objects = await missingObjects(
      repository.withoutReplacements(),
      sent.map(({ after }) => after),
      advertised.refs.values(),
    )
    call.environment.progress?.({ phase: 'pack', doneCount: objects.size, totalCount: objects.size })
    answers = await server.push(sent, writePack(objects).pack)
    await follow(
      repository,
      remote,
      planned.filter(({ name }) => !refusals.has(name) && !answers.has(name)),
    )
  }
  const result = { refusals, answers, isQuiet: options.isQuiet }
  return options.isForPrograms
    ? tellPrograms(call, repository, remote, planned, result)
    : tell(call, repository, remote, moving, result)
}

async function plan(repository: Repository, { refs }: Advertised, text: string): Promise<Planned> {
  const spec = parseRefSpec(text)
  const isDeletion = spec.from === '' && text.includes(':')
  const source = isDeletion ? undefined : await resolveRevision(repository, spec.from)
  if (!isDeletion && source === undefined) {
    throw new GitFailure(`error: src refspec ${spec.from} does not match any\nerror: failed to push some refs`, 1)
  }
  const found = isDeletion ? undefined : await findRef(repository, spec.from)
  const full = found?.name === 'HEAD' ? (await repository.head()).branch : found?.name
  const wanted = spec.to === '' ? (full ?? '') : spec.to
  const candidates = [wanted, `refs/${wanted}`, `refs/tags/${wanted}`, `refs/heads/${wanted}`].filter(name =>
    name.startsWith('refs/'),
  )
  const kind = full?.startsWith('refs/tags/') ? 'refs/tags/' : 'refs/heads/'
  const name = wanted.startsWith('refs/') ? wanted : (candidates.find(candidate => refs.has(candidate)) ?? `${kind}${wanted}`)
  if (
    wanted === '' ||
    (source !== undefined && full === undefined && spec.to !== '' && !refs.has(name) && !wanted.startsWith('refs/'))
  ) {
    throw new GitFailure(
      `error: The destination you provided is not a full refname (i.e.,\nerror: starting with "refs/"). Name it in full, such as refs/heads/${wanted || 'x'}.\n` +
        'error: failed to push some refs',
      1,
    )
  }
  const before = refs.get(name) ?? zeroId
  if (isDeletion && before === zeroId) throw new GitFailure(`error: unable to delete '${spec.to}': remote ref does not exist`, 1)
  return {
    name,
    before,
    after: source?.oid ?? zeroId,
    from: isDeletion ? '' : spec.from === 'HEAD' ? 'HEAD' : shortRefName(full ?? spec.from),
    fullFrom: full ?? spec.from,
    isForced: spec.isForced,
  }
}

/** Why a reference must not be updated; `undefined` if it may. */
async function refusal(
  repository: Repository,
  remote: RemoteConfig,
  row: Planned,
  options: PushOptions,
): Promise<string | undefined> {
  const { lease } = options
  if (lease !== undefined) {
    const short = shortRefName(row.name)
    const named = lease.expected.get(short) ?? lease.expected.get('')
    const tracking = remote.fetchSpecs.map(spec => mapped(spec, row.name)).find(value => value !== undefined)
    let expected = tracking === undefined ? undefined : await repository.refs.idOf(tracking)
    if (named !== undefined && named !== '') expected = (await resolveRevision(repository, named))?.oid
    if ((expected ?? zeroId) !== row.before) return 'stale info'
    return undefined
  }
  if (options.isForced || row.isForced || row.before === zeroId || row.after === zeroId) return undefined
  if (row.name.startsWith('refs/tags/')) return 'already exists'
  if (!(await repository.objects.has(row.before))) return 'fetch first'
  const [before, after] = [await peel(repository, row.before, 'commit'), await peel(repository, row.after, 'commit')]
  if (before === undefined || after === undefined) return 'needs force'
  return (await isAncestor(repository, before, after)) ? undefined : 'non-fast-forward'
}

/** Updates the references that track the remote's references. */
async function follow(repository: Repository, { fetchSpecs }: RemoteConfig, rows: readonly Planned[]): Promise<void> {
  const changes = new Changes()
  for (const { name, after } of rows) {
    const tracking = fetchSpecs.map(spec => mapped(spec, name)).find(value => value !== undefined && value !== '')
    if (tracking === undefined) continue
    const before = await repository.refs.idOf(tracking)
    if (after === zeroId ? before !== undefined : before !== after) {
      await repository.refs.update(changes, {
        name: tracking,
        oid: after === zeroId ? undefined : after,
        message: 'update by push',
      })
    }
  }
  await repository.commit(changes)
}

interface PushResult {
  readonly refusals: ReadonlyMap<string, string>
  readonly answers: ReadonlyMap<string, string>
  readonly isQuiet: boolean
}

async function tellPrograms(
  call: GitCall,
  repository: Repository,
  remote: RemoteConfig,
  rows: readonly Planned[],
  result: PushResult,
): Promise<number> {
  const ids = new ShortIds(repository)
  await call.print(`To ${withoutUser(remote.pushUrl)}`)
  let hasFailure = false
  for (const row of rows) {
    const { flag, summary } = await summaryOf(repository, ids, row, result)
    hasFailure ||= flag === '!'
    await call.print(`${flag}\t${row.from === '' ? '' : row.fullFrom}:${row.name}\t${summary}`)
  }
  if (!hasFailure) await call.print('Done')
  else await call.warn(`error: failed to push some refs to '${withoutUser(remote.pushUrl)}'`)
  return hasFailure ? 1 : 0
}

async function summaryOf(
  repository: Repository,
  ids: ShortIds,
  { name, before, after }: Planned,
  { refusals, answers }: PushResult,
): Promise<{ readonly flag: string; readonly summary: string }> {
  const [refused, answer] = [refusals.get(name), answers.get(name)]
  if (refused !== undefined) return { flag: '!', summary: `[rejected] (${refused})` }
  if (answer !== undefined) return { flag: '!', summary: `[remote rejected] (${answer})` }
  if (before === after) return { flag: '=', summary: '[up to date]' }
  if (after === zeroId) return { flag: '-', summary: '[deleted]' }
  if (before === zeroId) return { flag: '*', summary: `[new ${name.startsWith('refs/tags/') ? 'tag' : 'branch'}]` }
  const isForward = (await repository.objects.has(before)) && (await isAncestor(repository, before, after))
  const range = `${await ids.of(before)}${isForward ? '..' : '...'}${await ids.of(after)}`
  return { flag: isForward ? ' ' : '+', summary: isForward ? range : `${range} (forced update)` }
}

async function tell(
  call: GitCall,
  repository: Repository,
  remote: RemoteConfig,
  rows: readonly Planned[],
  result: PushResult,
): Promise<number> {
  const ids = new ShortIds(repository)
  const lines: string[] = []
  let hasFailure = false
  for (const { name, before, after, from } of rows) {
    const short = shortRefName(name)
    const arrow = from === '' ? short : `${from} -> ${short}`
    const refused = result.refusals.get(name)
    const answer = result.answers.get(name)
    if (refused !== undefined || answer !== undefined) {
      hasFailure = true
      lines.push(
        ` ! ${(refused === undefined ? '[remote rejected]' : '[rejected]').padEnd(17)} ${arrow} (${refused ?? answer ?? ''})`,
      )
    } else if (after === zeroId) lines.push(` - [deleted]         ${short}`)
    else if (before === zeroId)
      lines.push(` * [new ${name.startsWith('refs/tags/') ? 'tag' : 'branch'}]`.padEnd(20) + ` ${arrow}`)
    else {
      const isForward = (await repository.objects.has(before)) && (await isAncestor(repository, before, after))
      const range = `${await ids.of(before)}${isForward ? '..' : '...'}${await ids.of(after)}`
      lines.push(` ${isForward ? ' ' : '+'} ${range.padEnd(17)} ${arrow}${isForward ? '' : ' (forced update)'}`)
    }
  }
  const url = withoutUser(remote.pushUrl)
  if (!result.isQuiet || hasFailure) await call.warn(`To ${url}\n${lines.join('\n')}`)
  if (hasFailure) {
    await call.warn(
      `error: failed to push some refs to '${url}'` +
        ([...result.refusals.values()].some(reason => reason === 'fetch first' || reason === 'non-fast-forward')
          ? '\nhint: Updates were rejected because the remote contains work that you do not\nhint: have locally. Integrate the remote changes (e.g.\n' +
            "hint: 'git pull ...') before pushing again."
          : ''),
    )
  }
  return hasFailure ? 1 : 0
}
