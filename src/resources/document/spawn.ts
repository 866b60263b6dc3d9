// Starts the worker that converts documents, if possible.

import { nodeThreads } from '../../core/node-threads.ts'
import type { StartWorker, WebWorkerLike } from '../../core/start-worker.ts'
import { startedBy, startThread, wrapWebWorker, type StartedWorker } from '../../core/started-worker.ts'
import type { FromDocumentWorker, ToDocumentWorker } from './document-worker.ts'

export type DocumentWorker = StartedWorker<ToDocumentWorker, FromDocumentWorker>

// The page's `Worker`, for which this folder has no types.
declare const Worker: (new (script: URL, options: { type: 'module' }) => WebWorkerLike) | undefined

// Not in one expression with `URL`, so that bundlers for pages ignore it.
const threadScript = './document-worker.js'

/**
 * `undefined` if there are no workers. If a policy or a bundler prevents it, throws, or the worker is lost.
 *
 * @param memoryMb limit of its heap, if that can be limited
 */
export function startDocumentWorker(memoryMb: number, startWorker?: StartWorker): DocumentWorker | undefined {
  if (typeof Worker !== 'undefined') {
    if (startWorker === undefined && mayWaitForEver()) return undefined
    // Bundlers include the script only if it is named in exactly this way.
    const nested = (): WebWorkerLike => new Worker(new URL('./document-worker.js', import.meta.url), { type: 'module' })
    return wrapWebWorker(startedBy(startWorker, nested))
  }
  const threads = nodeThreads()
  return threads === undefined
    ? undefined
    : startThread(threads, new URL(threadScript, import.meta.url), {
        name: 'anchorage-documents',
        resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      })
}

/** A worker that starts another may hang Firefox on a busy machine. A document that takes long is the smaller problem. */
function mayWaitForEver(): boolean {
  const scope = globalThis as { WorkerGlobalScope?: unknown; navigator?: { readonly userAgent?: string } }
  return scope.WorkerGlobalScope !== undefined && /\bFirefox\//.test(scope.navigator?.userAgent ?? '')
}
