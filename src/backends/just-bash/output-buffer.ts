// Collects the output of a script, so that many short writes become one message. The buffer is sent when it is full, after a
// short time, and always before the script waits, so that no output is lost if the script is ended.

import { joinBytes } from '../../core/bytes.ts'

const maxWaitMs = 20
const maxBufferedBytes = 64 * 1024

type Channel = 'stdout' | 'stderr'

export class OutputBuffer {
  readonly #send: (channel: Channel, bytes: Uint8Array) => void
  #channel: Channel = 'stdout'
  #parts: Uint8Array[] = []
  #sizeBytes = 0
  #sentAtMs = Number.NEGATIVE_INFINITY

  constructor(send: (channel: Channel, bytes: Uint8Array) => void) {
    this.#send = send
  }

  add(channel: Channel, bytes: Uint8Array): void {
    if (bytes.length === 0) return
    if (channel !== this.#channel) this.flush()
    this.#channel = channel
    this.#parts.push(bytes)
    this.#sizeBytes += bytes.length
    if (this.#sizeBytes >= maxBufferedBytes) this.flush()
    else this.flushOld()
  }

  flush(): void {
    if (this.#sizeBytes === 0) return
    // The part is copied because the result is transferred, while the interpreter may still use the original.
    const bytes = joinBytes(this.#parts, this.#sizeBytes)
    this.#parts = []
    this.#sizeBytes = 0
    this.#sentAtMs = performance.now()
    this.#send(this.#channel, bytes)
  }

  /** Called at each step of a busy script. Sends output that has waited long enough. */
  flushOld(): void {
    if (this.#sizeBytes > 0 && performance.now() - this.#sentAtMs >= maxWaitMs) this.flush()
  }
}
