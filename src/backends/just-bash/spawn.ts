// Starts a worker for a shell: a page's, or a thread of Node's. Where there is neither, or a policy or a bundler stands in the way, the
// caller hears it and runs its scripts on its own thread.

import type { FromWorker, ToWorker } from './protocol.ts'
import { nodeThreads, type NodeThreads } from './node-threads.ts'
import { transferOf, type Port } from './port.ts'
import { createSharedMemory } from './shared-answer.ts'
import type { StartWorker, WebWorkerLike } from '../../shell/start-worker.ts'

export interface ShellWorker {
  readonly port: Port<ToWorker, FromWorker>
  readonly shared: SharedArrayBuffer | undefined
  /** Calls back once when it is broken: it could not be loaded, threw, or is gone. Not for `end`. */
  onLost(listener: (why: string) => void): void
  /** At once, whatever it is doing. Calling it twice is fine. */
  end(): void
  /** Whether the program waits for it. */
  hold(isNeeded: boolean): void
}

type WorkerConstructor = new (script: URL | string, options: { type: 'module' }) => WebWorkerLike

// The page's own, of which this room's types know nothing.
declare const Worker: WorkerConstructor | undefined

/** What starts workers here, if anything does. It may still fail. */
export function workerStarter(startWorker?: StartWorker): (() => ShellWorker) | undefined {
  if (typeof Worker !== 'undefined') {
    // Bundlers take the script along only where they see it named in exactly this way.
    const nested = (): WebWorkerLike => new Worker(new URL('./shell-worker.js', import.meta.url), { type: 'module' })
    return () => wrapWebWorker(startedBy(startWorker, nested))
  }
  const threads = nodeThreads()
  return threads === undefined ? undefined : () => wrapThread(threads)
}

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

export function wrapWebWorker(worker: WebWorkerLike): ShellWorker {
  return {
    shared: createSharedMemory(),
    port: {
      post: (message, bytes = []) => worker.postMessage(message, [...transferOf(bytes)]),
      // The worker is ours and of the same release: this is where its messages get their type.
      listen: listener => worker.addEventListener('message', event => listener((event as { data: FromWorker }).data)),
    },
    onLost: listener => {
      worker.addEventListener('error', event => listener(messageOf(event)))
      worker.addEventListener('messageerror', () => listener('a message of it could not be read'))
    },
    end: () => worker.terminate(),
    hold: () => undefined,
  }
}

// Not in one expression with `URL`, so that bundlers for pages leave it alone.
const threadScript = './shell-worker.js'

function wrapThread(threads: NodeThreads): ShellWorker {
  const worker = new threads.Worker(new URL(threadScript, import.meta.url), { name: 'anchorage-shell' })
  let isHeld = false
  const applyHold = (): void => (isHeld ? worker.ref() : worker.unref())
  applyHold()
  let isEnded = false
  return {
    shared: createSharedMemory(),
    port: {
      post: (message, bytes = []) => worker.postMessage(message, transferOf(bytes)),
      listen: listener => {
        worker.on('message', message => listener(message as FromWorker))
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
