// Starts a worker for a shell: a page's, or a thread of Node's. Where there is neither, or a policy or a bundler stands in the way, the
// caller hears it and runs its scripts on its own thread.

import { nodeThreads } from '../../core/node-threads.ts'
import type { StartWorker, WebWorkerLike } from '../../core/start-worker.ts'
import { startedBy, startThread, wrapWebWorker, type StartedWorker } from '../../core/started-worker.ts'
import type { FromWorker, ToWorker } from './protocol.ts'
import { createSharedMemory } from './shared-answer.ts'

export interface ShellWorker extends StartedWorker<ToWorker, FromWorker> {
  readonly shared: SharedArrayBuffer | undefined
}

// The page's own, of which this room's types know nothing.
declare const Worker: (new (script: URL, options: { type: 'module' }) => WebWorkerLike) | undefined

// Not in one expression with `URL`, so that bundlers for pages leave it alone.
const threadScript = './shell-worker.js'

/** What starts workers here, if anything does. It may still fail. */
export function workerStarter(startWorker?: StartWorker): (() => ShellWorker) | undefined {
  if (typeof Worker !== 'undefined') {
    // Bundlers take the script along only where they see it named in exactly this way.
    const nested = (): WebWorkerLike => new Worker(new URL('./shell-worker.js', import.meta.url), { type: 'module' })
    return () => shellWorkerOf(startedBy(startWorker, nested))
  }
  const threads = nodeThreads()
  if (threads === undefined) return undefined
  return () => ({
    ...startThread<ToWorker, FromWorker>(threads, new URL(threadScript, import.meta.url), { name: 'anchorage-shell' }),
    shared: createSharedMemory(),
  })
}

export function shellWorkerOf(worker: WebWorkerLike): ShellWorker {
  return { ...wrapWebWorker<ToWorker, FromWorker>(worker), shared: createSharedMemory() }
}
