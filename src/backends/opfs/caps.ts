// What a stored filesystem can do. Apart from it, because a page knows this without loading it.

import type { VfsCaps } from '../../vfs/backend.ts'
import { treeCaps } from '../../vfs/tree/tree-backend.ts'

export const storedCaps: VfsCaps = { ...treeCaps, persistent: true, owners: false }
