// The list of stashes: the log of `refs/stash`, newest first.

import { resolveRevision } from '../revs/revision.ts'
import { type ObjectId, zeroId } from '../store/object-format.ts'
import { Changes, type Repository } from '../repository.ts'
import { failure, fatal, GitFailure } from '../errors.ts'

const stashRef = 'refs/stash'

export interface Stash {
  readonly oid: ObjectId
  readonly base: ObjectId
  readonly index: ObjectId
  readonly untracked: ObjectId | undefined
  /** Its position in the list; `undefined` for a commit that is not in it. */
  readonly number: number | undefined
}

/** Puts a commit on top of the list. Stashes are always logged, whatever the settings are. */
export async function storeStash(repository: Repository, changes: Changes, oid: ObjectId, message: string): Promise<void> {
  const { refs } = repository
  const before = await refs.idOf(stashRef)
  const log = await refs.readLog(stashRef)
  await refs.update(changes, { name: stashRef, oid, message })
  refs.writeLog(changes, stashRef, [
    ...log,
    { before: before ?? zeroId, after: oid, who: await repository.identity('committer', false), message },
  ])
}

/** The stash for `name`: a number, `stash@{1}`, a commit, or the newest. */
export async function findStash(repository: Repository, name: string | undefined): Promise<Stash> {
  const log = await repository.refs.readLog(stashRef)
  const current = await repository.refs.idOf(stashRef)
  if (name === undefined && current === undefined) throw new GitFailure('No stash entries found.', 1)
  const number =
    name === undefined
      ? 0
      : /^\d+$/.test(name)
        ? Number(name)
        : Number(/^(?:refs\/)?stash@\{(\d+)\}$/.exec(name)?.[1] ?? Number.NaN)
  let oid: ObjectId | undefined
  if (Number.isNaN(number)) {
    oid = (await resolveRevision(repository, name ?? ''))?.oid
    if (oid === undefined) throw failure(`${name ?? ''} is not a valid reference`)
  } else {
    if (current === undefined) throw failure(`stash@{${number}} is not a valid reference`)
    oid = number === 0 && log.length === 0 ? current : log[log.length - 1 - number]?.after
    if (oid === undefined) throw fatal(`log for 'stash' only has ${log.length} entries`)
  }
  const object = await repository.objects.read(oid)
  const parents = object?.type === 'commit' ? (await repository.objects.readCommit(oid)).parents : []
  const [base, index, untracked] = parents
  if (base === undefined || index === undefined || parents.length > 3)
    throw fatal(`'${name ?? 'stash'}' is not a stash-like commit`)
  return { oid, base, index, untracked, number: Number.isNaN(number) ? undefined : number }
}

/** Adds its removal from the list. */
export async function dropStash(repository: Repository, changes: Changes, number: number): Promise<void> {
  const { refs } = repository
  const log = await refs.readLog(stashRef)
  const kept = log.filter((_, position) => position !== log.length - 1 - number)
  const last = kept.at(-1)
  if (last === undefined) {
    await refs.update(changes, { name: stashRef, oid: undefined, message: '' })
    return
  }
  if (number === 0) await refs.update(changes, { name: stashRef, oid: last.after, message: '' })
  let before = zeroId
  const rewritten = kept.map(entry => {
    const row = { ...entry, before }
    before = entry.after
    return row
  })
  refs.writeLog(changes, stashRef, rewritten)
}

/** Newest first, as in the list. */
export async function listStashes(repository: Repository): Promise<readonly string[]> {
  if ((await repository.refs.idOf(stashRef)) === undefined) return []
  const log = await repository.refs.readLog(stashRef)
  return log.toReversed().map(({ message }, number) => `stash@{${number}}: ${message}`)
}
