// Protected directories, below the tools: the filesystem that tools and the shell are given refuses to change what lies in them, so
// that no tool, no command and no way of spelling a path gets around it (ah §1.7).

import { isInside, resolveDotDot, type VfsPath } from '../../core/path.ts'
import { asynchronous } from '../../vfs/asynchronous.ts'
import type { VfsBackend, VfsSync } from '../../vfs/backend.ts'
import { VfsError } from '../../vfs/error.ts'
import { call, runNow, runWaiting, type Primitives, type Steps } from '../../vfs/steps.ts'
import { placeOf } from './place.ts'

/**
 * `backend` without the right to change anything in `directories`: EACCES. Both sides are compared as they lie at that moment, with
 * every symlink and '..' resolved, so a protected path may be missing, be a symlink, or be reached through one. What holds a
 * protected path can be neither removed nor renamed, and nothing in it can get a second name.
 *
 * A file that has a second name outside already, made by the host, can be changed by that name. Where the backend answers by
 * waiting only, someone else may put a symlink in the way between the look and the change.
 *
 * It has no `fork` and no `diff`: those are of the whole.
 */
export function protectedBackend(backend: VfsBackend, directories: readonly VfsPath[]): VfsBackend {
  const { sync, batch, snapshot, watch, usage, capsAt, mountPoints } = backend
  const guard: Guard = { directories, fold: backend.caps.caseSensitive ? path => path : foldCase }
  const guardedSync = sync === undefined ? undefined : guardedNow(sync, guard)
  return {
    ...(guardedSync === undefined ? guardedWaiting(backend, guard) : { ...asynchronous(guardedSync), sync: guardedSync }),
    caps: backend.caps,
    ...(capsAt === undefined ? {} : { capsAt: path => capsAt.call(backend, path) }),
    ...(mountPoints === undefined ? {} : { mountPoints }),
    ...(batch === undefined
      ? {}
      : {
          batch: (work, options) =>
            batch.call(backend, inner => work(guardedNow(inner, guard)), options) as ReturnType<typeof batch<never>>,
        }),
    ...(snapshot === undefined ? {} : { snapshot: () => snapshot.call(backend) }),
    ...(watch === undefined ? {} : { watch: (path, listener, options) => watch.call(backend, path, listener, options) }),
    ...(usage === undefined ? {} : { usage: () => usage.call(backend) }),
    flush: () => backend.flush(),
    close: () => backend.close(),
  }
}

interface Guard {
  readonly directories: readonly VfsPath[]
  /** Makes two names equal that the filesystem takes for one. */
  readonly fold: (path: string) => string
}

interface Touch {
  readonly syscall: string
  readonly path: VfsPath
  /** Whether a symlink in the last place is changed itself, or what it points at. */
  readonly follow: boolean
  /** It would take along what lies below `path`. */
  readonly whole: boolean
}

function* refuseProtected(on: Primitives, { directories, fold }: Guard, touched: readonly Touch[]): Steps<void> {
  const protectedPlaces: { readonly directory: VfsPath; readonly places: readonly string[] }[] = []
  for (const directory of directories) {
    const places = [resolveDotDot(directory), yield* placeOf(on, directory, false), yield* placeOf(on, directory, true)]
    protectedPlaces.push({ directory, places: [...new Set(places.map(fold))] })
  }
  for (const { path, follow, whole, syscall } of touched) {
    const place = fold(yield* placeOf(on, path, follow))
    for (const { directory, places } of protectedPlaces) {
      const isHit = places.some(each => isBelow(place, each) || (whole && isBelow(each, place)))
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

type WritingPrimitive = 'write' | 'mkdir' | 'remove' | 'rename' | 'link' | 'symlink' | 'setattr'

/** What each primitive would change. */
const touches: { readonly [K in WritingPrimitive]: (...args: Parameters<VfsSync[K]>) => readonly Touch[] } = {
  write: path => [{ syscall: 'open', path, follow: true, whole: false }],
  mkdir: path => [{ syscall: 'mkdir', path, follow: false, whole: false }],
  remove: path => [{ syscall: 'unlink', path, follow: false, whole: true }],
  rename: (from, to) => [from, to].map(path => ({ syscall: 'rename', path, follow: false, whole: true })),
  // Through a second name outside, what is inside could be changed.
  link: (existing, path) => [
    { syscall: 'link', path: existing, follow: true, whole: true },
    { syscall: 'link', path: existing, follow: false, whole: true },
    { syscall: 'link', path, follow: false, whole: false },
  ],
  symlink: (_target, path) => [{ syscall: 'symlink', path, follow: false, whole: false }],
  setattr: (path, attributes) => [{ syscall: 'chmod', path, follow: attributes.follow ?? true, whole: false }],
}

function* guarded<K extends WritingPrimitive>(
  on: Primitives,
  guard: Guard,
  name: K,
  args: Parameters<VfsSync[K]>,
): Steps<ReturnType<VfsSync[K]>> {
  yield* refuseProtected(on, guard, touches[name](...args))
  return yield* call(on, name, ...args)
}

function guardedNow(sync: VfsSync, guard: Guard): VfsSync {
  const go = <K extends WritingPrimitive>(name: K, ...args: Parameters<VfsSync[K]>): ReturnType<VfsSync[K]> =>
    runNow(guarded({ sync }, guard, name, args))
  return {
    lookup: (path, options) => sync.lookup(path, options),
    list: path => sync.list(path),
    read: (path, range) => sync.read(path, range),
    readlink: path => sync.readlink(path),
    realpath: path => sync.realpath(path),
    write: (path, data, options) => go('write', path, data, options),
    mkdir: (path, options) => go('mkdir', path, options),
    remove: (path, kind) => go('remove', path, kind),
    rename: (from, to, options) => go('rename', from, to, options),
    link: (existing, path) => go('link', existing, path),
    symlink: (target, path) => go('symlink', target, path),
    setattr: (path, attributes) => go('setattr', path, attributes),
  }
}

function guardedWaiting(backend: VfsBackend, guard: Guard): { readonly [K in keyof VfsSync]: VfsBackend[K] } {
  const go = <K extends WritingPrimitive>(name: K, ...args: Parameters<VfsSync[K]>): Promise<ReturnType<VfsSync[K]>> =>
    runWaiting(guarded(backend, guard, name, args))
  return {
    lookup: (path, options) => backend.lookup(path, options),
    list: path => backend.list(path),
    read: (path, range) => backend.read(path, range),
    readlink: path => backend.readlink(path),
    realpath: path => backend.realpath(path),
    write: (path, data, options) => go('write', path, data, options),
    mkdir: (path, options) => go('mkdir', path, options),
    remove: (path, kind) => go('remove', path, kind),
    rename: (from, to, options) => go('rename', from, to, options),
    link: (existing, path) => go('link', existing, path),
    symlink: (target, path) => go('symlink', target, path),
    setattr: (path, attributes) => go('setattr', path, attributes),
  }
}
