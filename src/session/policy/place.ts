// Finds the real place of a change. A guard needs it before the filesystem acts, also for a path that does not exist yet and for
// a dangling symlink, since writing through one creates its target.

import { childPath, dirname, pathNames, rootPath, type VfsPath } from '../../core/path.ts'
import { statIfAny } from '../../vfs/derived/exists.ts'
import { call, type Primitives, type Steps } from '../../vfs/steps.ts'

// The limit of Linux. Beyond it, the filesystem fails with ELOOP.
const maxSymlinks = 40

/** Resolves '..' and symlinks in `path`. `follow` applies to a symlink as the last name. Missing names are kept. */
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
