// What `log`, `show` and `diff-tree` do where no option says otherwise.

import type { DiffDefaults, DiffSettings } from '../diff/settings.ts'
import { GitFailure } from '../errors.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import type { Config } from '../store/config.ts'
import type { Commit } from '../store/object-format.ts'

export type LogKind = 'log' | 'show' | 'whatchanged' | 'diff-tree'

export function diffDefaults(repository: Repository, options: Options, kind: LogKind): DiffDefaults {
  const isPlumbing = kind === 'diff-tree'
  const given = options.value('merge-diff')
  const impliesPatch = isPlumbing
    ? ['--cc', 'cc', 'dense-combined'].includes(given ?? '')
    : given !== undefined && !['-m', 'off', 'none'].includes(given)
  return {
    format: kind === 'show' || impliesPatch ? 'patch' : kind === 'log' ? undefined : 'raw',
    config: repository.config(),
    prefix: repository.prefix,
    isPlumbing,
    fullIds: isPlumbing,
  }
}

/** `--diff-filter` with small letters only, and nothing else that needs differences: git compares nothing, and shows no commit. */
export function hidesAllCommits(options: Options, { filter, pickaxe, objectName }: DiffSettings): boolean {
  return (
    /^[a-z]+$/.test(filter ?? '') &&
    pickaxe === undefined &&
    objectName === undefined &&
    !['follow', 'exit-code'].some(key => options.has(key))
  )
}

/** Without a signature there is nothing to show. */
export function refuseSignature(options: Options, config: Config, { extra }: Commit): void {
  const isUsual = config.has('log.showsignature') && config.bool('log.showsignature', false)
  const isAsked = options.has('show-signature') || (!options.isNegated('show-signature') && isUsual)
  if (isAsked && extra.some(({ key }) => key === 'gpgsig'))
    throw new GitFailure('error: --show-signature: checking signatures is not built into this git', 129)
}
