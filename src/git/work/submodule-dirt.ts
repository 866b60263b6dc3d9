// What is looked at in submodules, beside the commit that is checked out.

import { fatal } from '../errors.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { readConfigFile } from '../store/config.ts'

export interface SubmoduleDirt {
  readonly isModified: boolean
  readonly hasUntracked: boolean
}

/** One of `all`, `dirty`, `untracked` and `none`. */
export interface SubmoduleIgnore {
  /** As an option says it; it overrules the configuration. */
  readonly given: string | undefined
  /** Where neither an option nor the configuration says anything. */
  readonly otherwise: 'untracked' | 'none'
}

export function submoduleIgnore(options: Options, otherwise: SubmoduleIgnore['otherwise']): SubmoduleIgnore {
  return { given: options.has('ignore-submodules') ? (options.value('ignore-submodules') ?? 'all') : undefined, otherwise }
}

/** What `--ignore-submodules`, the configuration and `.gitmodules` leave to be seen of the submodule at `path`. */
export async function ignoredOf(repository: Repository, path: string, asked: SubmoduleIgnore): Promise<string> {
  if (asked.given !== undefined) return knownIgnore(asked.given)
  const config = repository.config()
  const where = { home: undefined, gitDir: repository.gitDir, branch: undefined }
  const entries = await readConfigFile(repository.files, `${repository.root}/.gitmodules`, 'local', where)
  const name = entries.findLast(({ name: key, value }) => key.endsWith('.path') && value?.replace(/\/$/, '') === path)?.name
  const key = name?.replace(/path$/, 'ignore')
  const own = key === undefined ? undefined : (config.get(key) ?? entries.findLast(entry => entry.name === key)?.value)
  return knownIgnore(own ?? config.get('diff.ignoresubmodules') ?? asked.otherwise)
}

export function knownIgnore(ignored: string): string {
  if (['all', 'dirty', 'untracked', 'none'].includes(ignored)) return ignored
  throw fatal(`bad --ignore-submodules argument: ${ignored}`)
}
