// The workers of scripts, started by the page for its worker. In Firefox, `new Worker` in a worker waits until the page's thread has
// registered the new worker, and is woken by one signal, which the new worker may take first: it waits for ever then, on a busy machine
// about once in a hundred times. A page does not wait for that.

import { isRecord } from '../core/record.ts'
import { handedPortName, type WebWorkerLike } from '../shell/start-worker.ts'
import type { Connection, WorkerLike } from './connection.ts'

/** Sent by the worker beside the wire, with two ports: the new worker's, and one to control it. */
interface StartRequest {
  readonly kind: 'anchorage-start-worker'
  readonly script: string
}

/** Sent by the page over the second port: the new worker is broken. The worker sends anything to end it. */
interface Broken {
  readonly message: string
}

// The worker's scope, of which these types know nothing.
declare function postMessage(message: StartRequest, transfer: readonly MessagePort[]): void

/** The worker's side. */
export function startInPage(script: string): WebWorkerLike {
  const messages = new MessageChannel()
  const control = new MessageChannel()
  const errorListeners: ((event: object) => void)[] = []
  control.port1.onmessage = ({ data }: MessageEvent<Broken>) => {
    for (const listener of errorListeners) listener(data)
  }
  postMessage({ kind: 'anchorage-start-worker', script }, [messages.port2, control.port2])
  return {
    postMessage: (message, transfer) => messages.port1.postMessage(message, transfer.filter(isTransferable)),
    addEventListener(type, listener) {
      if (type === 'error') errorListeners.push(listener)
      else messages.port1.addEventListener(type, listener)
      messages.port1.start()
    },
    terminate() {
      control.port1.postMessage('end')
      messages.port1.close()
      control.port1.close()
    },
  }
}

const isTransferable = (buffer: ArrayBufferLike): buffer is ArrayBuffer => buffer instanceof ArrayBuffer

/** The page's side: starts what the worker asks for, and ends it with the connection. */
export function startForWorker(worker: WorkerLike, connection: Connection): void {
  const running = new Set<Worker>()
  const onMessage = (event: Event): void => {
    if (!(event instanceof MessageEvent) || !isStartRequest(event.data)) return
    const [port, control] = event.ports
    if (port === undefined || control === undefined) return
    const report = (message: string): void => control.postMessage({ message } satisfies Broken)
    let started: Worker
    try {
      started = new Worker(event.data.script, { type: 'module', name: handedPortName })
    } catch (error) {
      return report(String(error))
    }
    running.add(started)
    started.addEventListener('error', error => report(error.message))
    started.postMessage('port', [port])
    control.onmessage = () => {
      started.terminate()
      running.delete(started)
      control.close()
    }
  }
  worker.addEventListener('message', onMessage)
  void connection.whenEnded.then(() => {
    worker.removeEventListener('message', onMessage)
    for (const started of running) started.terminate()
  })
}

const isStartRequest = (data: unknown): data is StartRequest => isRecord(data) && data['kind'] === 'anchorage-start-worker'
