// A merge that waits for a person: how it is completed or aborted.

import { decodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { fatal, GitFailure } from '../errors.ts'
import { Changes, type Repository } from '../repository.ts'
import { formatDate } from '../revs/date.ts'
import { ShortIds } from '../revs/short-ids.ts'
import type { ObjectId } from '../store/object-format.ts'
import { commitRange } from './commit-range.ts'
import { cleanMessage, commentMark, commitTitle } from './commit-text.ts'
import { endAutostash } from './end-autostash.ts'
import { keepOldHead, logStay, moveHead } from './head-moves.ts'
import { refuseConflicts } from './outcome.ts'
import { mergeGuard, resetToTree } from './reset-merge.ts'
import { mergeStateFiles } from './state-files.ts'

export async function abortMerge(call: GitCall, repository: Repository): Promise<number> {
  if ((await repository.refs.read('MERGE_HEAD')) === undefined) throw fatal('There is no merge to abort (MERGE_HEAD missing).')
  const { oid } = await repository.head()
  if (oid === undefined) throw fatal('There is no commit to return to.')
  call.check()
  const changes = new Changes()
  const index = await repository.readIndex()
  await resetToTree(repository, index, changes, await repository.treeOf(oid), mergeGuard('HEAD'))
  await repository.removeState(changes, ...mergeStateFiles)
  // The branch does not move, so only the log of HEAD gets an entry.
  await logStay(repository, changes, oid, 'reset: moving to HEAD')
  keepOldHead(repository, changes, oid)
  await repository.commit(changes, index)
  await endAutostash(call, repository, 'restoreMergeStash')
  return 0
}

/** `merge --continue`: commits the resolved files with the prepared message. */
export async function concludeMerge(call: GitCall, repository: Repository): Promise<number> {
  const theirs = await readState(repository, 'MERGE_HEAD')
  if (theirs === undefined) throw fatal('There is no merge in progress (MERGE_HEAD missing).')
  const index = await repository.readIndex()
  await refuseConflicts(call, index, 'Committing')
  const { branch, oid: ours } = await repository.head()
  if (ours === undefined) throw fatal('There is no commit to merge into.')
  const text = (await readState(repository, 'MERGE_MSG')) ?? ''
  const message = cleanMessage(text, commentMark(repository.config()))
  if (message === '') throw new GitFailure('Aborting commit due to empty commit message.', 1)
  const oid = await repository.writeCommit({
    tree: await repository.writeTree(index),
    parents: [ours, ...theirs.split('\n').filter(Boolean)],
    author: await repository.identity('author'),
    committer: await repository.identity('committer'),
    message,
  })
  const changes = new Changes()
  await moveHead(repository, changes, [{ oid, message: `commit (merge): ${message.split('\n')[0] ?? ''}` }])
  await repository.removeState(changes, ...mergeStateFiles)
  repository.writeState(changes, 'COMMIT_EDITMSG', text)
  await repository.commit(changes, index)
  await call.print(await commitTitle(repository, oid, await repository.objects.readCommit(oid), branch))
  await endAutostash(call, repository, 'restoreMergeStash')
  return 0
}

/** A text file of the repository's own directory. */
export async function readState(repository: Repository, name: string): Promise<string | undefined> {
  const bytes = await repository.files.read(`${repository.gitDir}/${name}`)
  return bytes === undefined ? undefined : decodeText(bytes)
}

/** The message for one commit with all changes of the other side, newest first. */
export async function squashMessage(
  repository: Repository,
  ours: ObjectId,
  theirs: readonly ObjectId[],
  now: number,
): Promise<string> {
  const parts: string[] = ['Squashed commit of the following:\n']
  const ids = new ShortIds(repository)
  for (const oid of (await commitRange(repository, [ours], theirs)).toReversed()) {
    const { author, message, parents } = await repository.objects.readCommit(oid)
    const lines = message.replace(/\n+$/, '').split('\n')
    const short = await Promise.all(parents.map(parent => ids.of(parent)))
    const merged = parents.length > 1 ? `Merge: ${short.join(' ')}\n` : ''
    parts.push(
      `\ncommit ${oid}\n${merged}Author: ${author.name} <${author.email}>\nDate:   ${formatDate(author, 'default', now) ?? ''}\n\n` +
        lines.map(line => `    ${line}\n`).join(''),
    )
  }
  return parts.join('')
}
