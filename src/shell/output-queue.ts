// A driver writes when its vendor calls back, a reader reads when it can: this stands between them and keeps the order.

import type { OutputChunk } from './shell.ts'

export interface OutputQueue {
  /** For one reader. Ends after `end`. A reader that leaves early lets go of what waits. */
  readonly output: AsyncIterable<OutputChunk>
  /** What was pushed and not yet read: a driver that can hold its process back does so by this. */
  readonly waitingBytes: number
  /** Ignored after `end`: a process that is gone writes no more. The bytes are kept, not copied. */
  push(chunk: OutputChunk): void
  /** Calling it twice is fine. */
  end(): void
}

/**
 * Unbounded: the driver bounds how much its process may write, and `runCommand` how much of it is kept. `onTaken` hears of each chunk
 * that was read, and of a reader that left.
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
