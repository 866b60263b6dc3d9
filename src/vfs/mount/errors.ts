// A filesystem names its own paths in its errors; callers know those of the whole.

import { VfsError } from '../error.ts'
import { vfsPath } from '../input.ts'
import { type Mount, outerPath } from './table.ts'

/** `error` with its paths as they are called in the whole; anything but a `VfsError` as it is. */
export function errorSeenFrom(mount: Mount, error: unknown): unknown {
  if (!(error instanceof VfsError) || mount.path === '/') return error
  const { code, syscall, path, dest, hint } = error
  const outer = (inner: string | undefined): string | undefined =>
    inner?.startsWith('/') === true ? outerPath(mount, vfsPath(inner, syscall)) : inner
  // Of a symlink that could not be made, `path` is its target, which is no path of that filesystem.
  return new VfsError(code, syscall, { path: syscall === 'symlink' ? path : outer(path), dest: outer(dest), hint, cause: error })
}
