// Resolves a path from a model to an existing file and its text. Each toolset supplies its error messages.

import { ToolError } from '../core/errors.ts'
import type { Stat } from '../vfs/backend.ts'
import { loadText, type LoadedText } from './load-text.ts'
import type { ResolvedPath } from './resolve-path.ts'
import type { Session } from './session.ts'

export interface FileWords {
  readonly missing: (file: ResolvedPath) => ToolError
  readonly directory: (file: ResolvedPath) => ToolError
  /** Replaces the resolver's `path-outside-root`. */
  readonly outside?: (given: string, cause: ToolError) => ToolError
  /** Replaces the loader's `binary-file` and `file-too-large`. */
  readonly notText?: (file: PresentFile, cause: ToolError) => ToolError
}

export interface PresentFile extends ResolvedPath {
  readonly stat: Stat
}

export interface OpenedText extends LoadedText {
  readonly file: PresentFile
}

/** Throws `ToolError`: `path-outside-root`, `path-invalid` and the resolver's other errors. */
export async function resolvePath(session: Session, given: string, { outside }: FileWords): Promise<ResolvedPath> {
  try {
    return await session.paths.resolve(given)
  } catch (error) {
    if (outside === undefined || !(error instanceof ToolError) || error.code !== 'path-outside-root') throw error
    throw outside(given, error)
  }
}

/** Returns an existing file. Also throws `ENOENT` and `EISDIR`. */
export async function resolveFile(session: Session, given: string, words: FileWords): Promise<PresentFile> {
  const file = await resolvePath(session, given, words)
  const { stat } = file
  if (stat === undefined) throw words.missing(file)
  if (stat.kind === 'directory') throw words.directory(file)
  return { ...file, stat }
}

/** Returns the text of a file. Throws `ToolError` `binary-file` and `file-too-large`. */
export async function openText(session: Session, file: PresentFile, { notText }: FileWords): Promise<OpenedText> {
  try {
    return { ...(await loadText(session, file)), file }
  } catch (error) {
    throw notText !== undefined && error instanceof ToolError ? notText(file, error) : error
  }
}

/** Throws the errors of `resolveFile` and `openText`. */
export async function resolveText(session: Session, given: string, words: FileWords): Promise<OpenedText> {
  return openText(session, await resolveFile(session, given, words), words)
}
