// What is looked at in submodules, beside the commit that is checked out.

import type { Options } from '../options.ts'

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
