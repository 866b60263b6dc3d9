// A driver writes when its vendor calls back, a reader reads when it can: this stands between them and keeps the order.

import type { OutputChunk } from './shell.ts'

export interface OutputQueue {
  /** For one reader. Ends after `end`. */
  readonly output: AsyncIterable<OutputChunk>
  /** Ignored after `end`: a process that is gone writes no more. The bytes are kept, not copied. */
  push(chunk: OutputChunk): void
  /** Calling it twice is fine. */
  end(): void
}

/** Unbounded: the driver bounds how much its process may write, and `runCommand` how much of it is kept. */
export function createOutputQueue(): OutputQueue {
  let waiting: OutputChunk[] = []
  let wake: (() => void) | undefined
  let ended = false
  const notify = (): void => {
    wake?.()
    wake = undefined
  }
  async function* read(): AsyncGenerator<OutputChunk, void, undefined> {
    for (;;) {
      const chunks = waiting
      waiting = []
      yield* chunks
      if (waiting.length > 0) continue
      if (ended) return
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
  }
  return {
    output: { [Symbol.asyncIterator]: read },
    push: chunk => {
      if (ended || chunk.bytes.length === 0) return
      waiting.push(chunk)
      notify()
    },
    end: () => {
      ended = true
      notify()
    },
  }
}
