// A filesystem with a guard in front of it. What a guard judges is the place that a primitive would really touch, so no spelling of a path
// and no link gets around it; and it lies below tools and shell alike, so neither can forget to ask it.

import { childPath, type VfsPath } from '../../core/path.ts'
import { asynchronous } from '../../vfs/asynchronous.ts'
import type { Dirent, VfsBackend, VfsCaps, VfsSync } from '../../vfs/backend.ts'
import {
  callPrimitive,
  callWaiting,
  type ChangingName,
  changingNames,
  mapPrimitives,
  mapWaiting,
  type PrimitiveArguments,
  type PrimitiveResults,
  readingNames,
  type Waiting,
} from '../../vfs/port.ts'
import { call, runNow, runWaiting, type Primitives, type Steps } from '../../vfs/steps.ts'
import { placeOf } from './place.ts'

/** What a primitive is about to change. */
export interface Touch {
  readonly syscall: string
  readonly path: VfsPath
  /** Whether a symlink in the last place is changed itself, or what it points at. */
  readonly follow: boolean
  /** It would take along what lies below `path`; for a rename, with where it would come to lie. */
  readonly whole: false | { readonly to?: VfsPath }
}

export interface FileGuard {
  /** Throws `VfsError` EACCES where one of `touched` may not be changed. */
  readonly beforeChange: (on: Primitives, touched: readonly Touch[]) => Steps<void>
  /** Absent: reading is free. */
  readonly reading?: {
    /** Throws `VfsError` EACCES. `place` is what `path` leads to. */
    readonly beforeRead: (place: VfsPath, path: VfsPath, syscall: string) => void
    /** Whether a listing names `place`. */
    readonly shows: (place: VfsPath) => boolean
  }
}

/**
 * `backend` behind `guard`. It has no `fork` and no `diff`: those are of the whole. Where reading is guarded it has no snapshots either,
 * so that nothing kept of one call's view can serve another call.
 *
 * Where the backend answers by waiting only, someone else may put a symlink in the way between the look and the act.
 */
export function guardedBackend(backend: VfsBackend, guard: FileGuard): VfsBackend {
  const { sync, batch, snapshot, watch, usage, capsAt, mountPoints, as } = backend
  const guardedSync = sync === undefined ? undefined : guardedNow(sync, guard)
  const caps = (own: VfsCaps): VfsCaps => (guard.reading === undefined ? own : { ...own, snapshots: false })
  return {
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
}

const whole = {}

/** What each primitive would change. */
const touches: { readonly [K in ChangingName]: (...args: PrimitiveArguments[K]) => readonly Touch[] } = {
  write: path => [{ syscall: 'open', path, follow: true, whole: false }],
  mkdir: path => [{ syscall: 'mkdir', path, follow: false, whole: false }],
  remove: path => [{ syscall: 'unlink', path, follow: false, whole }],
  rename: (from, to) => [
    { syscall: 'rename', path: from, follow: false, whole: { to } },
    { syscall: 'rename', path: to, follow: false, whole },
  ],
  // Through a second name outside, what is inside could be changed.
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
    ...mapPrimitives(readingNames, (name, args) => callPrimitive(sync, name, args)),
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
