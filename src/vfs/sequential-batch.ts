// A batch for a backend without transactions: the same operations, one after the other, on the real files. Its guarantees are weaker: other
// writers are not excluded, and operations before a failure are not undone. Its errors say so.

import { AnchorageError } from '../core/errors.ts'
import type { VfsPath } from '../core/path.ts'
import { aroundChanges } from './changing-verbs.ts'
import { statIfAny } from './derived/exists.ts'
import { VfsError } from './error.ts'
import { stale } from './stale.ts'
import { type Primitives, run } from './steps.ts'
import type { BatchFs } from './vfs.ts'
import { verbs } from './verbs.ts'

interface Applied {
  readonly verb: string
  readonly path: string
}

/**
 * Checks `expect`, then runs `work`. If it fails after changes, throws an `AnchorageError` `batch-partial` with `details.applied`
 * (`{ verb, path }`, in order) and the failure as `cause`. If it fails before any change, throws the failure itself.
 */
export async function sequentialBatch<T>(
  on: Primitives,
  work: (fs: BatchFs) => T | Promise<T>,
  expect: ReadonlyMap<VfsPath, number>,
): Promise<T> {
  for (const [path, rev] of expect) {
    const found = (await run(on, statIfAny(on, path)))?.rev ?? 0
    if (found !== rev) throw stale('commit', path, rev, found)
  }
  const applied: Applied[] = []
  const lease = { isEnded: false }
  try {
    return await work(recording(verbs(on), applied, lease))
  } catch (error) {
    if (applied.length === 0) throw error
    const done = applied.map(({ verb, path }) => `${verb} ${path}`).join(', ')
    throw new AnchorageError(
      'batch-partial',
      `the batch failed, and this filesystem cannot undo what was done before: ${done}. Check these paths before you continue.`,
      { details: { applied }, cause: error },
    )
  } finally {
    lease.isEnded = true
  }
}

function recording(fs: BatchFs, applied: Applied[], lease: { readonly isEnded: boolean }): BatchFs {
  const changes = aroundChanges(fs, async (verb, paths, act) => {
    const [path = ''] = paths
    if (lease.isEnded)
      throw new VfsError('EBADF', verb, { path, hint: 'its batch has ended; wait for all of its work inside the callback' })
    const result = await act()
    applied.push({ verb, path })
    return result
  })
  return { ...fs, ...changes }
}
