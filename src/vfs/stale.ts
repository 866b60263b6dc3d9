// The error for a change that is based on an outdated revision. It reports the current one.

import type { VfsPath } from '../core/path.ts'
import type { BatchOptions } from './backend.ts'
import { failure, isVfsError, type VfsError } from './error.ts'

/** A revision of 0 means "missing". */
export function stale(syscall: string, path: VfsPath, expectedRev: number, actualRev: number): VfsError {
  const told = (rev: number): string => (rev === 0 ? 'missing' : `at revision ${rev}`)
  const hint = `expected ${told(expectedRev)}, it is ${told(actualRev)}; read it again`
  return failure('ESTALE', syscall, path, hint)
}

/** Throws ESTALE if a path is not at the expected revision. `revAt` may throw for a missing one. */
export function checkRevisions(expect: BatchOptions['expect'], revAt: (path: VfsPath) => number): void {
  for (const [path, rev] of expect ?? []) {
    const found = revOrMissing(path, revAt)
    if (found !== rev) throw stale('commit', path, rev, found)
  }
}

function revOrMissing(path: VfsPath, revAt: (path: VfsPath) => number): number {
  try {
    return revAt(path)
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return 0
    throw error
  }
}
