// The workers of scripts, started by the page for its worker. While a debugger or a WebDriver listens for workers, Firefox lets `new Worker`
// in a worker wait until the page's thread has registered the new worker, and wakes it by one signal, which the new worker may take first:
// it waits for ever then, on a busy machine about once in a hundred times. A page does not wait for that. So the page starts them and
// passes on what they and the worker say to each other.

import type { Endpoint } from 'comlink'
import { isRecord } from '../core/record.ts'
import type { WebWorkerLike } from '../core/start-worker.ts'

/** Sent by the worker, beside the wire. `started` numbers the workers that it asked for. */
type Order =
  | { readonly kind: 'start'; readonly started: number; readonly script: string }
  | { readonly kind: 'post'; readonly started: number; readonly message: unknown; readonly transfer: readonly ArrayBuffer[] }
  | { readonly kind: 'end'; readonly started: number }

/** Sent by the page, beside the wire. */
type News =
  | { readonly kind: 'message'; readonly started: number; readonly message: unknown }
  | { readonly kind: 'broken'; readonly started: number; readonly why: string }

// Neither side of the wire takes messages with these keys for its own.
const orderKey = 'anchorage-order'
const newsKey = 'anchorage-news'

/** The worker's side: what it asked the page to start. */
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

  start(script: string): WebWorkerLike {
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
    send({ kind: 'start', started, script })
    return worker
  }
}

/** A worker of the page's, as if this thread had started it. */
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

/** The page's side: starts what `worker` asks for, passes messages on, and ends them all when the connection to it has ended. */
export function startForWorker(worker: Endpoint, whenEnded: Promise<unknown>): void {
  const running = new Map<number, Worker>()
  const tell = (news: News): void => worker.postMessage({ [newsKey]: news })
  const onMessage = (event: unknown): void => {
    const order = isRecord(event) ? orderIn(event['data']) : undefined
    if (order === undefined) return
    const { started } = order
    if (order.kind === 'start') {
      try {
        const script = new Worker(order.script, { type: 'module' })
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

// Both sides are of one release: this is where the messages get their types.
const orderIn = (data: unknown): Order | undefined => (isRecord(data) ? (data[orderKey] as Order | undefined) : undefined)
export const newsIn = (data: unknown): News | undefined => (isRecord(data) ? (data[newsKey] as News | undefined) : undefined)
