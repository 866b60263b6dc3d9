// `mkdir -p`: a symlink to a directory counts as a directory.

import { dirname, type VfsPath } from '../../core/path.ts'
import { isVfsError, VfsError } from '../error.ts'
import { call, type Primitives, type Steps } from '../steps.ts'
import { statIfAny } from './exists.ts'

/** Creates `path` and its missing parents, all with the mode. EEXIST if `path` is a file, ENOTDIR if a parent is one. */
export function* makeDirectories(on: Primitives, path: VfsPath, options: { readonly mode?: number } = {}): Steps<void> {
  const missing: VfsPath[] = []
  // A path has at most 2,048 names, and each iteration removes one.
  for (let directory = path; ; directory = dirname(directory)) {
    const stat = yield* statIfAny(on, directory)
    if (stat?.kind === 'directory') break
    if (stat !== undefined) throw new VfsError(directory === path ? 'EEXIST' : 'ENOTDIR', 'mkdir', { path })
    missing.push(directory)
    if (directory === '/') break
  }
  for (const directory of missing.toReversed()) {
    try {
      yield* call(on, 'mkdir', directory, options)
    } catch (error) {
      // Another writer may have created it. A dangling symlink exists too, and no directory can be created in its place.
      if (!isVfsError(error, 'EEXIST') || (yield* statIfAny(on, directory))?.kind !== 'directory') throw error
    }
  }
}
