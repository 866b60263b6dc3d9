// The error for a change that is based on an outdated revision. It reports the current one.

import type { VfsPath } from '../core/path.ts'
import { failure, type VfsError } from './error.ts'

/** A revision of 0 means "missing". */
export function stale(syscall: string, path: VfsPath, expectedRev: number, actualRev: number): VfsError {
  const told = (rev: number): string => (rev === 0 ? 'missing' : `at revision ${rev}`)
  const hint = `expected ${told(expectedRev)}, it is ${told(actualRev)}; read it again`
  return failure('ESTALE', syscall, path, hint)
}
