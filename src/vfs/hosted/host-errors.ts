// Converts errors of a host to errors of the port: with our paths, and codes that callers may check.

import { isVfsErrorCode, VfsError, type VfsErrorCode } from '../error.ts'

const otherNames: ReadonlyMap<string, VfsErrorCode> = new Map([
  ['EDQUOT', 'ENOSPC'],
  ['EMFILE', 'EAGAIN'],
  ['ENFILE', 'EAGAIN'],
  ['ETXTBSY', 'EBUSY'],
  ['ENOSYS', 'ENOTSUP'],
  ['EOPNOTSUPP', 'ENOTSUP'],
])

/** Returns other errors unchanged: they are bugs, and must look like bugs. */
export function fromHost(error: unknown, path: string, dest?: string): unknown {
  if (error instanceof VfsError || !(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error
  // Node's argument errors have codes like ERR_INVALID_ARG_VALUE.
  if (error.code.startsWith('ERR_')) return error
  const syscall = 'syscall' in error && typeof error.syscall === 'string' ? error.syscall : 'open'
  const code = isVfsErrorCode(error.code) ? error.code : otherNames.get(error.code)
  const hint = code === undefined || code !== error.code ? `the system says ${error.code}` : undefined
  return new VfsError(code ?? 'EIO', syscall, { path, dest, hint, cause: error })
}
