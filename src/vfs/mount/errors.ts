// A filesystem reports its paths in its errors; callers need the paths of the whole.

import { VfsError } from '../error.ts'
import { vfsPath } from '../input.ts'
import { type Mount, outerPath } from './table.ts'

/** `error` with its paths as seen in the whole. An error that is not a `VfsError` is returned unchanged. */
export function errorSeenFrom(mount: Mount, error: unknown): unknown {
  if (!(error instanceof VfsError) || mount.path === '/') return error
  const { code, syscall, path, dest, hint } = error
  const outer = (inner: string | undefined): string | undefined =>
    inner?.startsWith('/') === true ? outerPath(mount, vfsPath(inner, syscall)) : inner
  // If a symlink could not be created, `path` is its target, which is not a path of that filesystem.
  return new VfsError(code, syscall, { path: syscall === 'symlink' ? path : outer(path), dest: outer(dest), hint, cause: error })
}
