// Which path a watcher means.

import { resolveDotDot, type VfsPath } from '../core/path.ts'
import type { VfsSync } from './backend.ts'
import { isVfsError } from './error.ts'

/** Changes are told by real path. What is missing may come to be later, so it is watched under the name it was given. */
export function watchedPath(fs: VfsSync, path: VfsPath): VfsPath {
  try {
    return fs.realpath(path)
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR')) return resolveDotDot(path)
    throw error
  }
}
