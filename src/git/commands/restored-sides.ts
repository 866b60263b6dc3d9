// What `checkout` and `restore` do with files that are in conflict.

import type { GitCall } from '../call.ts'
import { fatal, notBuilt } from '../errors.ts'
import type { Options } from '../options.ts'
import type { Changes, Repository } from '../repository.ts'
import type { ConflictMaker } from '../work/file-restore.ts'

/** A conflict is resolved by one side, or made again, or left. */
export function refuseTwoWays(options: Options): void {
  const isMerging = options.has('merge') || options.has('conflict')
  if ([options.has('stage'), options.has('force'), isMerging].filter(Boolean).length > 1)
    throw fatal('git checkout: --ours/--theirs, --force and --merge are incompatible when\nchecking out of the index.')
}

/** Makes conflicts again, if that is asked for. */
export async function conflictMaker(
  repository: Repository,
  changes: Changes,
  options: Options,
  isFromTree: boolean,
): Promise<ConflictMaker | undefined> {
  const given = options.value('conflict')
  if (given === undefined && !options.has('merge')) return undefined
  const style = given ?? repository.config().get('merge.conflictstyle') ?? 'merge'
  if (style !== 'merge' && style !== 'diff3' && style !== 'zdiff3')
    throw fatal(`unknown style '${style}' given for 'merge.conflictstyle'`)
  if (isFromTree) throw notBuilt('--merge beside a tree')
  return (await import('./rare-commands.ts')).conflictMaker(repository, changes, style)
}

/** Called for each conflict that is left, if the option allows them. */
export function ignoredConflicts(call: GitCall, options: Options, key: string): ((path: string) => Promise<void>) | undefined {
  if (!options.has(key)) return undefined
  return async path => {
    if (!options.has('quiet')) await call.warn(`warning: path '${path}' is unmerged`)
  }
}
