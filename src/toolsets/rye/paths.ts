// Paths as rye speaks of them: checked for being inside first and for being there second (rye §2.1).

import { ToolError } from '../../core/errors.ts'
import { displayPath, type VfsPath } from '../../core/path.ts'
import type { Stat } from '../../vfs/backend.ts'
import type { ResolvedPath } from '../../session/resolve-path.ts'
import type { Session } from '../../session/session.ts'

export interface PresentPath extends ResolvedPath {
  readonly stat: Stat
}

/** Throws `ToolError` `path-outside-root`, `path-invalid`. */
export async function resolveInside(session: Session, given: string, what = 'Path'): Promise<ResolvedPath> {
  try {
    return await session.paths.resolve(given)
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'path-outside-root') throw error
    throw new ToolError('path-outside-root', `${what} is outside the project workspace`, {
      details: { path: given },
      cause: error,
    })
  }
}

/** A file that is there. Throws also `ENOENT`, `EISDIR`. */
export async function resolveFile(session: Session, given: string): Promise<PresentPath> {
  const file = await resolveInside(session, given)
  if (file.stat === undefined) throw missing('File', file)
  if (file.stat.kind === 'directory') {
    throw new ToolError('EISDIR', 'Path is a directory, not a file', { details: { path: file.display } })
  }
  return { ...file, stat: file.stat }
}

/** What glob and grep start from; `undefined` is the root. */
export async function resolveSearchPath(session: Session, given: string | undefined): Promise<PresentPath> {
  const place = await resolveInside(session, given === undefined || given === '' ? '.' : given, 'Search path')
  if (place.stat === undefined) throw missing('Search path', place)
  return { ...place, stat: place.stat }
}

export function missing(what: string, { path, display }: ResolvedPath): ToolError {
  return new ToolError('ENOENT', `${what} not found: ${path}`, { details: { path: display } })
}

/** As results show it: from the root, links resolved, '' for the root. */
export function fromRoot(session: Session, path: VfsPath): string {
  return path === session.root ? '' : displayPath(path, session.root)
}
