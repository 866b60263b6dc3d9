// Resolves the path of a watcher.

import { resolveDotDot, type VfsPath } from '../core/path.ts'
import type { VfsSync } from './backend.ts'
import { isVfsError } from './error.ts'

/** Changes are reported by real path. A missing entry may be created later, so it is watched under its given name. */
export function watchedPath(fs: VfsSync, path: VfsPath): VfsPath {
  try {
    return fs.realpath(path)
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR')) return resolveDotDot(path)
    throw error
  }
}
