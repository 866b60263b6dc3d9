// What is under way in a repository: a merge, a rebase and so on, told by files in its directory.

import type { Repository } from '../repository.ts'
import { isObjectId } from '../store/object-format.ts'

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
  const bisected = await repository.readState('BISECT_START')
  if (bisected !== undefined) found.push({ kind: 'bisect', name: bisected })
  return found
}
