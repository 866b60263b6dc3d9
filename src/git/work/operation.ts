// What is under way in a repository: a merge, a rebase and so on, told by files in its directory.

import type { Repository } from '../repository.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { isObjectId, type ObjectId } from '../store/object-format.ts'

export interface Operation {
  readonly kind: 'merge' | 'rebase' | 'am' | 'cherry-pick' | 'revert' | 'bisect'
  /** The commit, or the branch that is rebased. */
  readonly name?: string
  readonly onto?: string
  readonly isInteractive?: boolean
}

export async function operationsOf(repository: Repository): Promise<readonly Operation[]> {
  const found: Operation[] = []
  const { gitDir, files } = repository
  if ((await repository.readState('MERGE_HEAD')) !== undefined) found.push({ kind: 'merge' })
  if (await files.isDirectory(`${gitDir}/rebase-merge`)) {
    const name = await repository.readState('rebase-merge/head-name')
    const onto = await repository.readState('rebase-merge/onto')
    const isInteractive = await files.isFile(`${gitDir}/rebase-merge/interactive`)
    found.push({ kind: 'rebase', name: (name ?? '').replace('refs/heads/', ''), onto: onto ?? '', isInteractive })
  } else if (await files.isDirectory(`${gitDir}/rebase-apply`)) {
    const isMail = await files.isFile(`${gitDir}/rebase-apply/applying`)
    const name = ((await repository.readState('rebase-apply/head-name')) ?? '').replace('refs/heads/', '')
    found.push({ kind: isMail ? 'am' : 'rebase', name, onto: (await repository.readState('rebase-apply/onto')) ?? '' })
  }
  const picked = await repository.readState('CHERRY_PICK_HEAD')
  if (picked !== undefined) found.push({ kind: 'cherry-pick', name: isObjectId(picked) ? picked : '' })
  const reverted = await repository.readState('REVERT_HEAD')
  if (reverted !== undefined) found.push({ kind: 'revert', name: isObjectId(reverted) ? reverted : '' })
  // Between two commits of a series only the list of what is left tells.
  if (picked === undefined && reverted === undefined) {
    const [, next] = /^(pick|revert)\b/.exec((await repository.readState('sequencer/todo')) ?? '') ?? []
    if (next !== undefined) found.push({ kind: next === 'pick' ? 'cherry-pick' : 'revert', name: '' })
  }
  const bisected = await repository.readState('BISECT_START')
  if (bisected !== undefined) found.push({ kind: 'bisect', name: bisected })
  return found
}

/** Where a detached `HEAD` came from, as `detached at v1.0`; `undefined` when the log does not tell. */
export async function detachedText(repository: Repository, oid: ObjectId): Promise<string | undefined> {
  const checkout = (await repository.refs.readLog('HEAD')).findLast(({ message }) => message.startsWith('checkout: moving from'))
  if (checkout === undefined) return undefined
  const target = /to (.*)$/.exec(checkout.message)?.[1] ?? ''
  // `HEAD` meant what was checked out then.
  const name = target === 'HEAD' ? checkout.after : target
  const isHere = checkout.after === oid
  const ids = new ShortIds(repository)
  if (isHere && /^[0-9a-f]{7,40}$/.test(name)) return `detached at ${await ids.of(oid)}`
  return `detached ${isHere ? 'at' : 'from'} ${isObjectId(name) ? await ids.of(name) : name}`
}
