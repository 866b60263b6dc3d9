// The two kinds of worker that a shell may run in, a page's and Node's, as one port to whoever started it.

import { transferOf, type Port } from './port.ts'

/** `undefined` in a thread that nobody started as a worker. */
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

interface NodePort {
  postMessage(message: unknown, transfer: readonly unknown[]): void
  on(event: 'message', listener: (message: unknown) => void): void
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

/** Without an import, which bundlers for pages would try to resolve. Also in Deno and Bun, whose own kind of worker comes first. */
export function nodeThreads(): NodeThreads | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }
  return process?.getBuiltinModule?.('node:worker_threads') as NodeThreads | undefined
}

export interface NodeThreads {
  readonly parentPort: NodePort | null
  readonly Worker: new (script: URL, options?: { readonly name?: string }) => NodeWorker
}

export interface NodeWorker extends NodePort {
  on(event: 'message', listener: (message: unknown) => void): void
  on(event: 'error', listener: (error: unknown) => void): void
  on(event: 'exit', listener: (code: number) => void): void
  terminate(): Promise<number>
  /** An idle worker must not keep the program from ending. */
  unref(): void
  ref(): void
}
