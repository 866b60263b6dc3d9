// The ways to open a stored filesystem for which the contract is tested in real browsers: the store alone in each place, and a tab that
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

/** Only a tab that has its files in OPFS exclusively can be synchronous. */
export function capsOf(subject: SubjectName): VfsCaps {
  return { ...storedCaps, sync: subject === 'opfs' }
}
