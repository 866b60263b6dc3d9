// What `-p` of each command compares, what it calls its answers, and where a chosen change goes.

import type { DialogWords } from './hunk-dialog.ts'

export type PatchModeName =
  | 'stage'
  | 'stash'
  | 'reset-head'
  | 'reset-other'
  | 'checkout-index'
  | 'checkout-head'
  | 'checkout-other'
  | 'worktree-head'
  | 'worktree-other'

export interface PatchMode extends DialogWords {
  readonly compares: 'index-files' | 'tree-files' | 'files-tree' | 'tree-index' | 'index-tree'
  readonly changes: 'index' | 'files' | 'both' | 'stash'
  /** A chosen change is taken back. */
  readonly isReverse: boolean
}

const discards = { verb: 'Discard', isReverse: true } as const
const applies = { verb: 'Apply', isReverse: false } as const

export const patchModes: Readonly<Record<PatchModeName, PatchMode>> = {
  stage: { verb: 'Stage', where: '', compares: 'index-files', changes: 'index', isReverse: false },
  stash: { verb: 'Stash', where: '', compares: 'tree-files', changes: 'stash', isReverse: false },
  'reset-head': { verb: 'Unstage', where: '', compares: 'tree-index', changes: 'index', isReverse: true },
  'reset-other': { ...applies, where: ' to index', compares: 'index-tree', changes: 'index' },
  'checkout-index': { ...discards, where: ' from worktree', compares: 'index-files', changes: 'files' },
  'checkout-head': { ...discards, where: ' from index and worktree', compares: 'tree-files', changes: 'both' },
  'checkout-other': { ...applies, where: ' to index and worktree', compares: 'files-tree', changes: 'both' },
  'worktree-head': { ...discards, where: ' from worktree', compares: 'tree-files', changes: 'files' },
  'worktree-other': { ...applies, where: ' to worktree', compares: 'files-tree', changes: 'files' },
}
