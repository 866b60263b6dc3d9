// Failures as Node reports them: libraries check `code`, and read `syscall`, `path` and `dest`.

import { defined } from '../../../core/record.ts'
import { errnoText, VfsError, type VfsErrorCode } from '../../error.ts'
import { coded } from './arguments.ts'

/** The errors that Node's `fs` throws. `errno` is the negative number of Linux. */
export interface NodeFsError extends Error {
  readonly code: string
  readonly errno?: number
  readonly syscall?: string
  readonly path?: string
  readonly dest?: string
}

/** The system call that Node would have made, and the paths as given. */
export interface NodeCall {
  readonly syscall: string
  readonly path?: string | undefined
  readonly dest?: string | undefined
}

/** Linux, as in errno.h. */
const errnos: Readonly<Record<VfsErrorCode, number>> = {
  EPERM: 1,
  ENOENT: 2,
  EIO: 5,
  EBADF: 9,
  EAGAIN: 11,
  EACCES: 13,
  EBUSY: 16,
  EEXIST: 17,
  EXDEV: 18,
  ENOTDIR: 20,
  EISDIR: 21,
  EINVAL: 22,
  EFBIG: 27,
  ENOSPC: 28,
  EROFS: 30,
  EMLINK: 31,
  ENAMETOOLONG: 36,
  ENOTEMPTY: 39,
  ELOOP: 40,
  ENOTSUP: 95,
  ESTALE: 116,
  ECANCELED: 125,
}

/** The error that Node would throw instead of a `VfsError`. Other errors are returned unchanged. */
export function nodeError(call: NodeCall, error: unknown): unknown {
  return error instanceof VfsError ? systemError(error.code, call, error) : error
}

export function hasCode(error: unknown, code: VfsErrorCode): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

export function systemError(code: VfsErrorCode, { syscall, path, dest }: NodeCall, cause?: unknown): NodeFsError {
  const where = path === undefined ? '' : ` '${path}'`
  const whereTo = dest === undefined ? '' : ` -> '${dest}'`
  const error = new Error(
    `${code}: ${errnoText[code]}${code === 'ENOTSUP' ? ' on socket' : ''}, ${syscall}${where}${whereTo}`,
    cause === undefined ? undefined : { cause },
  )
  return Object.assign(error, {
    errno: -errnos[code],
    code,
    syscall,
    ...defined({ path, dest }),
  })
}

/** An error that Node throws before or without a system call, such as ERR_FS_EISDIR. */
export function ownError(code: string, message: string, facts: Omit<Partial<NodeFsError>, 'code'> = {}): NodeFsError {
  const error = Object.assign(new Error(message), facts)
  return code.startsWith('ERR_') ? coded(error, code) : Object.assign(error, { code })
}

/** What Node says first about each conflict that `cp` finds. */
const copyProblems = {
  ERR_FS_CP_DIR_TO_NON_DIR: 'Cannot overwrite non-directory with directory',
  ERR_FS_CP_EEXIST: 'Target already exists',
  ERR_FS_CP_EINVAL: 'Invalid src or dest',
  ERR_FS_CP_NON_DIR_TO_DIR: 'Cannot overwrite directory with non-directory',
  ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY: 'Cannot overwrite symlink in subdirectory of self',
  ERR_FS_EISDIR: 'Path is a directory',
} as const

/** A conflict that `cp` finds. */
export function copyError(code: keyof typeof copyProblems, message: string, errnoName: VfsErrorCode, path: string): NodeFsError {
  return conflictError(code, 'cp', message, errnoName, path)
}

/** A directory that `cp` was not told to copy. `cpSync` gives it the number of EINVAL. */
export function directoryNotCopied(path: string, isSynchronous: boolean): NodeFsError {
  const message = `${path} is a directory (not copied)`
  return conflictError('ERR_FS_EISDIR', 'cp', message, 'EISDIR', path, isSynchronous ? errnos.EINVAL : errnos.EISDIR)
}

/** A directory where `rm` needs `recursive`. */
export function removeError(path: string): NodeFsError {
  return conflictError('ERR_FS_EISDIR', 'rm', 'is a directory', 'EISDIR', path)
}

/** An error that Node calls a `SystemError`. It has a positive `errno`, and its code is in its text. */
function conflictError(
  code: keyof typeof copyProblems,
  syscall: string,
  message: string,
  errnoName: VfsErrorCode,
  path: string,
  errno = errnos[errnoName],
): NodeFsError {
  const text = `${copyProblems[code]}: ${syscall} returned ${errnoName} (${message}) ${path}`
  const error = ownError(code, text, { errno, syscall, path })
  const hidden = (value: unknown): PropertyDescriptor => ({ value, writable: true, configurable: true })
  Object.defineProperties(error, {
    name: hidden('SystemError'),
    toString: hidden(() => `SystemError [${code}]: ${error.message}`),
  })
  return Object.assign(error, { info: { code: errnoName, message, path, syscall, errno } })
}

/** The error of a call that was cancelled by `signal`. */
export function abortError(signal: AbortSignal | undefined): NodeFsError {
  const error = Object.assign(new Error('The operation was aborted', { cause: signal?.reason }), { code: 'ABORT_ERR' })
  error.name = 'AbortError'
  return error
}

/** The error of an object that cannot do this now. */
export function invalidState(why: string): NodeFsError {
  return ownError('ERR_INVALID_STATE', `Invalid state: ${why}`)
}
