// A worker that this thread started, a page's or a thread of Node's, as one thing.

import type { NodeThreads } from './node-threads.ts'
import { transferOf, type Port } from './port.ts'
import type { StartWorker, WebWorkerLike } from './start-worker.ts'

/** A worker that is sent `Sent` and answers `Received`. */
export interface StartedWorker<Sent, Received> {
  readonly port: Port<Sent, Received>
  /** Calls back once when it is broken: it could not be loaded, threw, or is gone. Not for `end`. */
  onLost(listener: (why: string) => void): void
  /** At once, whatever it is doing. Calling it twice is fine. */
  end(): void
  /** Whether the program waits for it. */
  hold(isNeeded: boolean): void
}

type WorkerConstructor = new (script: URL | string, options: { type: 'module' }) => WebWorkerLike

/**
 * The worker that `make` starts with `new Worker(…)`, started by `startWorker` if there is one. A bundler writes the address of the script
 * into that expression only, so it is taken from there.
 */
export function startedBy(startWorker: StartWorker | undefined, make: () => WebWorkerLike): WebWorkerLike {
  if (startWorker === undefined) return make()
  const scope = globalThis as { Worker?: WorkerConstructor | undefined; location?: { readonly href: string } }
  const own = scope.Worker
  // What a constructor of this kind returns takes the place of the new object.
  const StartedWorker = function (script: URL | string): WebWorkerLike {
    return startWorker(new URL(script, scope.location?.href).href)
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
      // The worker is ours and of the same release: this is where its messages get their type.
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

/** @param options as Node takes them */
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
        // Node refers to the worker again with each listener for messages.
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
