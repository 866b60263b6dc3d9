// `workspace.fs` on the page: the whole `Vfs`, with one message per call. There is no `sync` here; tools that need it run in the worker.

import { type Actor, actorOf } from '../core/actor.ts'
import type { ChangeBatch, Unsubscribe, WatchOptions } from '../vfs/backend.ts'
import { VfsError } from '../vfs/error.ts'
import type { BatchFs, Vfs, VfsBatchOptions, VfsSnapshot, WalkEntry, WalkOptions } from '../vfs/vfs.ts'
import { reportFault } from './callback.ts'
import { withoutSignal, walkAcross } from './client-walk.ts'
import type { Connection } from './connection.ts'
import { batchNames, hashOptionNames, need, needOptions, walkNames } from '../vfs/input.ts'
import { batchVerbs, fileVerbs, sendingVerbs, snapshotVerbs } from './file-verbs.ts'
import type { Supervisor } from './supervisor.ts'

/**
 * Requests to live objects (a batch, a snapshot, a walk) of one connection. When it ends they are lost; they do not move to the next one.
 */
function bound(supervisor: Supervisor, connection: Connection): Connection['request'] {
  return (verb, args, options) => {
    const lost = supervisor.sessionError(connection)
    if (lost !== undefined) throw lost
    return connection.request(verb, args, options)
  }
}

/** `actor`: who makes the changes; without one, the host. */
export function clientFiles(supervisor: Supervisor, actor?: Actor): Vfs {
  return {
    ...sendingVerbs<Vfs>(fileVerbs, async (verb, args) => {
      const connection = await supervisor.current()
      return await connection.request('file', [actor && { actor }, verb, args], { label: labelOf(verb, args) })
    }),
    walk(root: string, options: WalkOptions = {}): AsyncIterable<WalkEntry> {
      needOptions(options, 'scandir', walkNames)
      return walkAcross(async () => bound(supervisor, await supervisor.current()), root, withoutSignal(options), options.signal)
    },
    watch: (path, listener, options) => watchAcross(supervisor, path, listener, options),
    batch: (work, options) => batchAcross(supervisor, actor, work, options),
    snapshot: () => snapshotAcross(supervisor),
    async hash(path, algorithm, options = {}) {
      needOptions(options, 'hash', hashOptionNames)
      const { signal } = options
      return await (await supervisor.current()).request('hash', [path, algorithm], { signal, label: `hash ${path}` })
    },
    as: other => clientFiles(supervisor, actorOf(other)),
  }
}

async function batchAcross<T>(
  supervisor: Supervisor,
  actor: Actor | undefined,
  work: (fs: BatchFs) => T | Promise<T>,
  options: VfsBatchOptions = {},
): Promise<T> {
  const request = bound(supervisor, await supervisor.current())
  need('function', work, 'batch')
  needOptions(options, 'batch', batchNames)
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
      // The worker is lost, and its batch is rolled back with it. The error of `work` is more informative than this one.
    }
    throw error
  }
  await request('closeBatch', [batchId, 'commit'], { label: 'the commit of a batch' })
  return result
}

/** The number of each snapshot, and the connection in which it is open. */
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
        throw new VfsError('EINVAL', 'diff', {
          hint: 'the other snapshot was disposed of; take another one of these files',
        })
      return await request('diffSnapshots', [snapshotId, other?.snapshotId], { label: 'diff of snapshots' })
    },
    async dispose() {
      opened.delete(snapshot)
      // If the worker was lost, the snapshot is gone already.
      if (connection.ended === undefined) await connection.request('closeSnapshot', [snapshotId])
    },
  }
  opened.set(snapshot, { connection, snapshotId })
  return snapshot
}

/** A watch continues when the worker is replaced: it is set again, and an `overflow` tells the listener to list the files again. */
async function watchAcross(
  supervisor: Supervisor,
  path: string,
  listener: (batch: ChangeBatch) => void,
  options: WatchOptions = {},
): Promise<Unsubscribe> {
  need('function', listener, 'watch')
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
