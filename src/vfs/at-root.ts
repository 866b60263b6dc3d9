// A directory as a filesystem of its own, which nothing in it leads out of. `backend` alone could not do that: it would follow an
// absolute symlink, and '..' of one, through its own root. So paths are followed here, name by name, as across mounts.

import { defined } from '../core/record.ts'
import { resolveDotDot, rootPath, type VfsPath } from '../core/path.ts'
import { type Border, borderAt, shifted, shiftedSync } from './at-root/shift.ts'
import { asynchronous } from './asynchronous.ts'
import type { Snapshot, VfsBackend, VfsTransaction } from './backend.ts'
import { isVfsError } from './error.ts'
import { vfsPath } from './input.ts'
import { mountedBatch } from './mount/batch.ts'
import { mountSteps } from './mount/primitives.ts'
import { synchronous, waiting } from './mount/synchronous.ts'
import { refusedPrimitives } from './readonly.ts'
import { composedRecipe } from './recipe.ts'

/**
 * `root` of `backend` as '/'. Absolute symlinks mean a path inside; '..' ends at the top. What the directory itself is reached by is
 * the host's business and may have symlinks. It should be there: until then listing it is ENOENT, though a write makes it.
 *
 * Where a backend is not synchronous, somebody who works on `backend` itself can put a symlink in the place of a directory between
 * the look and the use: give an untrusted program the jail and not the whole.
 *
 * It has no `usage`, `fork` or `diff`: those are of the whole.
 */
export function atRoot(backend: VfsBackend, root: string): VfsBackend {
  const top = resolveDotDot(vfsPath(root, 'chroot'))
  if (top === rootPath) return backend

  const border = borderAt(top)
  const inside = shifted(backend, border)
  const steps = mountSteps([{ path: rootPath, on: inside }])
  const { capsAt, mountPoints, snapshot, watch, as } = backend
  const batch = batchInside(backend, border)
  return {
    ...(inside.sync === undefined ? waiting(steps) : asynchronous(synchronous(steps))),
    caps: backend.caps,
    ...defined({
      sync: inside.sync && synchronous(steps),
      capsAt: capsAt && ((path: VfsPath) => capsAt.call(backend, border.into(path))),
      mountPoints: mountPoints?.flatMap(path => border.out(path) ?? []),
      batch,
      snapshot: snapshot && (() => snapshotInside(snapshot.call(backend), border)),
      watch: watch && watchInside(backend, watch, top),
      as: as && ((origin: string) => atRoot(as.call(backend, origin), root)),
    }),
    ...composedRecipe('at-root', { whole: backend }, { root: top }),
    placeFiles: path => backend.placeFiles?.(border.into(path)),
    flush: () => backend.flush(),
    close: () => backend.close(),
  }
}

function batchInside(backend: VfsBackend, border: Border): VfsBackend['batch'] {
  const { batch } = backend
  if (batch === undefined || backend.sync === undefined) return undefined
  const open = <T>(work: (transaction: VfsTransaction) => T | Promise<T>): Promise<T> =>
    batch.call(backend, (transaction: VfsTransaction) => work(shiftedSync(transaction, border))) as Promise<T>
  const on = { ...backend, ...shifted(backend, border), batch: open }
  return mountedBatch([{ path: rootPath, on }])
}

function snapshotInside({ seq, fs }: Snapshot, border: Border): Snapshot {
  const sync = shiftedSync({ ...refusedPrimitives, ...fs }, border)
  return { seq, fs: synchronous(mountSteps([{ path: rootPath, on: { sync } }])) }
}

/** Changes are told by their real path, and the directory may have been named by another. */
function watchInside(
  backend: VfsBackend,
  watch: NonNullable<VfsBackend['watch']>,
  top: VfsPath,
): NonNullable<VfsBackend['watch']> {
  return (path, listener, options) => {
    const border = borderAt(realIfKnown(backend, top))
    const tell: typeof listener = batch => {
      const seen = border.outBatch(batch)
      if (seen !== undefined) listener(seen)
    }
    return watch.call(backend, border.into(resolveDotDot(path)), tell, options)
  }
}

function realIfKnown({ sync }: VfsBackend, top: VfsPath): VfsPath {
  try {
    return sync?.realpath(top) ?? top
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR')) return top
    throw error
  }
}
