// `git stash -p`: keeps the hunks that are chosen.

import { encodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { GitFailure } from '../errors.ts'
import type { Version } from '../merge/tree-merge.ts'
import { storeStash } from '../merge/stash-list.ts'
import { createStash, type StashPushOptions } from '../merge/stash.ts'
import { treeWithChanges } from '../merge/tree-with-changes.ts'
import type { Options } from '../options.ts'
import { reversedHunk } from '../patch/choosable-hunk.ts'
import { type ChosenFile, chooseChanges, editFile } from '../patch/choose-changes.ts'
import { Changes, type Repository } from '../repository.ts'
import { modes } from '../store/object-format.ts'
import { resetIndex } from '../work/switch-tree.ts'
import { parsePathspec } from '../work/pathspec.ts'

export async function stashChosen(
  call: GitCall,
  repository: Repository,
  push: StashPushOptions,
  options: Options,
): Promise<number> {
  if (push.untracked !== 'none') throw new GitFailure("Can't use --patch and --include-untracked or --all at the same time", 1)
  if (push.isStagedOnly) throw new GitFailure("Can't use --staged and --patch at the same time", 1)
  const index = await repository.readIndex()
  let chosen: readonly ChosenFile[] = []
  const saved = await createStash(call, repository, index, {
    ...push,
    choose: async tree => {
      const pathspec = push.paths ?? parsePathspec(repository, [])
      chosen = await chooseChanges(call, repository, { mode: 'stash', pathspec, tree })
      if (chosen.length === 0) throw new GitFailure(push.isQuiet ? '' : 'No changes selected', 1)
      const versions = new Map<string, Version | undefined>()
      for (const { path, result } of chosen) versions.set(path, await versionOf(repository, result))
      return treeWithChanges(repository, tree, versions)
    },
  })
  if (saved === undefined) {
    if (!push.isQuiet) await call.print('No local changes to save')
    return 0
  }
  const changes = new Changes()
  await storeStash(repository, changes, saved.oid, saved.message)
  for (const file of chosen) {
    const edit = { path: file.path, seen: file.seen, result: file.rest, hunks: file.hunks.map(reversedHunk) }
    await editFile(repository, changes, index, edit)
  }
  // Choosing keeps the index, unless the opposite is asked for.
  if (options.isNegated('keep-index'))
    await resetIndex(repository, index, await repository.treeOf(saved.head), push.paths?.filter)
  await repository.commit(changes, index)
  if (!push.isQuiet) await call.print(`Saved working directory and index state ${saved.message}`)
  return 0
}

async function versionOf(repository: Repository, result: ChosenFile['result']): Promise<Version | undefined> {
  if (result === undefined) return undefined
  const { mode, text } = result
  return { mode, oid: mode === modes.submodule ? text : await repository.objects.write('blob', encodeText(text)) }
}
