// Which filesystem holds which path.

import { isRecord } from '../../core/record.ts'
import { wrongArgument } from '../../core/errors.ts'
import { checkBackend } from '../input.ts'
import { basename, childPath, dirname, isInside, pathNames, resolveDotDot, rootPath, type VfsPath } from '../../core/path.ts'
import type { VfsBackend } from '../backend.ts'
import { VfsError } from '../error.ts'
import { vfsPath } from '../input.ts'
import type { Primitives } from '../steps.ts'

/** A filesystem and its mount point. `on` is the filesystem, or a transaction or snapshot of it. */
export interface Mount<On extends Primitives = Primitives> {
  readonly path: VfsPath
  readonly on: On
}

/** The mount that holds a path, and the path in that filesystem. */
export interface Located<On extends Primitives = Primitives> {
  readonly mount: Mount<On>
  readonly inner: VfsPath
}

/** Throws EINVAL if there is no filesystem for '/', or two for one path. */
export function parseTable(table: Readonly<Record<string, VfsBackend>>): readonly Mount<VfsBackend>[] {
  if (!isRecord(table)) throw wrongArgument('mountBackends: argument 1 must be an object of paths and filesystems.')
  for (const backend of Object.values(table)) checkBackend('mountBackends', backend)
  const mounts = Object.entries(table).map(([path, on]) => ({ path: resolveDotDot(vfsPath(path, 'mount')), on }))
  const paths = mounts.map(mount => mount.path)
  if (!paths.includes(rootPath))
    throw new VfsError('EINVAL', 'mount', { path: rootPath, hint: "a mount table needs a filesystem for '/'" })
  const twice = paths.find((path, index) => paths.indexOf(path) !== index)
  if (twice !== undefined) throw new VfsError('EINVAL', 'mount', { path: twice, hint: 'it is mounted twice' })
  return mounts.sort((a, b) => b.path.length - a.path.length)
}

/** `mounts` is sorted by length of path, longest first. `path` must be a real path. */
export function locate<On extends Primitives>(mounts: readonly Mount<On>[], path: VfsPath): Located<On> {
  const mount = mounts.find(candidate => isInside(path, candidate.path))
  if (mount === undefined) throw new Error(`no filesystem of the mount table contains ${path}; mount one at '/'`)
  return { mount, inner: pathNames(path).slice(pathNames(mount.path).length).reduce(childPath, rootPath) }
}

/** The path of `inner` of `mount` in the whole. */
export function outerPath(mount: Mount, inner: VfsPath): VfsPath {
  return pathNames(inner).reduce(childPath, mount.path)
}

export function isMountPoint(mounts: readonly Mount[], path: VfsPath): boolean {
  return mounts.some(mount => mount.path === path)
}

/** Whether `path` is a mount point or a parent of one. Such a directory exists whatever the filesystem below contains. */
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
