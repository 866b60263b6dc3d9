// What `rebase-merge/` keeps of a rebase that stops, so that real git can go on too.

import type { Changes } from '../changes.ts'
import type { Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'
import { commentMark, conflictNote } from './commit-text.ts'
import { writeState } from './head-moves.ts'
import type { TreeMerge } from './tree-merge.ts'
import { type RebaseStep, stepRows } from './rebase-steps.ts'

export interface RebaseState {
  readonly onto: ObjectId
  readonly originalHead: ObjectId
  readonly branch: string | undefined
  readonly todo: readonly RebaseStep[]
  readonly done: readonly RebaseStep[]
  readonly isForced: boolean
  readonly isRoot: boolean
}

export const folder = 'rebase-merge'

/** All files that real git reads to continue. */
export async function keepRebase(
  repository: Repository,
  changes: Changes,
  state: RebaseState,
  stopped?: { readonly oid: ObjectId; readonly merge: TreeMerge },
): Promise<void> {
  const all = [...state.done, ...state.todo]
  const files: Readonly<Record<string, string>> = {
    'head-name': `${state.branch ?? 'detached HEAD'}\n`,
    onto: `${state.onto}\n`,
    'orig-head': `${state.originalHead}\n`,
    'git-rebase-todo': await stepRows(repository, state.todo),
    'git-rebase-todo.backup': await stepRows(repository, all),
    done: await stepRows(repository, state.done),
    msgnum: `${state.done.length}\n`,
    end: `${all.length}\n`,
    interactive: '',
    'no-reschedule-failed-exec': '',
    drop_redundant_commits: '',
    ...(state.isRoot ? { 'squash-onto': state.onto } : {}),
    ...(stopped === undefined ? {} : await stoppedFiles(repository, changes, stopped)),
  }
  for (const [name, text] of Object.entries(files)) writeState(repository, changes, `${folder}/${name}`, text)
}

async function stoppedFiles(
  repository: Repository,
  changes: Changes,
  { oid, merge }: { readonly oid: ObjectId; readonly merge: TreeMerge },
): Promise<Readonly<Record<string, string>>> {
  const { author, message } = await repository.objects.readCommit(oid)
  const note = `${message.replace(/\n*$/, '\n')}${conflictNote(merge.conflicts.keys(), commentMark(repository.config()))}`
  writeState(repository, changes, 'MERGE_MSG', note)
  writeState(repository, changes, 'REBASE_HEAD', `${oid}\n`)
  return {
    'stopped-sha': `${oid}\n`,
    message: note,
    'author-script':
      `GIT_AUTHOR_NAME=${quoted(author.name)}\nGIT_AUTHOR_EMAIL=${quoted(author.email)}\n` +
      `GIT_AUTHOR_DATE=${quoted(`@${author.time} ${author.zone}`)}\n`,
  }
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
