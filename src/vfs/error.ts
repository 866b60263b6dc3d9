// One error for every backend. Programs look for "ENOENT" in the message or at `code`, so it carries both.

import { AnchorageError } from '../core/errors.ts'

/** The errno names that a backend may use, with their POSIX meaning. The cases are in testing/vfs-contract. */
export type VfsErrorCode = keyof typeof errnoText

/** The meaning of each code, in Node's words if Node has it. */
export const errnoText = {
  ENOENT: 'no such file or directory',
  EEXIST: 'file already exists',
  ENOTDIR: 'not a directory',
  EISDIR: 'illegal operation on a directory',
  ENOTEMPTY: 'directory not empty',
  EINVAL: 'invalid argument',
  ELOOP: 'too many symbolic links encountered',
  ENAMETOOLONG: 'name too long',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'read-only file system',
  EXDEV: 'cross-device link not permitted',
  ENOSPC: 'no space left on device',
  EFBIG: 'file too large',
  EBUSY: 'resource busy or locked',
  EAGAIN: 'resource temporarily unavailable',
  ESTALE: 'the file changed meanwhile',
  EBADF: 'bad file descriptor',
  EMLINK: 'too many links',
  ENOTSUP: 'operation not supported',
  EIO: 'i/o error',
  ECANCELED: 'operation canceled',
} as const

export interface VfsErrorOptions {
  readonly path?: string | undefined
  readonly dest?: string | undefined
  /** Appended in parentheses: what exactly is wrong, or what to do. */
  readonly hint?: string | undefined
  readonly cause?: unknown
}

/** A failed filesystem call. The message has Node's format: `ENOENT: no such file or directory, open '/a'`. */
export class VfsError extends AnchorageError {
  declare readonly code: VfsErrorCode
  declare readonly syscall: string
  declare readonly path: string | undefined
  declare readonly dest: string | undefined
  /** The text in parentheses at the end of the message. */
  declare readonly hint: string | undefined

  constructor(code: VfsErrorCode, syscall: string, { path, dest, hint, cause }: VfsErrorOptions = {}) {
    const details = { syscall, path, dest }
    let message = `${code}: ${errnoText[code]}, ${syscall}`
    if (path !== undefined) message += ` '${path}'`
    if (dest !== undefined) message += ` -> '${dest}'`
    if (hint !== undefined) message += ` (${hint})`
    super(code, message, { details, cause })
    Object.assign(this, { name: 'VfsError', ...details, hint })
  }
}

/** Short form for the usual case: an error about one path. */
export function failure(code: VfsErrorCode, syscall: string, path: string, hint?: string): VfsError {
  return new VfsError(code, syscall, { path, hint })
}

export function isVfsErrorCode(code: unknown): code is VfsErrorCode {
  return typeof code === 'string' && Object.hasOwn(errnoText, code)
}

/** Whether `error` is a failed filesystem call with one of `codes`, or with any code if none is given. */
export function isVfsError(error: unknown, ...codes: readonly VfsErrorCode[]): error is VfsError {
  return error instanceof VfsError && (codes.length === 0 || codes.includes(error.code))
}

/** The result of `look`; `undefined` if it fails with one of `codes`, or with any code of a filesystem if none is given. */
export function ifThere<T>(look: () => T, ...codes: readonly VfsErrorCode[]): T | undefined {
  try {
    return look()
  } catch (error) {
    if (isVfsError(error, ...codes)) return undefined
    throw error
  }
}

/** The same for a promise. */
export async function ifThereLater<T>(look: () => Promise<T>, ...codes: readonly VfsErrorCode[]): Promise<T | undefined> {
  try {
    return await look()
  } catch (error) {
    if (isVfsError(error, ...codes)) return undefined
    throw error
  }
}
