// Lets the page start the workers of scripts on behalf of its worker. While a debugger or a WebDriver listens for workers, `new
// Worker` in a worker of Firefox blocks until the page's thread has registered the new worker. It is woken by a single signal,
// which the new worker may consume first: then it hangs, on a busy machine about once in a hundred times. A page does not block
// this way. So the page starts the workers and relays the messages.

import type { Endpoint } from 'comlink'
import { isRecord } from '../core/record.ts'
import type { WebWorkerLike, WorkerType } from '../core/start-worker.ts'

/** Sent by the worker, outside of the wire's protocol. `started` numbers the workers that it requested. */
type Order =
  | { readonly kind: 'start'; readonly started: number; readonly script: string; readonly type: WorkerType }
  | { readonly kind: 'post'; readonly started: number; readonly message: unknown; readonly transfer: readonly ArrayBuffer[] }
  | { readonly kind: 'end'; readonly started: number }

/** Sent by the page, outside of the wire's protocol. */
type News =
  | { readonly kind: 'message'; readonly started: number; readonly message: unknown }
  | { readonly kind: 'broken'; readonly started: number; readonly why: string }

// Neither side of the wire treats messages with these keys as its own.
const orderKey = 'anchorage-order'
const newsKey = 'anchorage-news'

/** The worker's side: requests workers from the page. */
export class PageStarter {
  readonly #page: Endpoint
  readonly #started = new Map<number, StartedWorker>()
  #count = 0

  constructor(page: Endpoint) {
    this.#page = page
    page.addEventListener('message', (event: unknown) => {
      const news = isRecord(event) ? newsIn(event['data']) : undefined
      if (news !== undefined) this.#started.get(news.started)?.hear(news)
    })
  }

  start(script: string, type: WorkerType): WebWorkerLike {
    const started = (this.#count += 1)
    const send = (order: Order, transfer: readonly ArrayBuffer[] = []): void =>
      this.#page.postMessage({ [orderKey]: order }, [...transfer])
    const worker = new StartedWorker({
      post: (message, transfer) => send({ kind: 'post', started, message, transfer }, transfer),
      end: () => {
        this.#started.delete(started)
        send({ kind: 'end', started })
      },
    })
    this.#started.set(started, worker)
    send({ kind: 'start', started, script, type })
    return worker
  }
}

/** A worker of the page, with the interface of a worker that this thread started. */
class StartedWorker implements WebWorkerLike {
  readonly #page: { post(message: unknown, transfer: readonly ArrayBuffer[]): void; end(): void }
  readonly #listeners: [type: string, listener: (event: object) => void][] = []

  constructor(page: { post(message: unknown, transfer: readonly ArrayBuffer[]): void; end(): void }) {
    this.#page = page
  }

  postMessage(message: unknown, transfer: ArrayBufferLike[]): void {
    this.#page.post(
      message,
      transfer.filter(buffer => buffer instanceof ArrayBuffer),
    )
  }

  addEventListener(type: string, listener: (event: object) => void): void {
    this.#listeners.push([type, listener])
  }

  terminate(): void {
    this.#page.end()
  }

  hear(news: News): void {
    const [type, event] = news.kind === 'message' ? ['message', { data: news.message }] : ['error', { message: news.why }]
    for (const [listened, listener] of this.#listeners) if (listened === type) listener(event)
  }
}

/** The page's side: starts the requested workers, relays messages, and ends all of them when the connection to `worker` has ended. */
export function startForWorker(worker: Endpoint, whenEnded: Promise<unknown>): void {
  const running = new Map<number, Worker>()
  const tell = (news: News): void => worker.postMessage({ [newsKey]: news })
  const onMessage = (event: unknown): void => {
    const order = isRecord(event) ? orderIn(event['data']) : undefined
    if (order === undefined) return
    const { started } = order
    if (order.kind === 'start') {
      try {
        const script = new Worker(order.script, { type: order.type })
        script.addEventListener('message', ({ data }: MessageEvent<unknown>) => tell({ kind: 'message', started, message: data }))
        script.addEventListener('messageerror', () => tell({ kind: 'broken', started, why: 'a message of it could not be read' }))
        script.addEventListener('error', error => tell({ kind: 'broken', started, why: error.message }))
        running.set(started, script)
      } catch (error) {
        tell({ kind: 'broken', started, why: String(error) })
      }
    } else if (order.kind === 'post') {
      running.get(started)?.postMessage(order.message, [...order.transfer])
    } else {
      running.get(started)?.terminate()
      running.delete(started)
    }
  }
  worker.addEventListener('message', onMessage)
  void whenEnded.then(() => {
    worker.removeEventListener('message', onMessage)
    for (const script of running.values()) script.terminate()
  })
}

/** Whether a message is one of these, in either direction. */
export function isOfPageWorkers(data: unknown): boolean {
  return orderIn(data) !== undefined || newsIn(data) !== undefined
}

// Both sides are from the same release, so the messages are trusted.
const orderIn = (data: unknown): Order | undefined => (isRecord(data) ? (data[orderKey] as Order | undefined) : undefined)
export const newsIn = (data: unknown): News | undefined => (isRecord(data) ? (data[newsKey] as News | undefined) : undefined)
