// The implementation of `Vfs` for a backend in the same thread. Everything but the primitives is derived here, so backends stay small.

import { actorOf } from '../core/actor.ts'
import { defined } from '../core/record.ts'
import { isInside, type VfsPath } from '../core/path.ts'
import type { ChangeBatch, Snapshot, VfsBackend } from './backend.ts'
import { rememberBackend } from './backend-of.ts'
import { statIfAny } from './derived/exists.ts'
import { removeTree } from './derived/remove-tree.ts'
import { walk } from './derived/walk.ts'
import { VfsError } from './error.ts'
import { batchNames, checkBackend, need, needOptions, vfsPath } from './input.ts'
import { actingAs, attributed, originOf } from './origin.ts'
import { call, type Primitives, run, runNow, type Steps } from './steps.ts'
import type { BatchFs, Vfs, VfsBatchOptions, VfsSnapshot } from './vfs.ts'
import { existing, itself, verbs } from './verbs.ts'

/**
 * The filesystem that tools and hosts use, over any backend. Every method throws `VfsError`.
 *
 * If the backend has no transactions, `batch` works on the real files (see sequential-batch.ts). If it has no watching, snapshots or usage,
 * those fail with ENOTSUP: check `caps()` first.
 */
export function createVfs(backend: VfsBackend): Vfs {
  checkBackend('createVfs', backend)
  /**
   * All or nothing if a single filesystem can do it. Synchronous work cannot be overtaken, so it never fails with ESTALE. Several
   * filesystems would have to wait for each other: there the steps run directly, and completed steps are not undone.
   */
  const atomically = <T>(steps: (on: Primitives) => Steps<T>): Promise<T> =>
    backend.batch !== undefined && backend.mountPoints === undefined
      ? backend.batch(transaction => runNow(steps({ sync: transaction })))
      : run(backend, steps(backend))

  /** The backend's snapshot behind each `VfsSnapshot` that was returned, until that is disposed. */
  const snapshots = new WeakMap<VfsSnapshot, Snapshot>()

  const whole: Omit<Vfs, Exclude<keyof BatchFs, 'rm'>> = {
    rm: (path, options) =>
      atomically(function* (on) {
        const checked = yield* itself(on, path, 'rm')
        yield* refuseMountPoints(on, backend, checked)
        yield* removeTree(on, checked, options)
      }),
    async copy(from, to, options) {
      const { copyTree } = await import('./derived/copy-tree.ts')
      await atomically(function* (on) {
        yield* copyTree(on, yield* itself(on, from, 'cp'), yield* existing(on, to, 'cp'), options)
      })
    },
    async link(existingPath, path) {
      await backend.link(vfsPath(existingPath, 'link'), vfsPath(path, 'link'))
    },
    async caps(path) {
      return (path !== undefined && backend.capsAt?.(vfsPath(path, 'caps'))) || backend.caps
    },
    walk: (root, options) => walk(backend, vfsPath(root, 'scandir'), options),
    async watch(path, listener, options) {
      const checked = vfsPath(path, 'watch')
      need('function', listener, 'watch')
      needOptions(options, 'watch', { recursive: 1, sinceSeq: 1, immediate: 1 })
      if (backend.watch === undefined) throw notSupported('watch', checked, 'list it again when you need to know')
      const tell = (batch: ChangeBatch): void => listener({ ...batch, changes: batch.changes.map(attributed) })
      return backend.watch(checked, tell, options)
    },
    async batch(work, options) {
      need('function', work, 'batch')
      const expect = expectedRevs(options)
      if (backend.batch === undefined) return (await import('./sequential-batch.ts')).sequentialBatch(backend, work, expect)
      return backend.batch(transaction => work(verbs({ sync: transaction })), { expect })
    },
    async snapshot() {
      if (backend.snapshot === undefined) throw notSupported('snapshot', '/', 'read the files to keep')
      const taken = backend.snapshot()
      return (await import('./snapshot.ts')).snapshotOf(backend, taken, snapshots)
    },
    as: actor => createVfs(actingAs(backend, originOf({ actor: actorOf(actor) }))),
    hash: async (path, ...how) => (await import('./hash/hash-file.ts')).hashFile(backend, vfsPath(path, 'open'), ...how),
    async usage() {
      if (backend.usage === undefined) throw notSupported('usage', '/', 'add up the sizes')
      return backend.usage()
    },
    flush: () => backend.flush(),
  }
  const vfs = Object.assign(verbs(backend), whole, defined({ sync: backend.sync }))
  rememberBackend(vfs, backend)
  return vfs
}

function expectedRevs(options: VfsBatchOptions = {}): ReadonlyMap<VfsPath, number> {
  needOptions(options, 'batch', batchNames)
  return new Map(Object.entries(options.expect ?? {}).map(([path, rev]) => [vfsPath(path, 'commit'), rev]))
}

/** Checks before anything is changed, so that emptying a directory never reaches into a filesystem that is mounted in it. */
function* refuseMountPoints(on: Primitives, { mountPoints = [] }: VfsBackend, path: VfsPath): Steps<void> {
  if (mountPoints.length === 0 || (yield* statIfAny(on, path, { follow: false }))?.kind !== 'directory') return
  const real = yield* call(on, 'realpath', path)
  const inside = mountPoints.find(mountPoint => isInside(mountPoint, real))
  if (inside !== undefined) throw new VfsError('EBUSY', 'rm', { path, hint: `another filesystem is mounted at ${inside}` })
}

function notSupported(syscall: string, path: string, hint: string): VfsError {
  return new VfsError('ENOTSUP', syscall, { path, hint })
}
