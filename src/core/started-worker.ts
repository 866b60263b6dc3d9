// A common interface for a Web Worker and a thread of Node that this thread has started.

import type { NodeThreads } from './node-threads.ts'
import { transferOf, type Port } from './port.ts'
import type { StartWorker, WebWorkerLike } from './start-worker.ts'

/** A worker that receives `Sent` and answers with `Received`. */
export interface StartedWorker<Sent, Received> {
  readonly port: Port<Sent, Received>
  /** Calls back once if the worker fails: it could not be loaded, threw an error, or has ended. Not called after `end`. */
  onLost(listener: (why: string) => void): void
  /** Ends the worker at once, even while it is busy. Can be called twice. */
  end(): void
  /** Whether the program waits for the worker before it exits. */
  hold(isNeeded: boolean): void
}

type WorkerConstructor = new (script: URL | string, options?: { type?: string | undefined }) => WebWorkerLike

/**
 * Returns the worker that `make` creates with `new Worker(…)`. If `startWorker` is given, it starts the worker instead. A bundler
 * inserts the URL and the type of the script only into that expression, so they are taken from there.
 */
export function startedBy(startWorker: StartWorker | undefined, make: () => WebWorkerLike): WebWorkerLike {
  if (startWorker === undefined) return make()
  const scope = globalThis as { Worker?: WorkerConstructor | undefined; location?: { readonly href: string } }
  const own = scope.Worker
  // The object that such a constructor returns replaces the new object.
  const StartedWorker = function (script: URL | string, options?: { type?: string | undefined }): WebWorkerLike {
    const type = options?.type === 'module' ? 'module' : 'classic'
    return startWorker(new URL(script, scope.location?.href).href, type)
  }
  scope.Worker = StartedWorker as unknown as WorkerConstructor
  try {
    return make()
  } finally {
    scope.Worker = own
  }
}

export function wrapWebWorker<Sent, Received>(worker: WebWorkerLike): StartedWorker<Sent, Received> {
  return {
    port: {
      post: (message, bytes = []) => worker.postMessage(message, [...transferOf(bytes)]),
      // The worker belongs to the same release, so its messages are cast to their type here.
      listen: listener => worker.addEventListener('message', event => listener((event as { data: Received }).data)),
    },
    onLost: listener => {
      worker.addEventListener('error', event => listener(messageOf(event)))
      worker.addEventListener('messageerror', () => listener('a message of it could not be read'))
    },
    end: () => worker.terminate(),
    hold: () => undefined,
  }
}

/** @param options as Node accepts them */
export function startThread<Sent, Received>(
  threads: NodeThreads,
  script: URL,
  options: ConstructorParameters<NodeThreads['Worker']>[1],
): StartedWorker<Sent, Received> {
  const worker = new threads.Worker(script, options)
  let isHeld = false
  const applyHold = (): void => (isHeld ? worker.ref() : worker.unref())
  applyHold()
  let isEnded = false
  return {
    port: {
      post: (message, bytes = []) => worker.postMessage(message, transferOf(bytes)),
      listen: listener => {
        worker.on('message', message => listener(message as Received))
        // Node references the worker again with each new listener for messages.
        applyHold()
      },
    },
    onLost: listener => {
      worker.on('error', error => listener(messageOf(error)))
      worker.on('exit', code => {
        if (!isEnded) listener(`it ended with code ${code}`)
      })
    },
    end: () => {
      isEnded = true
      void worker.terminate()
    },
    hold: isNeeded => {
      isHeld = isNeeded
      applyHold()
    },
  }
}

function messageOf(error: unknown): string {
  const message: unknown = typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined
  return typeof message === 'string' && message !== '' ? message : 'its script could not be loaded'
}
