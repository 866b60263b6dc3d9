// The two kinds of worker that a shell may run in, a page's and Node's, as one port to whoever started it.

import { handedPortName } from '../../shell/start-worker.ts'
import { nodeThreads, type NodePort } from './node-threads.ts'
import { transferOf, type Port } from './port.ts'

/** `undefined` in a thread that nobody started as a worker. */
export function openParentPort<Sent, Received>(): Port<Sent, Received> | undefined {
  const scope: object = globalThis
  if ('DedicatedWorkerGlobalScope' in scope) {
    return 'name' in scope && scope.name === handedPortName ? handedPort(scope) : webPort(scope)
  }
  const threads = nodeThreads()
  return threads?.parentPort == null ? undefined : nodePort(threads.parentPort)
}

interface WebScope {
  postMessage(message: unknown, transfer: readonly unknown[]): void
  addEventListener(
    type: 'message',
    listener: (event: { readonly data: unknown; readonly ports: readonly HandedPort[] }) => void,
  ): void
}

interface HandedPort extends WebScope {
  start(): void
}

// These casts are where what the platform hands over gets its type; the messages are our own, from the same release.
function webPort<Sent, Received>(scope: object): Port<Sent, Received> {
  const worker = scope as WebScope
  return {
    post: (message, bytes = []) => worker.postMessage(message, transferOf(bytes)),
    listen: listener => worker.addEventListener('message', event => listener(event.data as Received)),
  }
}

/** What is sent before the port is there waits for it. */
function handedPort<Sent, Received>(scope: object): Port<Sent, Received> {
  const listeners: ((message: Received) => void)[] = []
  const early: Parameters<Port<Sent, Received>['post']>[] = []
  let port: Port<Sent, Received> | undefined
  const onMessage = (event: { readonly ports: readonly HandedPort[] }): void => {
    const [handed] = event.ports
    if (handed === undefined || port !== undefined) return
    port = webPort(handed)
    for (const listener of listeners) port.listen(listener)
    handed.start()
    for (const message of early.splice(0)) port.post(...message)
  }
  ;(scope as WebScope).addEventListener('message', onMessage)
  return {
    post: (...message) => (port === undefined ? void early.push(message) : port.post(...message)),
    listen: listener => {
      listeners.push(listener)
      port?.listen(listener)
    },
  }
}

function nodePort<Sent, Received>(port: NodePort): Port<Sent, Received> {
  return {
    post: (message, bytes = []) => port.postMessage(message, transferOf(bytes)),
    listen: listener => port.on('message', message => listener(message as Received)),
  }
}
