// Starts the worker that documents are converted in, where that is possible.

import { nodeThreads } from '../../core/node-threads.ts'
import type { StartWorker, WebWorkerLike } from '../../core/start-worker.ts'
import { startedBy, startThread, wrapWebWorker, type StartedWorker } from '../../core/started-worker.ts'
import type { FromDocumentWorker, ToDocumentWorker } from './document-worker.ts'

export type DocumentWorker = StartedWorker<ToDocumentWorker, FromDocumentWorker>

// The page's own, of which this room's types know nothing.
declare const Worker: (new (script: URL, options: { type: 'module' }) => WebWorkerLike) | undefined

// Not in one expression with `URL`, so that bundlers for pages leave it alone.
const threadScript = './document-worker.js'

/**
 * `undefined` where there are no workers. Throws, or the worker is lost, where a policy or a bundler stands in the way.
 *
 * @param memoryMb of its heap, where that can be limited
 */
export function startDocumentWorker(memoryMb: number, startWorker?: StartWorker): DocumentWorker | undefined {
  if (typeof Worker !== 'undefined') {
    if (startWorker === undefined && mayWaitForEver()) return undefined
    // Bundlers take the script along only where they see it named in exactly this way.
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

/** A worker of Firefox that starts another may, on a busy machine. A document that takes long is the smaller trouble. */
function mayWaitForEver(): boolean {
  const scope = globalThis as { WorkerGlobalScope?: unknown; navigator?: { readonly userAgent?: string } }
  return scope.WorkerGlobalScope !== undefined && /\bFirefox\//.test(scope.navigator?.userAgent ?? '')
}
