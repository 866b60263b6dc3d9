// Chooses how the changes of a filesystem are recorded: by snapshots, or otherwise by the operations that pass through it.

import type { VfsBackend } from '../vfs/backend.ts'
import { KeptSteps } from './kept-steps.ts'
import type { HistoryFiles, StatesBackend } from './states.ts'

/** All changes to be recorded must go through `files` of the result. Opens a filesystem that opens with its first operation. */
export async function prepareHistory(given: VfsBackend, clock: () => number): Promise<HistoryFiles> {
  const backend = given.opened === undefined ? given : await given.opened()
  if (hasStates(backend)) {
    const { records } = backend
    const kept = records && (await KeptSteps.open(records, (from, to) => backend.diff(from, to)))
    return { files: backend, states: backend, records: 'all', kept }
  }
  const { recordOwnChanges } = await import('./own-changes.ts')
  return { ...recordOwnChanges(backend, clock), records: 'own' }
}

function hasStates(backend: VfsBackend): backend is StatesBackend {
  const { snapshot, diff, fork, batch, watch, caps } = backend
  return [snapshot, diff, fork, batch, watch].every(each => each !== undefined) && caps.watch === 'exact'
}
