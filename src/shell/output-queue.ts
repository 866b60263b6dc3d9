// A queue between a driver, which writes in callbacks of a library, and a reader with another speed. It keeps the order.

import type { OutputChunk } from './shell.ts'

/** It is unlimited: the driver limits its process, and `runCommand` limits the kept output. */
export class OutputQueue {
  /** The output for one reader. It ends after `end`. If the reader stops early, the remaining output is dropped. */
  readonly output: AsyncIterable<OutputChunk> = {
    [Symbol.asyncIterator]: () => ({ next: () => this.#next(), return: () => this.#abandon() }),
  }
  readonly #onTaken: () => void
  #waiting: OutputChunk[] = []
  #nextIndex = 0
  #waitingBytes = 0
  #wake: (() => void) | undefined
  #state: 'open' | 'ended' | 'abandoned' = 'open'

  /** `onTaken` is called for each chunk that was read, and when a reader stops. */
  constructor(onTaken: () => void = () => undefined) {
    this.#onTaken = onTaken
  }

  /** The number of unread bytes, for drivers that can pause their process. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** Adds output. Ignored after `end`. The bytes are kept without a copy. */
  push(chunk: OutputChunk): void {
    if (this.#state !== 'open' || chunk.bytes.length === 0) return
    this.#waiting.push(chunk)
    this.#waitingBytes += chunk.bytes.length
    this.#notify()
  }

  /** May be called twice. */
  end(): void {
    if (this.#state === 'open') this.#state = 'ended'
    this.#notify()
  }

  #notify(): void {
    this.#wake?.()
    this.#wake = undefined
  }

  #clear(): void {
    this.#waiting = []
    this.#nextIndex = 0
  }

  #take(): OutputChunk | undefined {
    const chunk = this.#waiting[this.#nextIndex]
    if (chunk === undefined) return undefined
    this.#nextIndex += 1
    if (this.#nextIndex === this.#waiting.length) this.#clear()
    this.#waitingBytes -= chunk.bytes.length
    this.#onTaken()
    return chunk
  }

  async #next(): Promise<IteratorResult<OutputChunk, undefined>> {
    for (;;) {
      const value = this.#take()
      if (value !== undefined) return { done: false, value }
      if (this.#state !== 'open') return { done: true, value: undefined }
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  #abandon(): Promise<IteratorResult<OutputChunk, undefined>> {
    this.#state = 'abandoned'
    this.#clear()
    this.#waitingBytes = 0
    this.#onTaken()
    this.#notify()
    return Promise.resolve({ done: true, value: undefined })
  }
}
