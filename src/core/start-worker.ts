// How a worker is started where a thread should not do so by itself.

/** The part of `Worker` that a shell uses. */
export interface WebWorkerLike {
  postMessage(message: unknown, transfer: ArrayBufferLike[]): void
  addEventListener(type: 'message' | 'error' | 'messageerror', listener: (event: object) => void): void
  terminate(): void
}

/** Starts the module at the absolute address `script` as a worker. Throws when it cannot. */
export type StartWorker = (script: string) => WebWorkerLike
