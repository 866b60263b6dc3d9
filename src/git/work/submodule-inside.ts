// Changes inside of a submodule that are not committed there.

import { modes } from '../store/object-format.ts'
import type { Repository } from '../repository.ts'
import type { SubmoduleDirt } from './submodule-dirt.ts'
import { openSubmodule } from './submodule-head.ts'
import { readStatus, type StatusRow } from './status.ts'

/** Nothing if the submodule is as it was committed. */
export async function dirtOf(repository: Repository, path: string, ignored: string): Promise<SubmoduleDirt | undefined> {
  const inside = await openSubmodule(repository, path)
  if (inside === undefined) return undefined
  const untracked = ignored === 'untracked' ? 'no' : 'normal'
  const { rows, untracked: others } = await readStatus(inside, await inside.readIndex(), (await inside.head()).oid, { untracked })
  const isModified = rows.some(row => !hasOnlyUntracked(row))
  const hasUntracked = others.length > 0 || rows.some(row => row.unstaged?.after?.dirt?.hasUntracked === true)
  return isModified || hasUntracked ? { isModified, hasUntracked } : undefined
}

/** A submodule of the submodule in which there are new files and nothing else. */
function hasOnlyUntracked({ unstaged, conflict }: StatusRow): boolean {
  if (conflict !== undefined || unstaged?.status !== 'M' || unstaged.after?.mode !== modes.submodule) return false
  return unstaged.after.dirt?.isModified === false && unstaged.before?.oid === unstaged.after.oid
}
