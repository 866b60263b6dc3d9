// Local changes that are put aside while a rebase runs.

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

const file = 'rebase-merge/autostash'

/** Puts changes of tracked files aside, and returns the commit that has them. */
export async function stashAside(call: GitCall, repository: Repository): Promise<string | undefined> {
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
export async function keepAside(repository: Repository, changes: Changes): Promise<void> {
  const oid = (await readState(repository, file))?.trim()
  if (oid !== undefined) await storeStash(repository, changes, oid, 'autostash')
}

const kept = 'Your changes are safe in the stash.\nYou can run "git stash pop" or "git stash drop" at any time.'
/** What is told when changes stay aside. */
export const keptAside: string = `Autostash exists; creating a new stash entry.\n${kept}`

/** Brings back what was put aside; with conflicts it stays a stash. */
export async function restoreAside(call: GitCall, repository: Repository, oid: string): Promise<void> {
  if ((await readState(repository, file)) !== undefined) {
    const changes = new Changes()
    await keepAside(repository, changes)
    await repository.removeState(changes, 'rebase-merge')
    await repository.commit(changes)
  }
  const stash = await findStash(repository, undefined)
  if (stash.oid !== oid) return
  const silent = call.writingTo({ write: async () => {} })
  const isClean = await applyStash(silent, repository, stash, { restoresIndex: false, isDropped: true })
  await call.warn(
    isClean
      ? 'Applied autostash.'
      : `Applying autostash resulted in conflicts.
${kept}`,
  )
}
