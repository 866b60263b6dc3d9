// What `log`, `show` and `diff-tree` do where no option says otherwise.

import type { DiffDefaults, DiffSettings } from '../diff/settings.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'

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
