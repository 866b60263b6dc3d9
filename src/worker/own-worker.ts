// Workers for the scripts of a workspace that the host opens in its own worker, without `connectWorkspace`. In Firefox the page starts
// them: see page-workers.ts. Both sides stop the propagation of their messages, so the host's listeners do not receive them.

import { checkMember } from '../core/errors.ts'
import type { Endpoint } from 'comlink'
import { deferred } from '../core/deferred.ts'
import type { StartWorker } from '../core/start-worker.ts'
import { isOfPageWorkers, PageStarter, startForWorker } from './page-workers.ts'
import { dedicatedScope } from './worker-scope.ts'

/** Whether a worker that starts a worker may hang. */
export function isFirefox(): boolean {
  return typeof navigator !== 'undefined' && navigator.userAgent.includes('Gecko/')
}

/**
 * For a worker of yours that calls `createWorkspace`: in Firefox, lets the page start the workers of scripts and documents. Call it on the
 * page, directly after `new Worker`; the worker passes `startedByPage()`. Returns a function that ends the workers.
 *
 * ```ts
 * const worker = new Worker(new URL('./server.js', import.meta.url), { type: 'module' })
 * startWorkersFor(worker)
 * ```
 */
export function startWorkersFor(worker: Worker): () => void {
  checkMember('startWorkersFor', worker, 'postMessage', 'a Worker')
  const ended = deferred<void>()
  startForWorker(worker, ended.promise)
  hideMessages(worker)
  return () => ended.resolve()
}

/**
 * The value of `createWorkspace({ startWorker })` in a worker of yours whose page has called {@link startWorkersFor}. Call it before your
 * first listener for messages. `undefined` where workers can start workers, that is, in all browsers but Firefox.
 *
 * ```ts
 * const workspace = await createWorkspace({ fs: memory(), startWorker: startedByPage() })
 * ```
 */
export function startedByPage(): StartWorker | undefined {
  const page = isFirefox() ? dedicatedScope() : undefined
  if (page === undefined) return undefined
  const starter = new PageStarter(page)
  hideMessages(page)
  return (script, type) => starter.start(script, type)
}

/** Listeners are called in the order in which they were added, so this hides them from all that come later. */
function hideMessages(endpoint: Endpoint): void {
  endpoint.addEventListener('message', (event: unknown) => {
    if (event instanceof MessageEvent && isOfPageWorkers(event.data)) event.stopImmediatePropagation()
  })
}
