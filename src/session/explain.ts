// Explains a filesystem error to a model: what failed, with the model's paths, and what to do now.

import { ToolError } from '../core/errors.ts'
import { displayPath, parsePath, pathProblem, type VfsPath } from '../core/path.ts'
import type { VfsError, VfsErrorCode } from '../vfs/error.ts'

const nextSteps: Partial<Record<VfsErrorCode, string>> = {
  ENOENT: 'Check the path with find, or list its directory with read.',
  ENOTDIR: 'A part of the path is a file, not a directory. List the parent with read.',
  EISDIR: 'This is a directory. Name a file inside it.',
  EEXIST: 'A file or directory of that name exists. Read it first, or choose another name.',
  ENOTEMPTY: 'The directory still has entries.',
  EROFS: 'This part of the workspace is read-only. Write somewhere else.',
  EACCES: 'Access is not allowed. Work on another path.',
  EPERM: 'This is not allowed here. Work on another path.',
  ENOSPC: 'The storage is full. Delete files that are no longer needed, then try again.',
  EFBIG: 'The file would be too large for this filesystem. Split it.',
  ENAMETOOLONG: 'Use a shorter path.',
  EINVAL: 'Use an ordinary path inside the workspace.',
  ELOOP: 'The symbolic links form a loop. Name the file by its real path.',
  ESTALE: 'The file changed meanwhile. Read it again and repeat the change.',
  EBUSY: 'It is in use. Try again in a moment.',
  EAGAIN: 'Try again in a moment.',
}

export function explainVfsError(error: VfsError, root: VfsPath): ToolError {
  // A policy below the tools gives the reason for its refusal.
  if (error.cause instanceof ToolError) return error.cause
  const shown =
    error.path !== undefined && pathProblem(error.path) === undefined && error.path.startsWith('/')
      ? displayPath(parsePath(error.path), root)
      : error.path
  return new ToolError(error.code, error.message.replace(`${error.code}: `, ''), {
    nextStep: nextStepOf(error),
    details: { ...error.details, ...(shown === undefined ? {} : { path: shown }) },
    cause: error,
  })
}

function nextStepOf({ code, details }: VfsError): string {
  // The store is open in another tab. Repeating the change would be worse than not making it.
  if (details['fate'] === 'unknown') return 'The operation may have succeeded. Read the file before you repeat it.'
  return nextSteps[code] ?? 'Try again; if it happens again, tell the user.'
}
