// `git reflog expire` and `git reflog delete`.

import { encodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { failure } from '../errors.ts'
import { ancestorsOf } from '../merge/commit-range.ts'
import { type Options, parseOptions, type OptionTable } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import { approximateDate } from '../revs/read-date.ts'
import { findRef, peel } from '../revs/revision.ts'
import { type ObjectId, zeroId } from '../store/object-format.ts'
import type { ReflogEntry } from '../store/refs.ts'

const table: OptionTable = {
  rows: [
    { names: ['expire'], argument: { name: 'timestamp' } },
    { names: ['expire-unreachable'], argument: { name: 'timestamp' } },
    { names: ['all'] },
    { names: ['rewrite'] },
    { names: ['updateref'] },
    { names: ['dry-run'] },
  ],
  usage: 'git reflog expire [<options>] <ref>...',
}
const daySeconds = 86_400

export async function changeLogs(call: GitCall, action: 'expire' | 'delete', args: readonly string[]): Promise<number> {
  const repository = await call.repository()
  const options = parseOptions(table, args)
  return action === 'expire' ? expire(call, repository, options) : remove(call, repository, options)
}

async function expire(call: GitCall, repository: Repository, options: Options): Promise<number> {
  const config = repository.config()
  if (config.entries.some(({ name }) => /^gc\..*\.reflogexpire/.test(name)))
    throw failure('gc.<pattern>.reflogExpire is not built into this git; give --expire and --expire-unreachable', 129)
  const limit = (key: 'expire' | 'expire-unreachable', days: number): number => {
    const text = options.value(key) ?? config.get(`gc.reflog${key.replace('-', '')}`)
    if (text === undefined) return call.now - days * daySeconds
    if (text === 'now' || text === 'all') return Number.POSITIVE_INFINITY
    return text === 'never' || text === 'false' ? 0 : approximateDate(text, call.now)
  }
  const [total, unreachable] = [limit('expire', 90), limit('expire-unreachable', 30)]
  let exitCode = 0
  for (const given of options.has('all') ? await loggedNames(repository) : options.all) {
    const name = await logName(repository, given)
    if (name === undefined) {
      await call.warn(`error: ${given} points nowhere!`)
      exitCode = 255
      continue
    }
    const reached = unreachable <= total ? undefined : await reachedFrom(repository, name)
    const isLost = (oid: ObjectId): boolean => oid !== zeroId && reached?.has(oid) === false
    await rewrite(repository, name, options, ({ before, after, who }) => {
      if (who.time < total) return false
      return who.time >= unreachable || (reached !== undefined && !isLost(before) && !isLost(after))
    })
  }
  return exitCode
}

async function remove(call: GitCall, repository: Repository, options: Options): Promise<number> {
  if (options.all.length === 0) throw failure('no reflog specified to delete', 255)
  let exitCode = 0
  for (const given of options.all) {
    const [, short, place = ''] = /^(.*)@\{(.*)\}$/.exec(given) ?? []
    const name = short === undefined ? undefined : await logName(repository, short || 'HEAD')
    if (name === undefined) {
      await call.warn(short === undefined ? `error: not a reflog: ${given}` : `error: no reflog for '${given}'`)
      exitCode = 255
      continue
    }
    if (!/^\d+$/.test(place)) throw failure(`${given}: deleting by time is not built into this git; give a number`, 129)
    const log = await repository.refs.readLog(name)
    const gone = log[log.length - 1 - Number(place)]
    await rewrite(repository, name, options, entry => entry !== gone, log)
  }
  return exitCode
}

async function loggedNames(repository: Repository): Promise<readonly string[]> {
  const found: string[] = []
  for (const name of ['HEAD', ...(await repository.refs.list()).map(ref => ref.name)])
    if (await repository.refs.hasLog(name)) found.push(name)
  return found
}

async function logName(repository: Repository, given: string): Promise<string | undefined> {
  const name = (await findRef(repository, given))?.name
  return name !== undefined && (await repository.refs.hasLog(name)) ? name : undefined
}

/** What the reference reaches; for `HEAD` what any reference reaches. */
async function reachedFrom(repository: Repository, name: string): Promise<ReadonlySet<ObjectId> | undefined> {
  const oids = name === 'HEAD' ? (await repository.refs.list()).map(ref => ref.oid) : [await repository.refs.idOf(name)]
  const tips: ObjectId[] = []
  for (const oid of oids) {
    const commit = oid === undefined ? undefined : await peel(repository, oid, 'commit')
    if (commit !== undefined) tips.push(commit)
  }
  return tips.length === 0 ? undefined : ancestorsOf(repository, tips)
}

async function rewrite(
  repository: Repository,
  name: string,
  options: Options,
  isKept: (entry: ReflogEntry) => boolean,
  log?: readonly ReflogEntry[],
): Promise<void> {
  const entries = log ?? (await repository.refs.readLog(name))
  const kept = entries.filter(isKept)
  if (options.has('dry-run')) return
  const changes = new Changes()
  const last = kept.at(-1)
  const { kind } = (await repository.refs.read(name)) ?? {}
  if (options.has('updateref') && last !== undefined && kind === 'id') {
    const path = repository.refs.pathOf(name)
    changes.lock(`${path}.lock`)
    changes.write(path, encodeText(`${last.after}\n`))
  }
  let before = zeroId
  const written = kept.map(entry => {
    const row = options.has('rewrite') ? { ...entry, before } : entry
    before = entry.after
    return row
  })
  repository.refs.writeLog(changes, name, written)
  await repository.commit(changes)
}
