// The output of a session, which may have a slow reader or none. Without a reader, the end of the output is kept. With a reader,
// writers wait for it.

import type { OutputChunk } from './shell.ts'

/** The size of the output that is kept without a reader. */
const maxUnreadBytes = 1024 * 1024
/** Above this size, a writer waits for the reader. */
const maxWaitingBytes = 256 * 1024

export class SessionOutput {
  #chunks: OutputChunk[] = []
  #waitingBytes = 0
  #hasReader = false
  #isEnded = false
  /** Set while the reader waits for the next chunk. */
  #wakeReader: (() => void) | undefined
  #writers: (() => void)[] = []
  #draining: (() => void)[] = []

  /** The output for one reader. A second reader would share the chunks with the first. */
  readonly output: AsyncIterable<OutputChunk> = {
    [Symbol.asyncIterator]: () => {
      this.#hasReader = true
      return { next: () => this.#next(), return: () => this.#leave() }
    },
  }

  /** Returns a promise if the writer must wait. Ignored after `end`. */
  push(chunk: OutputChunk): Promise<void> | undefined {
    if (this.#isEnded || chunk.bytes.length === 0) return undefined
    this.#chunks.push(chunk)
    this.#waitingBytes += chunk.bytes.length
    this.#wakeReader?.()
    if (!this.#hasReader) {
      while (this.#waitingBytes > maxUnreadBytes && this.#chunks.length > 1) this.#take()
      return undefined
    }
    return this.#waitingBytes > maxWaitingBytes ? new Promise(resolve => this.#writers.push(resolve)) : undefined
  }

  /** Resolves when the reader has handled all previous output, or at once without a reader. */
  drained(): Promise<void> {
    const isIdle = this.#chunks.length === 0 && (this.#wakeReader !== undefined || this.#isEnded)
    if (!this.#hasReader || isIdle) return Promise.resolve()
    return new Promise(resolve => this.#draining.push(resolve))
  }

  end(): void {
    this.#isEnded = true
    this.#wakeReader?.()
    this.#release()
  }

  #take(): OutputChunk | undefined {
    const chunk = this.#chunks.shift()
    this.#waitingBytes -= chunk?.bytes.length ?? 0
    return chunk
  }

  async #next(): Promise<IteratorResult<OutputChunk>> {
    while (this.#chunks.length === 0) {
      for (const resolve of this.#draining.splice(0)) resolve()
      if (this.#isEnded) return { done: true, value: undefined }
      await new Promise<void>(resolve => {
        this.#wakeReader = resolve
      })
      this.#wakeReader = undefined
    }
    const value = this.#take()
    if (this.#waitingBytes <= maxWaitingBytes / 2) for (const resolve of this.#writers.splice(0)) resolve()
    return value === undefined ? { done: true, value } : { done: false, value }
  }

  #leave(): Promise<IteratorResult<OutputChunk>> {
    this.#hasReader = false
    this.#release()
    return Promise.resolve({ done: true, value: undefined })
  }

  #release(): void {
    for (const resolve of [...this.#writers.splice(0), ...(this.#hasReader ? [] : this.#draining.splice(0))]) resolve()
  }
}
