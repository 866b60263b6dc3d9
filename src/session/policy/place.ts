// Where a change to a path would really land. A guard must know it before the filesystem acts, also for a path that does not exist
// yet and for a symlink that points at nothing: writing through one of those makes its target.

import { childPath, dirname, pathNames, rootPath, type VfsPath } from '../../core/path.ts'
import { statIfAny } from '../../vfs/derived/exists.ts'
import { call, type Primitives, type Steps } from '../../vfs/steps.ts'

// As Linux has it. What needs more fails with ELOOP when the filesystem itself resolves it.
const maxSymlinks = 40

/** `path` without '..' and symlinks. `follow` decides about a symlink in the last place. What is missing is taken by name. */
export function* placeOf(on: Primitives, path: VfsPath, follow: boolean): Steps<VfsPath> {
  const pending = [...pathNames(path)]
  let place = rootPath
  let symlinksLeft = maxSymlinks
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (name === '..') {
      place = dirname(place)
      continue
    }
    const next = childPath(place, name)
    if (pending.length === 0 && !follow) return next
    const stat = yield* statIfAny(on, next, { follow: false })
    if (stat?.kind !== 'symlink' || symlinksLeft-- <= 0) {
      place = next
      continue
    }
    const target = yield* call(on, 'readlink', next)
    pending.unshift(...target.split('/').filter(part => part !== '' && part !== '.'))
    if (target.startsWith('/')) place = rootPath
  }
  return place
}
