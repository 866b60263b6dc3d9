// A worker for each tab that a test needs, and orders for it.

import type { Answer, Order } from './opfs-worker.ts'
import type { StorageKind } from '../../backends/opfs/index.ts'

export interface Hands {
  readonly worker: Worker
  readonly flushed: () => number
  order(order: Order): Promise<unknown>
}

const workers: Worker[] = []

export function hands(): Hands {
  const worker = new Worker(new URL('./opfs-worker.ts', import.meta.url), { type: 'module' })
  workers.push(worker)
  let flushed = 0
  const waiting: ((answer: Exclude<Answer, { flushed: number }>) => void)[] = []
  worker.addEventListener('message', (event: MessageEvent<Answer>) => {
    if ('flushed' in event.data) flushed = event.data.flushed
    else waiting.shift()?.(event.data)
  })
  return {
    worker,
    flushed: () => flushed,
    order: order =>
      new Promise((resolve, reject) => {
        waiting.push(answer => {
          if (answer.ok) resolve(answer.value)
          else reject(Object.assign(new Error(answer.message), { code: answer.code }))
        })
        worker.postMessage(order)
      }),
  }
}

export async function opened(name: string, storage?: readonly StorageKind[]): Promise<Hands> {
  const made = hands()
  await made.order({ do: 'open', options: { name, ...(storage === undefined ? {} : { storage }) } })
  return made
}

/** Keeps the current workers after the end of this test. */
export function keepHands(): void {
  workers.length = 0
}

/** Ends every worker, as closing its tab would. */
export function endHands(): void {
  for (const worker of workers.splice(0)) worker.terminate()
}
