// What following a symlink comes down to, whichever filesystem it lies in.

import { pathProblem, type PathProblem } from '../core/path.ts'
import { failure } from './error.ts'

/** As on Linux; one more is ELOOP. */
export const maxSymlinkHops = 40

/** In UTF-8. Linux counts the byte that ends a path, and no name in a target is too long. */
const maxTargetBytes = 4095

/** Why `target` cannot be the target of a symlink; `undefined` when it can. */
export function targetProblem(target: string): PathProblem | undefined {
  return pathProblem(target, maxTargetBytes, maxTargetBytes)
}

/** Stands for a '/' at a target's end. */
export const endingSlash = ''

/** The names that a symlink puts in its place, in order. ENAMETOOLONG for one that no entry can have. */
export function targetNames(target: string): readonly string[] {
  if (pathProblem(target) !== undefined) throw failure('ENAMETOOLONG', 'open', target)
  const names = target.split('/').filter(name => name !== '')
  return target.endsWith('/') ? [...names, endingSlash] : names
}
