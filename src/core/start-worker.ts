// The type of a function that starts workers, for threads that should not start them directly.

/** The part of `Worker` that a shell uses. */
export interface WebWorkerLike {
  postMessage(message: unknown, transfer: ArrayBufferLike[]): void
  addEventListener(type: 'message' | 'error' | 'messageerror', listener: (event: object) => void): void
  terminate(): void
}

/** The type of the script. Turbopack compiles modules to classic scripts. */
export type WorkerType = 'module' | 'classic'

/** Starts the script with the absolute URL `script` as a worker. Throws if that is impossible. */
export type StartWorker = (script: string, type: WorkerType) => WebWorkerLike
