// A read-only filesystem: each primitive that would change something fails with EROFS.

import { checkBackend } from './input.ts'
import type { VfsPath } from '../core/path.ts'
import { defined } from '../core/record.ts'
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
import { composedRecipe } from './recipe.ts'

export { readingPrimitives } from './reading.ts'

/** The primitives that change something, refused. */
export const refusedPrimitives: Synchronous<ChangingName> = mapPrimitives(changingNames, (name, args) => {
  const [path] = pathsOf(name, args)
  throw new VfsError('EROFS', primitives[name].syscall, { path })
})

/** `backend` without its writing primitives. Everything else, and later changes of its files, is visible. */
export function readonly(backend: VfsBackend): VfsBackend {
  checkBackend('readonly', backend)
  const { sync, snapshot, diff, watch, usage, capsAt, mountPoints } = backend
  const caps = (own: VfsCaps): VfsCaps => ({ ...own, readonly: true, transactions: false })
  return {
    caps: caps(backend.caps),
    ...defined({
      capsAt: capsAt && ((path: VfsPath) => caps(capsAt.call(backend, path))),
      mountPoints,
      sync: sync && { ...readingPrimitives(sync), ...refusedPrimitives },
      snapshot: snapshot?.bind(backend),
      diff: diff?.bind(backend),
      watch: watch?.bind(backend),
      usage: usage?.bind(backend),
    }),
    ...composedRecipe('readonly', { whole: backend }),
    ...mapWaiting(readingNames, (name, args) => callWaiting(backend, name, args)),
    ...mapWaiting(changingNames, async (name, args) => callPrimitive(refusedPrimitives, name, args)),
    flush: () => backend.flush(),
    close: () => backend.close(),
  }
}
