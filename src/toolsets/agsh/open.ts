// Files as agsh's tools take them, with failures that name these tools.

import { ToolError } from '../../core/errors.ts'
import { loadText, type LoadedText } from '../../session/load-text.ts'
import type { ResolvedPath } from '../../session/resolve-path.ts'
import type { Session } from '../../session/session.ts'
import type { Stat } from '../../vfs/backend.ts'

/** A file that is there. Throws `ToolError`: `ENOENT`, `EISDIR` and those of the path. */
export async function resolveFile(session: Session, path: string): Promise<ResolvedPath & { readonly stat: Stat }> {
  const file = await session.paths.resolve(path)
  const { stat } = file
  if (stat === undefined) {
    throw new ToolError('ENOENT', `failed to resolve path '${file.display}': no such file or directory.`, {
      nextStep: 'Check the path; relative paths start at the workspace.',
      details: { path: file.display },
    })
  }
  if (stat.kind === 'directory') {
    throw new ToolError('EISDIR', `failed to read '${file.display}': it is a directory.`, {
      nextStep: 'Name a file inside it.',
      details: { path: file.display },
    })
  }
  return { ...file, stat }
}

/** Throws `ToolError`: `binary-file`, `file-too-large`. */
export async function openText(session: Session, file: ResolvedPath): Promise<LoadedText> {
  try {
    return await loadText(session, file)
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const reason = error.code === 'binary-file' ? 'it is not text in valid UTF-8 without null bytes' : error.message
    throw new ToolError(error.code, `failed to read '${file.display}': ${reason}.`, {
      nextStep: 'Only text and the images that read_file lists can be read.',
      details: error.details,
      cause: error,
    })
  }
}
