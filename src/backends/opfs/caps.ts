// What a stored filesystem can do. In a file of its own, so that a page can know it without loading the store.

import type { VfsCaps } from '../../vfs/backend.ts'
import { treeCaps } from '../../vfs/tree/tree-backend.ts'

export const storedCaps: VfsCaps = { ...treeCaps, persistent: true, owners: false }
