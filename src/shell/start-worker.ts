// How a shell starts a worker where it should not do so by itself.

/** The part of `Worker` that a shell uses. */
export interface WebWorkerLike {
  postMessage(message: unknown, transfer: ArrayBufferLike[]): void
  addEventListener(type: 'message' | 'error' | 'messageerror', listener: (event: object) => void): void
  terminate(): void
}

/** Starts `script`, the absolute address of a module, as a worker named {@link handedPortName}. Its messages come over a port of its own. */
export type StartWorker = (script: string) => WebWorkerLike

/**
 * A worker of this name does not talk to whoever started it, but over the port of the first message that it gets. So it reaches a worker
 * that did not start it without a thread in between.
 */
export const handedPortName = 'anchorage-handed-port'
