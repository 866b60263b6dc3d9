// Which filesystem holds which path.

import { basename, childPath, dirname, isInside, pathNames, resolveDotDot, rootPath, type VfsPath } from '../../core/path.ts'
import type { VfsBackend } from '../backend.ts'
import { VfsError } from '../error.ts'
import { vfsPath } from '../input.ts'
import type { Primitives } from '../steps.ts'

/** A filesystem and where it lies. `on` is it, or a transaction or snapshot of it. */
export interface Mount<On extends Primitives = Primitives> {
  readonly path: VfsPath
  readonly on: On
}

/** The mount that holds a path, and what the path is called there. */
export interface Located<On extends Primitives = Primitives> {
  readonly mount: Mount<On>
  readonly inner: VfsPath
}

/** Throws EINVAL without a filesystem for '/', or with two for one path. */
export function parseTable(table: Readonly<Record<string, VfsBackend>>): readonly Mount<VfsBackend>[] {
  const mounts = Object.entries(table).map(([path, on]) => ({ path: resolveDotDot(vfsPath(path, 'mount')), on }))
  const paths = mounts.map(mount => mount.path)
  if (!paths.includes(rootPath))
    throw new VfsError('EINVAL', 'mount', { path: rootPath, hint: "a mount table needs a filesystem for '/'" })
  const twice = paths.find((path, index) => paths.indexOf(path) !== index)
  if (twice !== undefined) throw new VfsError('EINVAL', 'mount', { path: twice, hint: 'it is mounted twice' })
  return mounts.sort((a, b) => b.path.length - a.path.length)
}

/** `mounts` has the longest paths first. `path` must be real. */
export function locate<On extends Primitives>(mounts: readonly Mount<On>[], path: VfsPath): Located<On> {
  const mount = mounts.find(candidate => isInside(path, candidate.path))
  if (mount === undefined) throw new Error(`no filesystem holds ${path}, not even the one for '/'`)
  return { mount, inner: pathNames(path).slice(pathNames(mount.path).length).reduce(childPath, rootPath) }
}

/** The name that `inner` of `mount` has in the whole. */
export function outerPath(mount: Mount, inner: VfsPath): VfsPath {
  return pathNames(inner).reduce(childPath, mount.path)
}

export function isMountPoint(mounts: readonly Mount[], path: VfsPath): boolean {
  return mounts.some(mount => mount.path === path)
}

/** Whether `path` is a mount point or a directory above one: it is there whatever the filesystem below says. */
export function holdsMount(mounts: readonly Mount[], path: VfsPath): boolean {
  return mounts.some(mount => isInside(mount.path, path))
}

/** The names that mounts add to the directory `path`. */
export function mountedNames(mounts: readonly Mount[], path: VfsPath): readonly string[] {
  const names = new Set<string>()
  for (const mount of mounts) {
    for (let below = mount.path; below !== rootPath; below = dirname(below)) {
      if (dirname(below) === path) names.add(basename(below))
    }
  }
  return [...names]
}
