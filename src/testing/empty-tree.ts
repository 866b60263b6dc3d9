import { treeBackend } from '../vfs/tree/tree-backend.ts'
import { createTreeStore } from '../vfs/tree/store.ts'

/** A filesystem in memory without files. */
export function emptyTree(): ReturnType<typeof treeBackend> {
  const store = createTreeStore(Date.now)
  return treeBackend(() => store)
}
