// The files of a history, and the states of them that it compares.

import type { VfsBackend } from '../vfs/backend.ts'
import type { KeptSteps } from './kept-steps.ts'

/** The files of a history. See `prepareHistory`. */
export interface HistoryFiles {
  /** The filesystem that an undo changes. */
  readonly files: VfsBackend
  /** The states to compare, of the files themselves or of the known tree. Its changes are recorded. */
  readonly states: StatesBackend
  readonly records: 'all' | 'own'
  /** The storage for steps, which outlives the page. */
  readonly kept?: KeptSteps | undefined
}

export type StatesBackend = VfsBackend & Required<Pick<VfsBackend, 'snapshot' | 'diff' | 'fork' | 'watch'>>

/** The origin of changes that were discovered, not observed. */
export const unseenOrigin = 'anchorage-unseen'
