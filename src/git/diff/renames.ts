// Finds deleted files that reappear under another name. What compares contents is loaded where files were both deleted and added.

import { GitFailure } from '../errors.ts'
import type { Repository } from '../repository.ts'
import { modes } from '../store/object-format.ts'
import type { FilePair } from './file-pair.ts'
import type { FileSide } from './tree-diff.ts'

export interface RenameOptions {
  /** 0 to 100. */
  readonly minimumPercent: number
  readonly copies: 'none' | 'changed' | 'all'
  /** Above the square of this many comparisons, only equal contents are found. */
  readonly limit: number
  /** Unchanged files, as sources of copies, for `all`. */
  readonly unchanged?: readonly FilePair[]
  /** Empty files are never renamed. */
  readonly skipsEmpty?: boolean
  /** For merges: empty files are ignored, and for a file that the other side did not change only equal contents are considered. */
  readonly isRelevant?: (path: string) => boolean
}

export interface RenameSource {
  readonly pair: FilePair
  readonly side: FileSide
  /** It still exists, so it can only be copied. */
  readonly isKept: boolean
  isUsed: boolean
}

export interface RenameTarget {
  readonly pair: FilePair
  readonly side: FileSide
  found: { readonly source: RenameSource; readonly score: number } | undefined
}

export async function findRenames(
  repository: Repository,
  pairs: readonly FilePair[],
  options: RenameOptions,
): Promise<readonly FilePair[]> {
  const targets: RenameTarget[] = []
  const sources: RenameSource[] = []
  for (const pair of pairs) {
    // A merge brings submodules together path by path.
    const isTarget = pair.after?.mode !== modes.submodule || options.isRelevant === undefined
    if (pair.status === 'A' && pair.after !== undefined && isTarget) {
      targets.push({ pair, side: pair.after, found: undefined })
    } else if (pair.status === 'D' && pair.before !== undefined)
      sources.push({ pair, side: pair.before, isKept: false, isUsed: false })
    else if (options.copies !== 'none' && pair.before !== undefined && pair.after !== undefined) {
      sources.push({ pair, side: pair.before, isKept: true, isUsed: true })
    }
  }
  for (const pair of options.copies === 'all' ? (options.unchanged ?? []) : []) {
    if (pair.before !== undefined) sources.push({ pair, side: pair.before, isKept: true, isUsed: true })
  }
  if (targets.length === 0 || sources.length === 0) return pairs
  const { withRenames } = await import('./rename-finder.ts')
  return withRenames(repository, pairs, { targets, sources }, options)
}

/** How much of a content must be kept, in the forms of options: `50%`, `5` and `0.5` are the same. */
export function percent(text: string | undefined, otherwise: number): number {
  if (text === undefined || text === '') return otherwise
  const [, digits = '', sign] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? []
  if (digits === '') throw new GitFailure(`error: invalid argument to find-renames`, 129)
  if (sign === '%' || digits.includes('.'))
    return digits.includes('.') && sign !== '%' ? Number(digits) * 100 : Math.min(100, Number(digits))
  // Without a sign the digits are decimals.
  return Math.min(100, Number(`0.${digits}`) * 100)
}
