// Whoever based a change on a revision that is no longer there is told what is.

import type { VfsPath } from '../../core/path.ts'
import { VfsError } from '../error.ts'

/** A revision of 0 stands for "missing". */
export function stale(syscall: string, path: VfsPath, expectedRev: number, actualRev: number): VfsError {
  const found = actualRev === 0 ? 'it is missing' : `it is at revision ${actualRev}`
  const wanted = expectedRev === 0 ? 'it was expected to be missing' : `revision ${expectedRev} was expected`
  return new VfsError('ESTALE', syscall, { path, hint: `${wanted}, ${found}; read it again and retry` })
}
