// Protected directories. They are enforced below the tools: the filesystem of tools and shell refuses changes in them, so that no
// tool, command or spelling of a path can bypass the protection.

import { isInside, resolveDotDot, type VfsPath } from '../../core/path.ts'
import type { VfsBackend } from '../../vfs/backend.ts'
import { VfsError } from '../../vfs/error.ts'
import type { Primitives, Steps } from '../../vfs/steps.ts'
import { guardedBackend, type Touch } from './guarded-backend.ts'
import { placeOf } from './place.ts'

/**
 * Returns `backend` without permission to change anything in `directories`, which fails with EACCES. Both paths are compared by their real
 * place at that moment, with symlinks and '..' resolved. A protected path can therefore be missing, be a symlink, or be reached through
 * one. A directory that contains a protected path cannot be removed or renamed, and no hard link to an entry in it can be created.
 *
 * If the host created a hard link to a file outside, the file can be changed through that link.
 */
export function protectedBackend(backend: VfsBackend, directories: readonly VfsPath[]): VfsBackend {
  const fold = backend.caps.caseSensitive ? (path: string): string => path : foldCase
  return guardedBackend(backend, { beforeChange: (on, touched) => refuseProtected(on, { directories, fold }, touched) })
}

interface Protection {
  readonly directories: readonly VfsPath[]
  /** Maps paths that the filesystem treats as equal to the same text. */
  readonly fold: (path: string) => string
}

function* refuseProtected(on: Primitives, { directories, fold }: Protection, touched: readonly Touch[]): Steps<void> {
  const protectedPlaces: { readonly directory: VfsPath; readonly places: readonly string[] }[] = []
  for (const directory of directories) {
    const places = [resolveDotDot(directory), yield* placeOf(on, directory, false), yield* placeOf(on, directory, true)]
    protectedPlaces.push({ directory, places: [...new Set(places.map(fold))] })
  }
  for (const { path, follow, whole, syscall } of touched) {
    const place = fold(yield* placeOf(on, path, follow))
    for (const { directory, places } of protectedPlaces) {
      const isHit = places.some(each => isBelow(place, each) || (whole !== false && isBelow(each, place)))
      if (isHit) throw new VfsError('EACCES', syscall, { path, hint: `${directory} is a protected directory` })
    }
  }
}

function isBelow(path: string, directory: string): boolean {
  return isInside(path as VfsPath, directory as VfsPath)
}

function foldCase(path: string): string {
  return path.normalize('NFC').toLowerCase()
}
