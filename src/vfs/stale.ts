// Whoever based a change on a revision that is no longer there is told what is.

import type { VfsPath } from '../core/path.ts'
import { failure, type VfsError } from './error.ts'

/** A revision of 0 stands for "missing". */
export function stale(syscall: string, path: VfsPath, expectedRev: number, actualRev: number): VfsError {
  const told = (rev: number): string => (rev === 0 ? 'missing' : `at revision ${rev}`)
  const hint = `expected ${told(expectedRev)}, it is ${told(actualRev)}; read it again and retry`
  return failure('ESTALE', syscall, path, hint)
}
