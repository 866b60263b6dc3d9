// A transaction on one of several filesystems. Which one is known only after the work, so it opens a transaction on each. Before any of
// them commits, it refuses work that changed two, because two filesystems cannot commit "both or neither".

import type { VfsPath } from '../../core/path.ts'
import type { BatchOptions, VfsBackend, VfsTransaction } from '../backend.ts'
import { statIfAny } from '../derived/exists.ts'
import { isVfsError, VfsError } from '../error.ts'
import { checkRevisions } from '../stale.ts'
import { runNow } from '../steps.ts'
import { errorSeenFrom } from './errors.ts'
import { mountSteps } from './primitives.ts'
import { resolveMounted } from './resolve.ts'
import { synchronous } from './synchronous.ts'
import type { Mount } from './table.ts'

type Batch = NonNullable<VfsBackend['batch']>
type Transacted = Mount<{ readonly sync: VfsTransaction }>

/** `undefined` if one of the filesystems has no transactions. */
export function mountedBatch(mounts: readonly Mount<VfsBackend>[]): Batch | undefined {
  if (mounts.some(mount => mount.on.batch === undefined || mount.on.sync === undefined)) return undefined

  return async <T>(work: (transaction: VfsTransaction) => T | Promise<T>, options: BatchOptions = {}): Promise<T> => {
    checkExpected(mounts, options)
    const expectations = expectedIn(mounts, options)
    const run = async (opened: readonly Transacted[]): Promise<T> => {
      const changed = new Set<VfsPath>()
      checkExpected(mounts, options)
      const result = await work(synchronous(mountSteps(opened, mount => changed.add(mount.path))))
      const [first, second] = changed
      if (first !== undefined && second !== undefined) {
        throw new VfsError('ENOTSUP', 'commit', {
          path: first,
          dest: second,
          hint: 'a batch can change only one filesystem; use two batches, or copy instead of moving',
        })
      }
      checkExpected(mounts, options)
      // The one that commits checks its expectations again at the commit. The others change nothing, and must not fail afterwards.
      for (const [path, expected] of expectations) if (path !== first) expected.clear()
      return result
    }
    // Each transaction runs inside the next. All but one have changed nothing, so their commits cannot fail.
    const open = (index: number, opened: readonly Transacted[]): Promise<T> => {
      const mount = mounts[index]
      if (mount?.on.batch === undefined) return run(opened)
      let isWorkDone = false
      const within = async (sync: VfsTransaction): Promise<T> => {
        const result = await open(index + 1, [...opened, { path: mount.path, on: { sync } }])
        isWorkDone = true
        return result
      }
      return mount.on.batch(within, { expect: expectations.get(mount.path) ?? new Map() }).catch((error: unknown) => {
        throw isWorkDone ? errorSeenFrom(mount, error) : error
      })
    }
    return open(0, [])
  }
}

/** The expectations for each filesystem, by its paths. */
function expectedIn(
  mounts: readonly Mount<VfsBackend>[],
  { expect = new Map() }: BatchOptions,
): Map<VfsPath, Map<VfsPath, number>> {
  const found = new Map<VfsPath, Map<VfsPath, number>>()
  for (const [path, rev] of expect) {
    const steps = resolveMounted(mounts, path, true, 'commit', true)
    try {
      const { mount, inner, stat } = runNow(steps)
      // A directory that exists only because something is mounted below it has no revision in its filesystem.
      if (stat === undefined && rev !== 0) continue
      found.set(mount.path, (found.get(mount.path) ?? new Map<VfsPath, number>()).set(inner, rev))
    } catch (error) {
      // The path leads nowhere, so the commit has nothing to check.
      if (!isVfsError(error)) throw error
    }
  }
  return found
}

function checkExpected(mounts: readonly Mount<VfsBackend>[], { expect }: BatchOptions): void {
  const live = synchronous(mountSteps(mounts))
  checkRevisions(expect, path => runNow(statIfAny({ sync: live }, path))?.rev ?? 0)
}
