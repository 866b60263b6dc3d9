// The message of a commit that is picked or reverted.

import type { Repository } from '../repository.ts'
import { formatDate } from '../revs/date.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { titleOf } from '../revs/subject.ts'
import type { Commit, ObjectId } from '../store/object-format.ts'
import { replayedParent, type ReplayKind } from './replay.ts'

export interface MessageOptions {
  readonly kind: ReplayKind
  readonly mainline?: number | undefined
  /** `-x`: the message names the original commit. */
  readonly namesOrigin: boolean
  readonly signsOff: boolean
  /** A revert names commits by title and date. */
  readonly isReference: boolean
}

export async function replayMessage(repository: Repository, options: MessageOptions, oid: ObjectId): Promise<string> {
  const { kind, mainline, namesOrigin, signsOff, isReference } = options
  const commit = await repository.objects.readCommit(oid)
  const parent = await replayedParent(repository, oid, kind, mainline)
  let text = commit.message
  if (kind === 'revert')
    text = isReference ? await referenceMessage(repository, oid, commit, parent) : revertMessage(oid, commit, parent)
  if (namesOrigin && kind === 'cherry-pick') text = withTrailer(text, `(cherry picked from commit ${oid})`)
  if (signsOff) {
    const { name, email } = await repository.identity('committer')
    text = withTrailer(text, `Signed-off-by: ${name} <${email}>`)
  }
  return text
}

function revertMessage(oid: ObjectId, commit: Commit, parent: ObjectId | undefined): string {
  return `Revert "${titleOf(commit.message)}"\n\nThis reverts commit ${oid}${reversing(commit, parent)}.\n`
}

function reversing({ parents }: Commit, parent: string | undefined): string {
  return parents.length > 1 && parent !== undefined ? `, reversing\nchanges made to ${parent}` : ''
}

/** `revert --reference`: names commits by short ID, title and date, and leaves the title to a person. */
async function referenceMessage(
  repository: Repository,
  oid: ObjectId,
  commit: Commit,
  parent: ObjectId | undefined,
): Promise<string> {
  const ids = new ShortIds(repository)
  const named = async (id: ObjectId, { message, author }: Commit): Promise<string> =>
    `${await ids.of(id)} (${titleOf(message)}, ${formatDate(author, 'short', 0) ?? ''})`
  const from = parent === undefined ? undefined : await named(parent, await repository.objects.readCommit(parent))
  return (
    '# *** SAY WHY WE ARE REVERTING ON THE TITLE LINE ***\n\n' +
    `This reverts commit ${await named(oid, commit)}${reversing(commit, from)}.\n`
  )
}

/** After the trailers at the end of a message, or as a separate paragraph. */
function withTrailer(message: string, line: string): string {
  const text = message.replace(/\n+$/, '')
  const last = text.split('\n\n').at(-1) ?? ''
  const hasTrailers =
    text.includes('\n\n') && last.split('\n').every(row => /^(?:[A-Za-z0-9-]+: |\(cherry picked from commit )/.test(row))
  return `${text}${hasTrailers ? '\n' : '\n\n'}${line}\n`
}
