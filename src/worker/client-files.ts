// `workspace.fs` on the page: the whole `Vfs`, each verb one message. There is no `sync` here; tools that want it run in the worker.

import type { ChangeBatch, Unsubscribe, WatchOptions } from '../vfs/backend.ts'
import type { BatchFs, Vfs, VfsBatchOptions, VfsSnapshot, WalkEntry, WalkOptions } from '../vfs/vfs.ts'
import { lendBytes } from './bytes.ts'
import { reportFault } from './callback.ts'
import { withoutSignal, walkAcross } from './client-walk.ts'
import type { Connection } from './connection.ts'
import type { Supervisor } from './supervisor.ts'

type Send = (verb: string, args: readonly unknown[]) => Promise<unknown>

/** The worker's table of verbs names the same methods with the same results; this is where they get their types back. */
function typed<T>(promise: Promise<unknown>): Promise<T> {
  return promise as Promise<T>
}

/** The verbs that a batch shares with a filesystem. */
function batchFs(send: Send): BatchFs {
  return {
    readFile: (path, range) => typed(send('readFile', [path, range])),
    readText: path => typed(send('readText', [path])),
    writeFile: (path, data, options) => typed(send('writeFile', lendBytes([path, data, options]))),
    stat: path => typed(send('stat', [path])),
    lstat: path => typed(send('lstat', [path])),
    exists: path => typed(send('exists', [path])),
    readdir: path => typed(send('readdir', [path])),
    mkdir: (path, options) => typed(send('mkdir', [path, options])),
    rm: (path, options) => typed(send('rm', [path, options])),
    rename: (from, to) => typed(send('rename', [from, to])),
    symlink: (target, path) => typed(send('symlink', [target, path])),
    readlink: path => typed(send('readlink', [path])),
    realpath: path => typed(send('realpath', [path])),
    chmod: (path, mode) => typed(send('chmod', [path, mode])),
    utimes: (path, mtimeMs) => typed(send('utimes', [path, mtimeMs])),
  }
}

/** Requests to live things (a batch, a snapshot, a walk) of one connection: when that is over, they are lost, not moved to the next. */
function bound(supervisor: Supervisor, connection: Connection): Connection['request'] {
  return (verb, args, options) => {
    const lost = supervisor.sessionError(connection)
    if (lost !== undefined) throw lost
    return connection.request(verb, args, options)
  }
}

export function clientFiles(supervisor: Supervisor): Vfs {
  const send: Send = async (verb, args) => {
    const connection = await supervisor.current()
    return await connection.request('file', [verb, args], { label: labelOf(verb, args) })
  }
  return {
    ...batchFs(send),
    caps: path => typed(send('caps', [path])),
    copy: (from, to, options) => typed(send('copy', [from, to, options])),
    link: (existing, path) => typed(send('link', [existing, path])),
    usage: () => typed(send('usage', [])),
    flush: () => typed(send('flush', [])),
    walk: (root: string, options: WalkOptions = {}): AsyncIterable<WalkEntry> =>
      walkAcross(async () => bound(supervisor, await supervisor.current()), root, withoutSignal(options), options.signal),
    watch: (path, listener, options) => watchAcross(supervisor, path, listener, options),
    batch: (work, options) => batchAcross(supervisor, work, options),
    snapshot: () => snapshotAcross(supervisor),
  }
}

async function batchAcross<T>(
  supervisor: Supervisor,
  work: (fs: BatchFs) => T | Promise<T>,
  options: VfsBatchOptions = {},
): Promise<T> {
  const request = bound(supervisor, await supervisor.current())
  const batchId = await request('openBatch', [options.expect])
  let result: T
  try {
    const send: Send = async (verb, args) => await request('batchFile', [batchId, verb, args], { label: labelOf(verb, args) })
    result = await work(batchFs(send))
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

async function snapshotAcross(supervisor: Supervisor): Promise<VfsSnapshot> {
  const connection = await supervisor.current()
  const request = bound(supervisor, connection)
  const { snapshotId, seq } = await request('openSnapshot', [])
  const send: Send = async (verb, args) => await request('snapshotFile', [snapshotId, verb, args], { label: labelOf(verb, args) })
  const fs = batchFs(send)
  return {
    seq,
    readFile: (path, range) => fs.readFile(path, range),
    readText: path => fs.readText(path),
    stat: path => fs.stat(path),
    lstat: path => fs.lstat(path),
    readdir: path => fs.readdir(path),
    exists: path => fs.exists(path),
    async dispose() {
      // A lost worker took the snapshot with it.
      if (connection.ended === undefined) await connection.request('closeSnapshot', [snapshotId])
    },
  }
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
