// A directory as a separate filesystem that no path inside can leave. `backend` alone could not do that: it would resolve an absolute
// symlink, and '..' in one, from its root. So paths are resolved here, name by name, as across mounts.

import { defined } from '../core/record.ts'
import { resolveDotDot, rootPath, type VfsPath } from '../core/path.ts'
import { type Border, borderAt, shifted, shiftedSync } from './at-root/shift.ts'
import { asynchronous } from './asynchronous.ts'
import type { Snapshot, VfsBackend, VfsTransaction } from './backend.ts'
import { checkBackend, vfsPath } from './input.ts'
import { mountedBatch } from './mount/batch.ts'
import { mountSteps } from './mount/primitives.ts'
import { synchronous, waiting } from './mount/synchronous.ts'
import { refusedPrimitives } from './readonly.ts'
import { offerPatch, patchOffer } from './patch-offer.ts'
import { composedRecipe } from './recipe.ts'
import { ifThere } from './error.ts'

/**
 * Makes `root` of `backend` the '/' of a new filesystem. Absolute symlinks are resolved inside, and '..' stops at the top. The path `root`
 * itself may contain symlinks, because the host chooses it. The directory should exist: until it does, listing it fails with ENOENT, though
 * a write creates it.
 *
 * If a backend is not synchronous, code that works on `backend` itself can replace a directory with a symlink between the check and the
 * use. So give an untrusted program only the jail.
 *
 * It has no `usage`, `fork` or `diff`, because those would be of the whole backend.
 */
export function atRoot(backend: VfsBackend, root: string): VfsBackend {
  checkBackend('atRoot', backend)
  const top = resolveDotDot(vfsPath(root, 'chroot'))
  if (top === rootPath) return backend

  const border = borderAt(top)
  const inside = shifted(backend, border)
  const steps = mountSteps([{ path: rootPath, on: inside }])
  const { capsAt, mountPoints, snapshot, watch, as } = backend
  const batch = batchInside(backend, border)
  const jail: VfsBackend = {
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
  offerPatch(jail.sync ?? jail, path => patchOffer(inside, path))
  return jail
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

/** Changes are reported by real path, and the watched directory may have been named by another path. */
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
  return ifThere(() => sync?.realpath(top), 'ENOENT', 'ENOTDIR') ?? top
}
