// Starts a worker for a shell: a page's, or a thread of Node's. Where there is neither, or a policy or a bundler stands in the way, the
// caller hears it and runs its scripts on its own thread.

import type { FromWorker, ToWorker } from './protocol.ts'
import { nodeThreads, type NodeThreads } from './node-threads.ts'
import { transferOf, type Port } from './port.ts'
import { createSharedMemory } from './shared-answer.ts'

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

/** What a page's `Worker` is to us. */
export interface WebWorkerLike {
  postMessage(message: unknown, transfer: ArrayBufferLike[]): void
  addEventListener(type: 'message' | 'error' | 'messageerror', listener: (event: object) => void): void
  terminate(): void
}

// The page's own, of which this room's types know nothing.
declare const Worker: (new (script: URL, options: { type: 'module' }) => WebWorkerLike) | undefined

/** What starts workers here, if anything does. It may still fail. */
export function workerStarter(): (() => ShellWorker) | undefined {
  if (typeof Worker !== 'undefined') {
    // Bundlers take the script along only where they see it named in exactly this way.
    return () => wrapWebWorker(new Worker(new URL('./shell-worker.js', import.meta.url), { type: 'module' }))
  }
  const threads = nodeThreads()
  return threads === undefined ? undefined : () => wrapThread(threads)
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
