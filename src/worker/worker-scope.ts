// The scope of a dedicated worker, as an endpoint for messages to the thread that started it.

import type { Endpoint } from 'comlink'

interface DedicatedScope {
  postMessage(message: unknown, transfer: Transferable[]): void
  addEventListener: EventTarget['addEventListener']
  removeEventListener: EventTarget['removeEventListener']
}

/** `undefined` elsewhere: a page has `postMessage` too, and a shared worker has a port per page. */
export function dedicatedScope(): Endpoint | undefined {
  // As `object`, because the types of the page's global scope would hide what a worker's scope has.
  const scope: object = globalThis
  if (!isDedicated(scope)) return undefined
  return {
    postMessage: (message, transfer) => scope.postMessage(message, transfer ?? []),
    addEventListener: (type, listener) => scope.addEventListener(type, listener),
    removeEventListener: (type, listener) => scope.removeEventListener(type, listener),
  }
}

function isDedicated(scope: object): scope is DedicatedScope {
  return 'DedicatedWorkerGlobalScope' in scope
}
