// `workspace.fs` on the page: the whole `Vfs`, each verb one message. There is no `sync` here; tools that want it run in the worker.

import type { Actor } from '../core/actor.ts'
import type { ChangeBatch, Unsubscribe, WatchOptions } from '../vfs/backend.ts'
import { VfsError } from '../vfs/error.ts'
import type { BatchFs, Vfs, VfsBatchOptions, VfsSnapshot, WalkEntry, WalkOptions } from '../vfs/vfs.ts'
import { reportFault } from './callback.ts'
import { withoutSignal, walkAcross } from './client-walk.ts'
import type { Connection } from './connection.ts'
import { batchVerbs, fileVerbs, sendingVerbs, snapshotVerbs } from './file-verbs.ts'
import type { Supervisor } from './supervisor.ts'

/** Requests to live things (a batch, a snapshot, a walk) of one connection: when that is over, they are lost, not moved to the next. */
function bound(supervisor: Supervisor, connection: Connection): Connection['request'] {
  return (verb, args, options) => {
    const lost = supervisor.sessionError(connection)
    if (lost !== undefined) throw lost
    return connection.request(verb, args, options)
  }
}

/** `actor`: whose changes they are; without one, the host's. */
export function clientFiles(supervisor: Supervisor, actor?: Actor): Vfs {
  return {
    ...sendingVerbs<Vfs>(fileVerbs, async (verb, args) => {
      const connection = await supervisor.current()
      return await connection.request('file', [actor && { actor }, verb, args], { label: labelOf(verb, args) })
    }),
    walk: (root: string, options: WalkOptions = {}): AsyncIterable<WalkEntry> =>
      walkAcross(async () => bound(supervisor, await supervisor.current()), root, withoutSignal(options), options.signal),
    watch: (path, listener, options) => watchAcross(supervisor, path, listener, options),
    batch: (work, options) => batchAcross(supervisor, actor, work, options),
    snapshot: () => snapshotAcross(supervisor),
  }
}

async function batchAcross<T>(
  supervisor: Supervisor,
  actor: Actor | undefined,
  work: (fs: BatchFs) => T | Promise<T>,
  options: VfsBatchOptions = {},
): Promise<T> {
  const request = bound(supervisor, await supervisor.current())
  const batchId = await request('openBatch', [options.expect, actor])
  let result: T
  try {
    result = await work(
      sendingVerbs<BatchFs>(batchVerbs, (verb, args) =>
        request('file', [{ batch: batchId }, verb, args], { label: labelOf(verb, args) }),
      ),
    )
  } catch (error) {
    try {
      await request('closeBatch', [batchId, 'roll-back'])
    } catch {
      // The worker is lost, and the batch with it: rolled back all the same. What the work threw says more.
    }
    throw error
  }
  await request('closeBatch', [batchId, 'commit'], { label: 'the commit of a batch' })
  return result
}

/** The number of each snapshot, and the connection that it is open in. */
const opened = new WeakMap<VfsSnapshot, { readonly connection: Connection; readonly snapshotId: number }>()

async function snapshotAcross(supervisor: Supervisor): Promise<VfsSnapshot> {
  const connection = await supervisor.current()
  const request = bound(supervisor, connection)
  const { snapshotId, seq } = await request('openSnapshot', [])
  const snapshot: VfsSnapshot = {
    seq,
    ...sendingVerbs<VfsSnapshot>(snapshotVerbs, (verb, args) =>
      request('file', [{ snapshot: snapshotId }, verb, args], { label: labelOf(verb, args) }),
    ),
    async diff(to) {
      const other = to && opened.get(to)
      if (to !== undefined && other?.connection !== connection)
        throw new VfsError('EINVAL', 'diff', { hint: 'the other snapshot was disposed of, or is not of this filesystem' })
      return await request('diffSnapshots', [snapshotId, other?.snapshotId], { label: 'diff of snapshots' })
    },
    async dispose() {
      opened.delete(snapshot)
      // A lost worker took the snapshot with it.
      if (connection.ended === undefined) await connection.request('closeSnapshot', [snapshotId])
    },
  }
  opened.set(snapshot, { connection, snapshotId })
  return snapshot
}

/** A watch outlives a replaced worker: it is set again, and an `overflow` tells the listener to list anew. */
async function watchAcross(
  supervisor: Supervisor,
  path: string,
  listener: (batch: ChangeBatch) => void,
  options: WatchOptions = {},
): Promise<Unsubscribe> {
  let isOver = false
  let close: () => Promise<void> = async () => {}
  const deliver = (batch: unknown): void => {
    if (!isOver) listener(batch as ChangeBatch)
  }
  const open = async (connection: Connection, watchOptions: WatchOptions): Promise<void> => {
    const watchId = await connection.request('openWatch', [path, watchOptions], { onUpdate: deliver, label: `watch ${path}` })
    close = async () => {
      if (connection.ended === undefined) await connection.request('closeWatch', [watchId])
    }
    if (isOver) await close()
  }
  await open(await supervisor.current(), options)
  const stopFollowing = supervisor.onReplacement(connection => {
    const { sinceSeq: _sinceSeq, ...again } = options
    open(connection, again).catch(reportFault)
    deliver({ changes: [], overflow: true } satisfies ChangeBatch)
  })
  return () => {
    if (isOver) return
    isOver = true
    stopFollowing()
    close().catch(reportFault)
  }
}

function labelOf(verb: string, args: readonly unknown[]): string {
  return typeof args[0] === 'string' ? `${verb} ${args[0]}` : verb
}
