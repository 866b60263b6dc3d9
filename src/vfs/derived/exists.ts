// Several derived operations need to know whether an entry exists, without treating ENOENT as an error.

import type { VfsPath } from '../../core/path.ts'
import type { Stat } from '../backend.ts'
import { isVfsError } from '../error.ts'
import { call, type Primitives, type Steps } from '../steps.ts'

/** The stat of `path`, or `undefined` if nothing is there, also if a directory on the way is missing or is not a directory. */
export function* statIfAny(on: Primitives, path: VfsPath, options?: { readonly follow?: boolean }): Steps<Stat | undefined> {
  try {
    return yield* call(on, 'lookup', path, options)
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}
