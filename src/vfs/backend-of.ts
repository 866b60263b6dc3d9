// The facade for Node's libraries answers synchronously where the backend does, so it needs the backend behind a `Vfs`. Nothing that
// hosts or tools are given leads there.

import type { VfsBackend } from './backend.ts'
import type { Vfs } from './vfs.ts'

const backends = new WeakMap<Vfs, VfsBackend>()

export function rememberBackend(vfs: Vfs, backend: VfsBackend): void {
  backends.set(vfs, backend)
}

/** The backend that `vfs` was made of; `undefined` for one that lives elsewhere, as over a Worker. */
export function backendOf(vfs: Vfs): VfsBackend | undefined {
  return backends.get(vfs)
}
