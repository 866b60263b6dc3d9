// Starts a worker for a program: a Web Worker in a page, a thread in Node.

import { nodeThreads } from '../../core/node-threads.ts'
import type { StartWorker, WebWorkerLike } from '../../core/start-worker.ts'
import { startedBy, startThread, wrapWebWorker, type StartedWorker } from '../../core/started-worker.ts'
import type { FromProgramWorker } from '../../shell/program-calls.ts'
import type { ToJsWorker } from './protocol.ts'

export type JsWorker = StartedWorker<ToJsWorker, FromProgramWorker>

// The constructor of the page; this folder does not include the DOM types.
declare const Worker: (new (script: URL, options: { type: 'module' }) => WebWorkerLike) | undefined

// This constant is not inlined into `new URL(…)`, so that bundlers for pages ignore it.
const threadScript = './js-worker.js'

/** Returns `undefined` if the platform has no workers. */
export function startJsWorker(startWorker?: StartWorker, create?: () => WebWorkerLike): JsWorker | undefined {
  if (create !== undefined) return wrapWebWorker(create())
  if (typeof Worker !== 'undefined') {
    // Bundlers include the script only if it is named in exactly this form.
    const nested = (): WebWorkerLike => new Worker(new URL('./js-worker.js', import.meta.url), { type: 'module' })
    return wrapWebWorker(startedBy(startWorker, nested))
  }
  const threads = nodeThreads()
  return threads === undefined
    ? undefined
    : startThread(threads, new URL(threadScript, import.meta.url), { name: 'anchorage-js' })
}
