// The output of a session, which nobody may ever read, or read slowly. Without a reader its end is kept. With one, writers wait for it.

import type { OutputChunk } from './shell.ts'

/** Without a reader, this much is kept. */
const maxUnreadBytes = 1024 * 1024
/** With a reader, a writer waits above this. */
const maxWaitingBytes = 256 * 1024

export class SessionOutput {
  #chunks: OutputChunk[] = []
  #waitingBytes = 0
  #hasReader = false
  #isEnded = false
  /** The reader waits for the next chunk. */
  #wakeReader: (() => void) | undefined
  #writers: (() => void)[] = []
  #draining: (() => void)[] = []

  /** For one reader: a second one shares the chunks with the first. */
  readonly output: AsyncIterable<OutputChunk> = {
    [Symbol.asyncIterator]: () => {
      this.#hasReader = true
      return { next: () => this.#next(), return: () => this.#leave() }
    },
  }

  /** A promise if the writer must wait. Ignored after `end`. */
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

  /** Resolves when the reader has handled everything so far, at once without a reader. */
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
