// Several filesystems as one: a table of directories and the filesystem that is mounted at each.

import { defined } from '../core/record.ts'
import { parsePath } from '../core/path.ts'
import { asynchronous } from './asynchronous.ts'
import type { Snapshot, Usage, VfsBackend, VfsSync } from './backend.ts'
import { mountedBatch } from './mount/batch.ts'
import { combinedCaps } from './mount/caps.ts'
import { mountSteps } from './mount/primitives.ts'
import { synchronous, waiting } from './mount/synchronous.ts'
import { locate, type Mount, parseTable } from './mount/table.ts'
import { type MountedWatch, mountedWatch } from './mount/watch.ts'
import { actingAs } from './origin.ts'
import { offerPatch, patchOffer } from './patch-offer.ts'
import { composedRecipe } from './recipe.ts'
import { refusedPrimitives } from './readonly.ts'

/**
 * `table`: absolute path → the filesystem that is mounted there; '/' is required. The longest matching path wins.
 *
 * Mount points are directories whether or not the filesystem below has them. Symlinks are resolved in the whole: a link in one filesystem
 * may lead into another. Operations on two filesystems at once are refused: `rename` and `link` with EXDEV, and a batch that changes two
 * with ENOTSUP, without changes. Mount points and their parents are EBUSY for `remove` and `rename`. The capabilities are those that all of
 * them have; `capsAt` gives those of one.
 */
export function mountBackends(table: Readonly<Record<string, VfsBackend>>): VfsBackend {
  const mounts = parseTable(table)
  const [first] = mounts
  if (mounts.length === 1 && first !== undefined) return first.on

  return mounted(mounts, mountedWatch(mounts))
}

function mounted(mounts: readonly Mount<VfsBackend>[], watching: MountedWatch | undefined): VfsBackend {
  const backends = mounts.map(mount => mount.on)
  const caps = combinedCaps(backends.map(backend => backend.caps))
  const steps = mountSteps(mounts)
  const batch = mountedBatch(mounts)
  const whole: VfsBackend = {
    ...(caps.sync ? asynchronous(synchronous(steps)) : waiting(steps)),
    // Computed each time: a filesystem that opens with its first operation knows only then whether its files are stored.
    get caps() {
      return combinedCaps(backends.map(backend => backend.caps))
    },
    capsAt: path => locate(mounts, path).mount.on.caps,
    mountPoints: mounts.map(mount => mount.path).filter(path => path !== '/'),
    ...defined({
      sync: caps.sync ? synchronous(steps) : undefined,
      batch,
      watch: watching?.watch,
      snapshot: caps.snapshots ? () => snapshotOf(mounts) : undefined,
    }),
    usage: () => usageOf(backends),
    flush: () => each(backends, backend => backend.flush()),
    close() {
      watching?.end()
      return each(backends, backend => backend.close())
    },
    placeFiles(root) {
      const { mount, inner } = locate(mounts, parsePath(root))
      mount.on.placeFiles?.(inner)
    },
    // All changes are reported by one feed, with one sequence of numbers.
    as: origin =>
      mounted(
        mounts.map(({ path, on }) => ({ path, on: actingAs(on, origin) })),
        watching,
      ),
    ...composedRecipe('mount', Object.fromEntries(mounts.map(({ path, on }) => [path, on]))),
  }
  offerPatch(whole.sync ?? whole, path => {
    const { mount, inner } = locate(mounts, path)
    return patchOffer(mount.on, inner)
  })
  return whole
}

/** Calls `act` for all backends, even after one failed; then throws the first failure. */
async function each(backends: readonly VfsBackend[], act: (backend: VfsBackend) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(backends.map(act))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** All of the same moment, because taking each is synchronous. */
function snapshotOf(mounts: readonly Mount<VfsBackend>[]): Snapshot {
  const frozen = mounts.map(({ path, on }) => {
    const snapshot = on.snapshot?.()
    if (snapshot === undefined) throw new Error(`the filesystem at ${path} declares snapshots but has none`)
    const sync: VfsSync = { ...refusedPrimitives, ...snapshot.fs }
    return { path, on: { sync }, seq: snapshot.seq }
  })
  return { seq: frozen.reduce((sum, { seq }) => sum + seq, 0), fs: synchronous(mountSteps(frozen)) }
}

async function usageOf(backends: readonly VfsBackend[]): Promise<Usage> {
  let bytes = 0
  let nodes = 0
  for (const backend of backends) {
    const usage = await backend.usage?.()
    bytes += usage?.bytes ?? 0
    nodes += usage?.nodes ?? 0
  }
  return { bytes, nodes }
}
