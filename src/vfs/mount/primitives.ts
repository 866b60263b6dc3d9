// The primitives over a mount table. Each resolves its path in the whole first, and then calls the one filesystem that holds it.

import { basename, dirname, rootPath, type VfsPath } from '../../core/path.ts'
import type { Attributes, Dirent, ReadRange, Stat, WriteOptions } from '../backend.ts'
import { makeDirectories } from '../derived/make-directories.ts'
import { VfsError } from '../error.ts'
import { writePart } from '../patch.ts'
import type { PrimitiveArguments, PrimitiveName, PrimitiveResults } from '../port.ts'
import { call, type Primitives, type Steps } from '../steps.ts'
import { errorSeenFrom } from './errors.ts'
import { type MountPlace, resolveMounted } from './resolve.ts'
import { holdsMount, type Mount, mountedNames } from './table.ts'

export type MountSteps = {
  readonly [K in PrimitiveName]: (...args: PrimitiveArguments[K]) => Steps<PrimitiveResults[K]>
}

/** The stat of a directory that exists only because something is mounted below it. */
const standInStat: Stat = { kind: 'directory', sizeBytes: 0, mode: 0o755, mtimeMs: 0, ctimeMs: 0, ino: 0, rev: 1, nlink: 1 }

/** The root, or a path that ends in '..': neither is a name in a directory. */
function isNoName(path: VfsPath): boolean {
  return path === rootPath || basename(path) === '..'
}

