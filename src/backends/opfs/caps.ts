// The capabilities of a stored filesystem. They have a separate file, so that a page can read them without loading the store.

import type { VfsCaps } from '../../vfs/backend.ts'
import { treeCaps } from '../../vfs/tree/caps.ts'

export const storedCaps: VfsCaps = { ...treeCaps, persistent: true }
