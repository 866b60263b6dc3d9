// Overlays for tests: a tree to lay them over, and their changes as text.

import type { Difference, VfsBackend, VfsSync } from '../vfs/backend.ts'
import { createTreeStore } from '../vfs/tree/store.ts'
import { treeBackend } from '../vfs/tree/tree-backend.ts'

export function tree(): VfsBackend & { readonly sync: VfsSync } {
  const store = createTreeStore(Date.now)
  return { ...treeBackend(() => store), sync: store.fs }
}

export function syncOf({ sync }: VfsBackend): VfsSync {
  if (sync === undefined) throw new Error('it is synchronous')
  return sync
}

export const describeAll = (all: readonly Difference[]): string =>
  all.map(({ type, path: at, oldPath }) => `${type} ${oldPath === undefined ? '' : `${oldPath}>`}${at}`).join(', ')
