// The ways to open a stored filesystem that the contract is held on in real browsers: the store alone in each place, and a tab that
// shares it, which is the default.

import { storedCaps } from '../../backends/opfs/caps.ts'
import type { OpfsOptions } from '../../backends/opfs/index.ts'
import type { VfsCaps } from '../../vfs/backend.ts'

export type SubjectName = 'opfs' | 'indexeddb' | 'shared' | 'sharedIndexeddb'

export const subjects: Readonly<Record<SubjectName, Omit<OpfsOptions, 'name'>>> = {
  opfs: { storage: ['opfs'], tabs: 'exclusive' },
  indexeddb: { storage: ['indexeddb'], tabs: 'exclusive' },
  shared: {},
  sharedIndexeddb: { storage: ['indexeddb'] },
}

/** Only one that has its files for itself, in OPFS, can answer at once. */
export function capsOf(subject: SubjectName): VfsCaps {
  return { ...storedCaps, sync: subject === 'opfs' }
}
