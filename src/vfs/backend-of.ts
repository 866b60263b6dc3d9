// The facade for Node's libraries answers synchronously if the backend does, so it needs the backend behind a `Vfs`. Hosts and tools have
// no access to it.

import type { VfsBackend } from './backend.ts'
import type { Vfs } from './vfs.ts'

const backends = new WeakMap<Vfs, VfsBackend>()

export function rememberBackend(vfs: Vfs, backend: VfsBackend): void {
  backends.set(vfs, backend)
}

/** The backend that `vfs` was made from; `undefined` if the backend is elsewhere, for example on the other side of a Worker. */
export function backendOf(vfs: Vfs): VfsBackend | undefined {
  return backends.get(vfs)
}
