// Starts a worker for a shell: a Web Worker in a page, a thread in Node. If no worker can be started, the caller runs scripts on
// the current thread.

import { nodeThreads } from '../../core/node-threads.ts'
import type { StartWorker, WebWorkerLike } from '../../core/start-worker.ts'
import { startedBy, startThread, wrapWebWorker, type StartedWorker } from '../../core/started-worker.ts'
import type { FromWorker, ToWorker } from './protocol.ts'
import { createAnswerMemory } from './shared-answer.ts'

export interface ShellWorker extends StartedWorker<ToWorker, FromWorker> {
  readonly shared: SharedArrayBuffer | undefined
}

// The constructor of the page; this folder does not include the DOM types.
declare const Worker: (new (script: URL, options: { type: 'module' }) => WebWorkerLike) | undefined

// This constant is not inlined into `new URL(…)`, so that bundlers for pages ignore it.
const threadScript = './shell-worker.js'

/** Returns a function that starts workers, if the platform has them. Starting one can still fail. */
export function workerStarter(startWorker?: StartWorker): (() => ShellWorker) | undefined {
  if (typeof Worker !== 'undefined') {
    // Bundlers include the script only if it is named in exactly this form.
    const nested = (): WebWorkerLike => new Worker(new URL('./shell-worker.js', import.meta.url), { type: 'module' })
    return () => shellWorkerOf(startedBy(startWorker, nested))
  }
  const threads = nodeThreads()
  if (threads === undefined) return undefined
  return () => ({
    ...startThread<ToWorker, FromWorker>(threads, new URL(threadScript, import.meta.url), { name: 'anchorage-shell' }),
    shared: createAnswerMemory(),
  })
}

export function shellWorkerOf(worker: WebWorkerLike): ShellWorker {
  return { ...wrapWebWorker<ToWorker, FromWorker>(worker), shared: createAnswerMemory() }
}
