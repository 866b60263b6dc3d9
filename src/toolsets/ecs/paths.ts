// Paths as ecs speaks of them (ecs §4.1).

import { ToolError } from '../../core/errors.ts'
import type { ResolvedPath } from '../../session/resolve-path.ts'
import type { Session } from '../../session/session.ts'

/** Throws `ToolError` `path-outside-root`, `path-invalid`. */
export async function resolveInside(session: Session, given: string): Promise<ResolvedPath> {
  try {
    return await session.paths.resolve(given)
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'path-outside-root') throw error
    throw new ToolError('path-outside-root', `Path outside workspace: ${given}`, { details: { path: given }, cause: error })
  }
}

/** A file that is there. Throws also `ENOENT`, `EISDIR`. */
export async function resolveFile(session: Session, given: string): Promise<ResolvedPath> {
  const file = await resolveInside(session, given)
  if (file.stat === undefined) throw new ToolError('ENOENT', `No such file: ${file.path}`, { details: { path: file.display } })
  if (file.stat.kind === 'directory') {
    throw new ToolError('EISDIR', `Is a directory: ${file.path}`, { details: { path: file.display } })
  }
  return file
}
