// What `snapshot` of a filesystem returns. Loaded with the first one.

import type { Snapshot, VfsBackend, VfsSync } from './backend.ts'
import { VfsError } from './error.ts'
import { lendFor } from './lend.ts'
import { forwarded, readingNames } from './port.ts'
import { refusedPrimitives } from './readonly.ts'
import { readVerbs } from './verbs.ts'
import type { VfsSnapshot } from './vfs.ts'

/** `snapshots`: the backend's snapshot behind each that was returned, until that is disposed. */
export function snapshotOf(backend: VfsBackend, snapshot: Snapshot, snapshots: WeakMap<VfsSnapshot, Snapshot>): VfsSnapshot {
  let held: Snapshot['fs'] | undefined = snapshot.fs
  const fs = (): Snapshot['fs'] => {
    if (held === undefined) throw new VfsError('EBADF', 'snapshot', { hint: 'the snapshot was disposed of; take another one' })
    return held
  }
  const sync: VfsSync = { ...refusedPrimitives, ...forwarded(readingNames, fs) }
  lendFor(sync, fs)
  const given: VfsSnapshot = {
    seq: snapshot.seq,
    ...readVerbs({ sync }),
    sync,
    async diff(to) {
      fs()
      if (backend.diff === undefined) throw new VfsError('ENOTSUP', 'diff', { path: '/', hint: 'compare the files one by one' })
      const other = to === undefined ? 'now' : snapshots.get(to)
      if (other === undefined)
        throw new VfsError('EINVAL', 'diff', {
          hint: 'the other snapshot was disposed of; take another one of these files',
        })
      return backend.diff(snapshot, other)
    },
    async dispose() {
      held = undefined
      snapshots.delete(given)
    },
  }
  snapshots.set(given, snapshot)
  return given
}