/** `beforeChange` receives the mount that is about to be changed. */
export function mountSteps<On extends Primitives>(
  mounts: readonly Mount<On>[],
  beforeChange: (mount: Mount<On>) => void = () => {},
): MountSteps {
  /** Inode numbers are unique per filesystem only, but programs take equal ones for the same file. */
  const seenFrom = (mount: Mount<On>, stat: Stat): Stat => {
    const ino = (stat.ino + 1) * mounts.length + mounts.indexOf(mount)
    return Number.isSafeInteger(ino) ? { ...stat, ino } : stat
  }

  const statOf = (place: MountPlace<On>): Stat | undefined => {
    if (place.stat !== undefined) return seenFrom(place.mount, place.stat)
    return holdsMount(mounts, place.path) ? standInStat : undefined
  }

  function* existing(
    path: VfsPath,
    follow: boolean,
    syscall: string,
    dest?: VfsPath,
  ): Steps<MountPlace<On> & { readonly stat: Stat }> {
    const place = yield* resolveMounted(mounts, path, follow, syscall)
    const stat = statOf(place)
    if (stat === undefined) throw new VfsError('ENOENT', syscall, { path, dest })
    return { ...place, stat }
  }

  /** Prepares the parent of a new entry: so far it may exist only because a mount is below it. */
  function* forNew(place: MountPlace<On>): Steps<void> {
    beforeChange(place.mount)
    const directory = dirname(place.path)
    if (holdsMount(mounts, directory) && place.path !== place.mount.path)
      yield* makeDirectories(place.mount.on, dirname(place.inner))
  }

  const refuseMount = (place: MountPlace<On>, syscall: string, path: VfsPath): void => {
    if (holdsMount(mounts, place.path)) throw new VfsError('EBUSY', syscall, { path, hint: 'a filesystem is mounted there' })
  }

  return {
    *lookup(path, options) {
      const follow = options?.follow ?? true
      return (yield* existing(path, follow, follow ? 'stat' : 'lstat')).stat
    },

    *list(path): Steps<Dirent[]> {
      const place = yield* resolveMounted(mounts, path, true, 'scandir')
      const mounted = mountedNames(mounts, place.path)
      const isStandIn = place.stat === undefined && mounted.length > 0
      const own = isStandIn ? [] : yield* onMount(place, () => call(place.mount.on, 'list', place.inner))
      if (mounted.length === 0) return own
      const added = mounted.map(name => ({ name, kind: 'directory' }) as const)
      return [...own.filter(entry => !mounted.includes(entry.name)), ...added].sort((a, b) => (a.name < b.name ? -1 : 1))
    },

    *read(path, range?: ReadRange) {
      const place = yield* existing(path, true, 'open')
      if (place.stat.kind === 'directory') throw new VfsError('EISDIR', 'read', { path })
      return yield* onMount(place, () => call(place.mount.on, 'read', place.inner, range))
    },

    *write(path, data, options: WriteOptions = {}) {
      const { parents, ...rest } = options
      if (parents === true) yield* makeParents(path, options)
      const { create } = options
      const place = yield* resolveMounted(mounts, path, create !== 'exclusive', 'open', create !== 'never')
      if (holdsMount(mounts, place.path)) throw new VfsError(create === 'exclusive' ? 'EEXIST' : 'EISDIR', 'open', { path })
      yield* forNew(place)
      return seenFrom(place.mount, yield* onMount(place, () => writePart(place.mount.on, place.inner, data, rest)))
    },

    *mkdir(path, options) {
      const place = yield* resolveMounted(mounts, path, false, 'mkdir')
      if (holdsMount(mounts, place.path)) throw new VfsError('EEXIST', 'mkdir', { path })
      yield* forNew(place)
      yield* onMount(place, () => call(place.mount.on, 'mkdir', place.inner, options))
    },

    *remove(path, kind) {
      const syscall = kind === 'file' ? 'unlink' : 'rmdir'
      const place = yield* existing(path, false, syscall)
      if (place.stat.kind === 'directory') {
        if (kind === 'file') throw new VfsError('EISDIR', syscall, { path })
        // A directory that is named by '..' contains at least the directory that the '..' was resolved in.
        if (basename(path) === '..') throw new VfsError('ENOTEMPTY', syscall, { path })
      }
      refuseMount(place, syscall, path)
      beforeChange(place.mount)
      yield* onMount(place, () => call(place.mount.on, 'remove', place.inner, kind))
    },

    *rename(from, to, options) {
      const source = yield* resolveMounted(mounts, from, false, 'rename')
      const target = yield* resolveMounted(mounts, to, false, 'rename')
      // In this order, as on Linux: first refuse what can never be renamed, then report what is missing.
      if (isNoName(from)) throw new VfsError('EBUSY', 'rename', { path: from, dest: to })
      if (isNoName(to)) throw new VfsError(options?.noReplace === true ? 'EEXIST' : 'EBUSY', 'rename', { path: from, dest: to })
      if (statOf(source) === undefined) throw new VfsError('ENOENT', 'rename', { path: from, dest: to })
      refuseMount(source, 'rename', from)
      refuseMount(target, 'rename', to)
      if (source.mount !== target.mount) {
        throw new VfsError('EXDEV', 'rename', {
          path: from,
          dest: to,
          hint: 'they are in different filesystems; copy it and remove the original',
        })
      }
      yield* forNew(target)
      yield* onMount(source, () => call(source.mount.on, 'rename', source.inner, target.inner, options))
    },

    *link(existingPath, path) {
      const source = yield* existing(existingPath, false, 'link', path)
      const target = yield* resolveMounted(mounts, path, false, 'link')
      if (statOf(target) !== undefined) throw new VfsError('EEXIST', 'link', { path: existingPath, dest: path })
      if (source.stat.kind === 'directory') throw new VfsError('EPERM', 'link', { path: existingPath, dest: path })
      if (source.mount !== target.mount)
        throw new VfsError('EXDEV', 'link', { path: existingPath, dest: path, hint: 'copy it instead' })
      yield* forNew(target)
      yield* onMount(source, () => call(source.mount.on, 'link', source.inner, target.inner))
    },

    *symlink(target, path) {
      const place = yield* resolveMounted(mounts, path, false, 'symlink')
      if (statOf(place) !== undefined) throw new VfsError('EEXIST', 'symlink', { path: target, dest: path })
      yield* forNew(place)
      yield* onMount(place, () => call(place.mount.on, 'symlink', target, place.inner))
    },

    *readlink(path) {
      const place = yield* existing(path, false, 'readlink')
      if (place.stat.kind !== 'symlink') throw new VfsError('EINVAL', 'readlink', { path, hint: 'not a symlink' })
      return yield* onMount(place, () => call(place.mount.on, 'readlink', place.inner))
    },

    *realpath(path) {
      return (yield* existing(path, true, 'realpath')).path
    },

    *setattr(path, attributes: Attributes) {
      const place = yield* existing(path, attributes.follow ?? true, 'chmod')
      beforeChange(place.mount)
      if (place.path !== place.mount.path && holdsMount(mounts, place.path)) yield* makeDirectories(place.mount.on, place.inner)
      yield* onMount(place, () => call(place.mount.on, 'setattr', place.inner, { ...attributes, follow: false }))
    },
  }

  function* makeParents(path: VfsPath, { create, ifRev }: WriteOptions): Steps<void> {
    const directory = dirname(path)
    const missing: VfsPath[] = []
    for (let above = directory; ; above = dirname(above)) {
      const place = yield* resolveIfAny(above)
      if (place !== undefined && statOf(place) !== undefined) break
      missing.push(above)
    }
    if (missing.length === 0) return
    if (create === 'never') throw new VfsError('ENOENT', 'open', { path })
    if (ifRev !== undefined && ifRev !== 0) throw new VfsError('ESTALE', 'open', { path, hint: 'it is missing; read it again' })
    for (const above of missing.toReversed()) {
      const place = yield* resolveMounted(mounts, above, false, 'mkdir')
      if (place.stat === undefined) {
        yield* forNew(place)
        yield* onMount(place, () => call(place.mount.on, 'mkdir', place.inner))
      } else if (statOf(yield* resolveMounted(mounts, above, true, 'mkdir')) === undefined) {
        throw new VfsError('ENOENT', 'mkdir', { path: above, hint: 'it is a symlink to a missing directory' })
      }
    }
  }

  function* resolveIfAny(path: VfsPath): Steps<MountPlace<On> | undefined> {
    try {
      return yield* resolveMounted(mounts, path, true, 'stat')
    } catch (error) {
      if (error instanceof VfsError && error.code === 'ENOENT') return undefined
      throw error
    }
  }

  function* onMount<T>(place: MountPlace<On>, steps: () => Steps<T>): Steps<T> {
    try {
      return yield* steps()
    } catch (error) {
      throw errorSeenFrom(place.mount, error)
    }
  }
}
