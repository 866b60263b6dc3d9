// How to follow a symlink, in any filesystem.

import { pathProblem, type PathProblem } from '../core/path.ts'
import { failure } from './error.ts'

/** The limit of Linux. One more link fails with ELOOP. */
export const maxSymlinkHops = 40

/** In UTF-8 bytes. Linux counts the byte that ends a path, so one less than 4096. */
const maxTargetBytes = 4095

/** Why `target` cannot be the target of a symlink; `undefined` when it can. */
export function targetProblem(target: string): PathProblem | undefined {
  return pathProblem(target, maxTargetBytes, maxTargetBytes)
}

/** Represents a '/' at the end of a target. */
export const endingSlash = ''

/** The names that replace a symlink, in order. ENAMETOOLONG if one of them is too long. */
export function targetNames(target: string): readonly string[] {
  if (pathProblem(target) !== undefined) throw failure('ENAMETOOLONG', 'open', target)
  const names = target.split('/').filter(name => name !== '')
  return target.endsWith('/') ? [...names, endingSlash] : names
}
