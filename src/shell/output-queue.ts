// A queue between a driver, which writes in callbacks of a library, and a reader with another speed. It keeps the order.

import type { OutputChunk } from './shell.ts'

export interface OutputQueue {
  /** The output for one reader. It ends after `end`. If the reader stops early, the remaining output is dropped. */
  readonly output: AsyncIterable<OutputChunk>
  /** The number of unread bytes, for drivers that can pause their process. */
  readonly waitingBytes: number
  /** Adds output. Ignored after `end`. The bytes are kept without a copy. */
  push(chunk: OutputChunk): void
  /** May be called twice. */
  end(): void
}

/**
 * The queue is unlimited: the driver limits its process, and `runCommand` limits the kept output. `onTaken` is called for each
 * chunk that was read, and when a reader stops.
 */
export function createOutputQueue(onTaken: () => void = () => undefined): OutputQueue {
  let waiting: OutputChunk[] = []
  let next = 0
  let waitingBytes = 0
  let wake: (() => void) | undefined
  let state: 'open' | 'ended' | 'abandoned' = 'open'
  const notify = (): void => {
    wake?.()
    wake = undefined
  }
  const take = (): OutputChunk | undefined => {
    const chunk = waiting[next]
    if (chunk === undefined) return undefined
    next += 1
    if (next === waiting.length) {
      waiting = []
      next = 0
    }
    waitingBytes -= chunk.bytes.length
    onTaken()
    return chunk
  }
  const iterator: AsyncIterator<OutputChunk> = {
    next: async () => {
      for (;;) {
        const value = take()
        if (value !== undefined) return { done: false, value }
        if (state !== 'open') return { done: true, value: undefined }
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    },
    return: () => {
      state = 'abandoned'
      waiting = []
      next = 0
      waitingBytes = 0
      onTaken()
      notify()
      return Promise.resolve({ done: true, value: undefined })
    },
  }
  return {
    output: { [Symbol.asyncIterator]: () => iterator },
    get waitingBytes() {
      return waitingBytes
    },
    push: chunk => {
      if (state !== 'open' || chunk.bytes.length === 0) return
      waiting.push(chunk)
      waitingBytes += chunk.bytes.length
      notify()
    },
    end: () => {
      if (state === 'open') state = 'ended'
      notify()
    },
  }
}
