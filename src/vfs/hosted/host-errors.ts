// Converts errors of a host to errors of the port: with our paths, and codes that callers may check.

import { systemErrorCode } from '../../core/errors.ts'
import { isRecord } from '../../core/record.ts'
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
  const given = systemErrorCode(error)
  // Node's argument errors have codes like ERR_INVALID_ARG_VALUE.
  if (error instanceof VfsError || given === undefined || given.startsWith('ERR_')) return error
  const syscall = isRecord(error) && typeof error['syscall'] === 'string' ? error['syscall'] : 'open'
  const code = isVfsErrorCode(given) ? given : otherNames.get(given)
  const hint = code === undefined || code !== given ? `the system says ${given}` : undefined
  return new VfsError(code ?? 'EIO', syscall, { path, dest, hint, cause: error })
}
