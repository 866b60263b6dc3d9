// The capabilities of a tree. They have a separate file, so that a page can read them without loading the tree.

import { maxNameBytes } from '../../core/path.ts'
import type { VfsCaps } from '../backend.ts'

/** Limit for one file: the largest `Uint8Array` that every platform supports. */
export const maxFileBytes: number = 2 ** 31 - 1

export const treeCaps: VfsCaps = {
  sync: true,
  persistent: false,
  readonly: false,
  symlinks: 'native',
  hardlinks: true,
  mode: true,
  owners: true,
  mtime: 'exact',
  atomicWrite: true,
  atomicRename: true,
  transactions: true,
  snapshots: true,
  watch: 'exact',
  ranges: true,
  caseSensitive: true,
  maxNameBytes,
  maxFileBytes,
}
