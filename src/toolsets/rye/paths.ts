// The words of rye's tools for problems with a path, and the form of paths in results.

import { ToolError } from '../../core/errors.ts'
import { displayPath, type VfsPath } from '../../core/path.ts'
import type { ResolvedPath } from '../../session/resolve-path.ts'
import { resolvePath, type FileWords, type PresentFile } from '../../session/resolve-text.ts'
import type { Session } from '../../session/session.ts'

export const ryeWords: FileWords = {
  missing: file => missing('File', file),
  directory: ({ display }) => new ToolError('EISDIR', 'Path is a directory, not a file', { details: { path: display } }),
  outside: (given, cause) => outside('Path', given, cause),
}

const searchWords: FileWords = { ...ryeWords, outside: (given, cause) => outside('Search path', given, cause) }

function outside(what: string, given: string, cause: ToolError): ToolError {
  return new ToolError('path-outside-root', `${what} is outside the project workspace`, { details: { path: given }, cause })
}

/** The directory where glob and grep start; `undefined` is the root. */
export async function resolveSearchPath(session: Session, given: string | undefined): Promise<PresentFile> {
  const place = await resolvePath(session, given === undefined || given === '' ? '.' : given, searchWords)
  if (place.stat === undefined) throw missing('Search path', place)
  return { ...place, stat: place.stat }
}

export function missing(what: string, { path, display }: ResolvedPath): ToolError {
  return new ToolError('ENOENT', `${what} not found: ${path}`, { details: { path: display } })
}

/** The path in a result: relative to the root, with links resolved; '' for the root. */
export function fromRoot(session: Session, path: VfsPath): string {
  return path === session.root ? '' : displayPath(path, session.root)
}
