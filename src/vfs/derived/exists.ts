// "Is there something?" is a question about ENOENT, asked by several of the derived operations.

import type { VfsPath } from '../../core/path.ts'
import type { Stat } from '../backend.ts'
import { isVfsError } from '../error.ts'
import { call, type Primitives, type Steps } from '../steps.ts'

/** What is at `path`, or `undefined` if nothing is: also when a directory on the way is missing or is none. */
export function* statIfAny(on: Primitives, path: VfsPath, options?: { readonly follow?: boolean }): Steps<Stat | undefined> {
  try {
    return yield* call(on, 'lookup', path, options)
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}
