// Local changes that are put aside while a rebase or a merge runs.

import type { GitCall } from '../call.ts'
import { listTree } from '../diff/tree-diff.ts'
import { Changes, type Repository } from '../repository.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { writeState } from './head-moves.ts'
import { readState } from './merge-state.ts'
import { applyStash } from './apply-stash.ts'
import { createStash } from './stash.ts'
import { findStash, storeStash } from './stash-list.ts'
import { updateWorkTree } from './update-work-tree.ts'

const rebaseFile = 'rebase-merge/autostash'
const mergeFile = 'MERGE_AUTOSTASH'

/** Puts changes of tracked files aside, and returns the commit that has them. */
export async function stashAside(call: GitCall, repository: Repository, file: string = rebaseFile): Promise<string | undefined> {
  const index = await repository.readIndex()
  const saved = await createStash(call, repository, index, {
    message: 'autostash',
    keepsIndex: false,
    untracked: 'none',
    isStagedOnly: false,
    isQuiet: true,
    paths: undefined,
  })
  if (saved === undefined) return undefined
  const changes = new Changes()
  writeState(repository, changes, file, `${saved.oid}\n`)
  const head = await repository.treeOf(saved.head)
  const files = new Map((await listTree(repository, head)).map(({ path, mode, oid }) => [path, { mode, oid }] as const))
  const update = new Map(saved.changed.map(path => [path, files.get(path)] as const))
  await updateWorkTree(repository, index, changes, { changes: update, operation: 'reset', isForced: true })
  await repository.commit(changes, index)
  await call.print(`Created autostash: ${await new ShortIds(repository).of(saved.oid)}`)
  return saved.oid
}

/** Keeps what was put aside as the newest stash, by the same changes that end the rebase. */
export async function keepAside(repository: Repository, changes: Changes, file: string = rebaseFile): Promise<void> {
  const oid = (await readState(repository, file))?.trim()
  if (oid !== undefined) await storeStash(repository, changes, oid, 'autostash')
}

const kept = 'Your changes are safe in the stash.\nYou can run "git stash pop" or "git stash drop" at any time.'
/** What is told when changes stay aside. */
export const keptAside: string = `Autostash exists; creating a new stash entry.\n${kept}`

/** Brings back what was put aside; with conflicts it stays a stash. */
export async function restoreAside(call: GitCall, repository: Repository, oid: string): Promise<void> {
  const file = (await readState(repository, mergeFile))?.trim() === oid ? mergeFile : rebaseFile
  if ((await readState(repository, file)) !== undefined) {
    const changes = new Changes()
    await keepAside(repository, changes, file)
    await repository.removeState(changes, file === mergeFile ? file : 'rebase-merge')
    await repository.commit(changes)
  }
  const stash = await findStash(repository, undefined)
  if (stash.oid !== oid) return
  const silent = call.writingTo({ write: async () => {} })
  const isClean = await applyStash(silent, repository, stash, { restoresIndex: false, isDropped: true })
  if (file === mergeFile) {
    const changes = new Changes()
    await repository.removeState(changes, 'AUTO_MERGE')
    await repository.commit(changes)
  }
  await call.warn(
    isClean
      ? 'Applied autostash.'
      : `Applying autostash resulted in conflicts.
${kept}`,
  )
}

/** Runs a merge with the local changes aside, which come back when it is committed. */
export async function withAutostash(call: GitCall, repository: Repository, merge: () => Promise<number>): Promise<number> {
  const aside = await stashAside(call, repository, mergeFile)
  if (aside === undefined) return merge()
  const before = (await repository.head()).oid
  let exitCode: number | undefined
  try {
    exitCode = await merge()
    return exitCode
  } finally {
    const hasStopped = exitCode !== undefined && (await repository.head()).oid === before
    if (hasStopped) await call.print('When finished, apply stashed changes with `git stash pop`')
    else await restoreAside(call, repository, aside)
  }
}

/** Brings back what a merge has put aside, when it is committed or aborted. */
export async function restoreMergeStash(call: GitCall, repository: Repository): Promise<void> {
  const aside = (await readState(repository, mergeFile))?.trim()
  if (aside !== undefined) await restoreAside(call, repository, aside)
}

/** Keeps what a merge has put aside as a stash, when the merge is given up. */
export async function keepMergeStash(call: GitCall, repository: Repository): Promise<void> {
  if ((await readState(repository, mergeFile)) === undefined) return
  const changes = new Changes()
  await keepAside(repository, changes, mergeFile)
  await repository.removeState(changes, mergeFile)
  await repository.commit(changes)
  await call.warn(keptAside)
}
