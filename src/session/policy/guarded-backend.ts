// A filesystem with a guard. The guard decides about the real place that an operation would access, so that no spelling of a path
// and no link can bypass it. It is below both tools and shell, so that neither can omit the check.

import { childPath, type VfsPath } from '../../core/path.ts'
import { asynchronous } from '../../vfs/asynchronous.ts'
import type { Dirent, VfsBackend, VfsCaps, VfsSync } from '../../vfs/backend.ts'
import { offerPatch, patchOffer } from '../../vfs/patch-offer.ts'
import {
  callWaiting,
  type ChangingName,
  changingNames,
  forwarded,
  mapPrimitives,
  mapWaiting,
  type PrimitiveArguments,
  type PrimitiveResults,
  readingNames,
  type Waiting,
} from '../../vfs/port.ts'
import { call, runNow, runWaiting, type Primitives, type Steps } from '../../vfs/steps.ts'
import { placeOf } from './place.ts'

/** A change that a primitive is about to make. */
export interface Touch {
  readonly syscall: string
  readonly path: VfsPath
  /** True if a symlink as the last name is followed. False if the symlink itself is changed. */
  readonly follow: boolean
  /** Whether everything below `path` is included. For a rename, the new path is given. */
  readonly whole: false | { readonly to?: VfsPath }
}

export interface FileGuard {
  /** Throws `VfsError` EACCES if one of `touched` must not be changed. */
  readonly beforeChange: (on: Primitives, touched: readonly Touch[]) => Steps<void>
  /** If absent, reading is unrestricted. */
  readonly reading?: {
    /** Throws `VfsError` EACCES if reading is denied. `place` is the real place of `path`. */
    readonly beforeRead: (place: VfsPath, path: VfsPath, syscall: string) => void
    /** Whether a listing includes `place`. */
    readonly shows: (place: VfsPath) => boolean
  }
}

/**
 * Returns `backend` with `guard`. The result has no `fork` and no `diff`, because these would include all files. If reading is
 * guarded, it has no snapshots either, so that data from the view of one call cannot be used by another.
 *
 * If the backend is asynchronous, another writer can create a symlink between the check and the operation.
 */
export function guardedBackend(backend: VfsBackend, guard: FileGuard): VfsBackend {
  const { sync, batch, snapshot, watch, usage, capsAt, mountPoints, as } = backend
  const guardedSync = sync === undefined ? undefined : guardedNow(sync, guard)
  const caps = (own: VfsCaps): VfsCaps => (guard.reading === undefined ? own : { ...own, snapshots: false })
  const guarded: VfsBackend = {
    ...(guardedSync === undefined ? guardedWaiting(backend, guard) : { ...asynchronous(guardedSync), sync: guardedSync }),
    caps: caps(backend.caps),
    ...(capsAt === undefined ? {} : { capsAt: path => caps(capsAt.call(backend, path)) }),
    ...(mountPoints === undefined ? {} : { mountPoints }),
    ...(batch === undefined
      ? {}
      : {
          batch: (work, options) =>
            batch.call(backend, inner => work(guardedNow(inner, guard)), options) as ReturnType<typeof batch<never>>,
        }),
    ...(snapshot === undefined || guard.reading !== undefined ? {} : { snapshot: () => snapshot.call(backend) }),
    ...(watch === undefined ? {} : { watch: (path, listener, options) => watch.call(backend, path, listener, options) }),
    ...(usage === undefined ? {} : { usage: () => usage.call(backend) }),
    ...(as === undefined ? {} : { as: origin => guardedBackend(as.call(backend, origin), guard) }),
    flush: () => backend.flush(),
    close: () => backend.close(),
  }
  // A part of a file is written through `write`, where the guard decides.
  offerPatch(guardedSync ?? guarded, path => patchOffer(backend, path))
  return guarded
}

const whole = {}

/** The changes that each primitive would make. */
const touches: { readonly [K in ChangingName]: (...args: PrimitiveArguments[K]) => readonly Touch[] } = {
  write: path => [{ syscall: 'open', path, follow: true, whole: false }],
  mkdir: path => [{ syscall: 'mkdir', path, follow: false, whole: false }],
  remove: path => [{ syscall: 'unlink', path, follow: false, whole }],
  rename: (from, to) => [
    { syscall: 'rename', path: from, follow: false, whole: { to } },
    { syscall: 'rename', path: to, follow: false, whole },
  ],
  // A hard link outside would allow changes of the file inside.
  link: (existing, path) => [
    { syscall: 'link', path: existing, follow: true, whole },
    { syscall: 'link', path: existing, follow: false, whole },
    { syscall: 'link', path, follow: false, whole: false },
  ],
  symlink: (_target, path) => [{ syscall: 'symlink', path, follow: false, whole: false }],
  setattr: (path, attributes) => [{ syscall: 'chmod', path, follow: attributes.follow ?? true, whole: false }],
}

function* changed<K extends ChangingName>(
  on: Primitives,
  guard: FileGuard,
  name: K,
  args: PrimitiveArguments[K],
): Steps<PrimitiveResults[K]> {
  yield* guard.beforeChange(on, touches[name](...args))
  return yield* call(on, name, ...args)
}

function* read(on: Primitives, { reading }: FileGuard, args: Parameters<VfsSync['read']>): Steps<Uint8Array> {
  const [path] = args
  if (reading !== undefined) reading.beforeRead(yield* placeOf(on, path, true), path, 'open')
  return yield* call(on, 'read', ...args)
}

function* list(on: Primitives, { reading }: FileGuard, path: VfsPath): Steps<Dirent[]> {
  if (reading === undefined) return yield* call(on, 'list', path)
  const place = yield* placeOf(on, path, true)
  reading.beforeRead(place, path, 'scandir')
  return (yield* call(on, 'list', path)).filter(({ name }) => reading.shows(childPath(place, name)))
}

function guardedNow(sync: VfsSync, guard: FileGuard): VfsSync {
  const on = { sync }
  return {
    ...forwarded(readingNames, () => sync),
    list: path => runNow(list(on, guard, path)),
    read: (path, range) => runNow(read(on, guard, [path, range])),
    ...mapPrimitives(changingNames, (name, args) => runNow(changed(on, guard, name, args))),
  }
}

function guardedWaiting(backend: VfsBackend, guard: FileGuard): Waiting {
  return {
    ...mapWaiting(readingNames, (name, args) => callWaiting(backend, name, args)),
    list: path => runWaiting(list(backend, guard, path)),
    read: (path, range) => runWaiting(read(backend, guard, [path, range])),
    ...mapWaiting(changingNames, (name, args) => runWaiting(changed(backend, guard, name, args))),
  }
}
