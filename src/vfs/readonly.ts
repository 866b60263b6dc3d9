// A filesystem that nobody can change: the answer to each of the primitives that would is EROFS.

import type { VfsBackend, VfsCaps } from './backend.ts'
import { VfsError } from './error.ts'
import {
  callPrimitive,
  callWaiting,
  type ChangingName,
  changingNames,
  mapPrimitives,
  mapWaiting,
  pathsOf,
  primitives,
  readingNames,
  type Synchronous,
} from './port.ts'
import { readingPrimitives } from './reading.ts'

export { readingPrimitives } from './reading.ts'

/** The primitives that change something, refused. */
export const refusedPrimitives: Synchronous<ChangingName> = mapPrimitives(changingNames, (name, args) => {
  const [path] = pathsOf(name, args)
  throw new VfsError('EROFS', primitives[name].syscall, { path })
})

/** `backend` without its writing primitives; everything else, and later changes of its files, shows through. */
export function readonly(backend: VfsBackend): VfsBackend {
  const { sync, snapshot, diff, watch, usage, capsAt, mountPoints } = backend
  const caps = (own: VfsCaps): VfsCaps => ({ ...own, readonly: true, transactions: false })
  return {
    caps: caps(backend.caps),
    ...(capsAt === undefined ? {} : { capsAt: path => caps(capsAt.call(backend, path)) }),
    ...(mountPoints === undefined ? {} : { mountPoints }),
    ...(sync === undefined ? {} : { sync: { ...readingPrimitives(sync), ...refusedPrimitives } }),
    ...(snapshot === undefined ? {} : { snapshot: () => snapshot.call(backend) }),
    ...(diff === undefined ? {} : { diff: (from, to) => diff.call(backend, from, to) }),
    ...(watch === undefined ? {} : { watch: (path, listener, options) => watch.call(backend, path, listener, options) }),
    ...(usage === undefined ? {} : { usage: () => usage.call(backend) }),
    ...mapWaiting(readingNames, (name, args) => callWaiting(backend, name, args)),
    ...mapWaiting(changingNames, async (name, args) => callPrimitive(refusedPrimitives, name, args)),
    flush: () => backend.flush(),
    close: () => backend.close(),
  }
}
