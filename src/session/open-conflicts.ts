// Finds the lines of a numbered conflict in the current file. If that is impossible, the error says how to get a valid number.

import { ToolError } from '../core/errors.ts'
import type { VfsPath } from '../core/path.ts'
import { formatConflictAddress } from '../resources/conflict/address.ts'
import { conflictText, findConflicts, type ConflictRegion } from '../resources/conflict/regions.ts'
import type { RegisteredConflict } from './conflicts.ts'
import { loadText, type LoadedText } from './load-text.ts'
import type { ResolvedPath } from './resolve-path.ts'
import type { Session } from './session.ts'

export interface ConflictFile {
  readonly file: ResolvedPath
  readonly loaded: LoadedText
  /** All conflicts of the file, in order. */
  readonly regions: readonly ConflictRegion[]
  /** Number → index in `regions`, for the conflicts that the session was shown and that did not change. */
  readonly located: ReadonlyMap<number, number>
}

/** Throws `ToolError` `conflict-unknown` for a number that this session did not assign, or whose conflict is gone. */
export function registeredConflict(session: Session, id: number): RegisteredConflict {
  const conflict = session.conflicts.get(id)
  if (conflict !== undefined) return conflict
  const why = session.conflicts.isPast(id) ? 'was resolved, or is gone from its file' : 'was not shown in this session'
  throw new ToolError('conflict-unknown', `${formatConflictAddress(id)} ${why}.`, {
    nextStep: 'List the present conflicts with read: conflict://* for the workspace, or <path>:conflicts for one file.',
    details: { id },
  })
}

/** Returns the conflicts of the current file. Throws the errors of `loadText`. */
export async function openConflicts(session: Session, path: VfsPath): Promise<ConflictFile> {
  const file = await session.paths.resolve(path)
  const loaded = await loadText(session, file)
  const regions = findConflicts(loaded.document)
  const texts = regions.map(region => conflictText(loaded.document, region))
  return { file, loaded, regions, located: session.conflicts.locate(file.path, texts) }
}

/** Throws `ToolError` `conflict-changed` if the conflict differs from the one that the session was shown. */
export function locateConflict({ regions, located }: ConflictFile, conflict: RegisteredConflict): ConflictRegion {
  const index = located.get(conflict.id)
  const region = index === undefined ? undefined : regions[index]
  if (region !== undefined) return region
  throw new ToolError(
    'conflict-changed',
    `${formatConflictAddress(conflict.id)} in ${conflict.display} changed since it was shown. Nothing was written.`,
    {
      nextStep: `Look at the conflicts again with read: ${conflict.display}:conflicts`,
      details: { id: conflict.id, path: conflict.display },
    },
  )
}
