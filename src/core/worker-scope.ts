// The two kinds of worker, a page's and Node's, as one port to the thread that started it.

import { nodeThreads, type NodePort } from './node-threads.ts'
import { transferOf, type Port } from './port.ts'

/** `undefined` in a thread that was not started as a worker. */
export function openParentPort<Sent, Received>(): Port<Sent, Received> | undefined {
  const scope: object = globalThis
  if ('DedicatedWorkerGlobalScope' in scope) return webPort(scope)
  const threads = nodeThreads()
  return threads?.parentPort == null ? undefined : nodePort(threads.parentPort)
}

interface WebScope {
  postMessage(message: unknown, transfer: readonly unknown[]): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
}

// These casts are where what the platform hands over gets its type; the messages are our own, from the same release.
function webPort<Sent, Received>(scope: object): Port<Sent, Received> {
  const worker = scope as WebScope
  return {
    post: (message, bytes = []) => worker.postMessage(message, transferOf(bytes)),
    listen: listener => worker.addEventListener('message', event => listener(event.data as Received)),
  }
}

function nodePort<Sent, Received>(port: NodePort): Port<Sent, Received> {
  return {
    post: (message, bytes = []) => port.postMessage(message, transferOf(bytes)),
    listen: listener => port.on('message', message => listener(message as Received)),
  }
}
