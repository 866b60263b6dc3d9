// Directories that stay in the container: they are not in the mirror, so they look as if they were missing. An operation on one fails with
// a hint that says where it is, so that a model does not conclude that it does not exist.

import { pathNames } from '../../core/path.ts'
import type { VfsTransaction } from '../../vfs/backend.ts'
import { VfsError } from '../../vfs/error.ts'
import { callPrimitive, isReading, mapPrimitives, pathsOf, primitiveNames, primitives } from '../../vfs/port.ts'

/** `fs`, but refuses entries in a directory with one of `names`: ENOENT to read them, EACCES to create or change them. */
export function refuseExcluded(fs: VfsTransaction, names: readonly string[]): VfsTransaction {
  if (names.length === 0) return fs
  const excluded = new Set(names)
  return mapPrimitives(primitiveNames, (name, args) => {
    for (const path of pathsOf(name, args)) {
      const inside = pathNames(path).find(part => excluded.has(part))
      if (inside === undefined) continue
      const hint = `'${inside}' stays in the container: look at it with a command, such as ls or cat`
      throw new VfsError(isReading(name) ? 'ENOENT' : 'EACCES', primitives[name].syscall, { path, hint })
    }
    return callPrimitive(fs, name, args)
  })
}
