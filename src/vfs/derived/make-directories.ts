// `mkdir -p`: a symlink to a directory is as good as the directory.

import { dirname, type VfsPath } from '../../core/path.ts'
import { isVfsError, VfsError } from '../error.ts'
import { call, type Primitives, type Steps } from '../steps.ts'
import { statIfAny } from './exists.ts'

/** Makes `path` and what is missing above it. EEXIST if `path` is a file, ENOTDIR if something above it is. */
export function* makeDirectories(on: Primitives, path: VfsPath, options: { readonly mode?: number } = {}): Steps<void> {
  const missing: VfsPath[] = []
  // A path has at most 2,048 names, and each turn takes one away.
  for (let directory = path; ; directory = dirname(directory)) {
    const stat = yield* statIfAny(on, directory)
    if (stat?.kind === 'directory') break
    if (stat !== undefined) throw new VfsError(directory === path ? 'EEXIST' : 'ENOTDIR', 'mkdir', { path })
    missing.push(directory)
    if (directory === '/') break
  }
  for (const directory of missing.toReversed()) {
    try {
      yield* call(on, 'mkdir', directory, directory === path ? options : {})
    } catch (error) {
      // Somebody else may have been faster; a symlink to nothing is there too, and no directory can be made in its place.
      if (!isVfsError(error, 'EEXIST') || (yield* statIfAny(on, directory))?.kind !== 'directory') throw error
    }
  }
}
