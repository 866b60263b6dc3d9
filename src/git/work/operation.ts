// The operation in progress in a repository (a merge, a rebase and so on), from the files in its directory.

import type { Repository } from '../repository.ts'
import { type NamedRef, peel, refsNamed } from '../revs/revision.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { isObjectId, type ObjectId } from '../store/object-format.ts'

export interface Operation {
  readonly kind: 'merge' | 'rebase' | 'am' | 'cherry-pick' | 'revert' | 'bisect'
  /** The commit, or the branch that is being rebased. */
  readonly name?: string
  readonly onto?: string
  readonly isInteractive?: boolean
  /** A commit of a series stopped, so that what is staged is its result. */
  readonly isStopped?: boolean
  /** `am`: the email has no patch. */
  readonly isEmpty?: boolean
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
    const isEmpty = isMail && (await repository.readState('rebase-apply/patch')) === ''
    found.push({ kind: isMail ? 'am' : 'rebase', isEmpty, name, onto: (await repository.readState('rebase-apply/onto')) ?? '' })
  }
  // Git names the commit that stopped only where it is not one of a series.
  const [, next] = /^(p|r)(?:ick|evert)? /.exec((await repository.readState('sequencer/todo')) ?? '') ?? []
  for (const [kind, file, word] of [
    ['cherry-pick', 'CHERRY_PICK_HEAD', 'p'],
    ['revert', 'REVERT_HEAD', 'r'],
  ] as const) {
    const stopped = await repository.readState(file)
    if (stopped === undefined && next !== word) continue
    const name = next !== word && stopped !== undefined && isObjectId(stopped) ? stopped : ''
    found.push({ kind, name, isStopped: stopped !== undefined })
  }
  const bisected = await repository.readState('BISECT_START')
  if (bisected !== undefined) found.push({ kind: 'bisect', name: bisected })
  return found
}

/** Where a detached `HEAD` came from, as `detached at v1.0`; `undefined` if the log does not show it. */
export async function detachedText(repository: Repository, oid: ObjectId): Promise<string | undefined> {
  const checkout = (await repository.refs.readLog('HEAD')).findLast(({ message }) => message.startsWith('checkout: moving from'))
  if (checkout === undefined) return undefined
  const target = /to (.*)$/.exec(checkout.message)?.[1] ?? ''
  const name = (await nameOfCheckout(repository, target, checkout.after)) ?? (await new ShortIds(repository).of(checkout.after))
  return `detached ${checkout.after === oid ? 'at' : 'from'} ${name}`
}

/** The name is shown if it means one reference, and that is still at the commit that was checked out. */
async function nameOfCheckout(repository: Repository, target: string, oid: ObjectId): Promise<string | undefined> {
  // `HEAD` meant the commit that was checked out at that time.
  if (target === 'HEAD') return undefined
  let found: NamedRef | undefined
  for await (const ref of refsNamed(repository, target)) {
    if (found !== undefined) return undefined
    found = ref
  }
  if (found === undefined || (await peel(repository, found.oid, 'commit')) !== oid) return undefined
  return found.name.replace(/^refs\/(?:tags|remotes)\//, '')
}
