// A limit for requests: how long no byte may come, however long the whole takes.

import { joinBytes } from '../../core/bytes.ts'

/** Aborts `signal` when no byte came for `stallMs`. Call `end` when the request is over. */
export class StallLimit {
  readonly #controller = new AbortController()
  readonly #stallMs: number
  readonly #stalled: Error
  #timer: ReturnType<typeof setTimeout>

  constructor(stallMs: number) {
    this.#stallMs = stallMs
    this.#stalled = new Error(`no byte came for ${stallMs} ms`)
    this.#timer = this.#start()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Why a request with `signal` failed with `error`. */
  reasonOf(error: unknown): string {
    if (this.signal.aborted) return this.#stalled.message
    return error instanceof Error ? error.message : String(error)
  }

  /** The whole body. `onTotal` is called with the number of bytes received so far, and may throw to stop. */
  async bodyOf(response: Response, onTotal: (totalBytes: number) => void = () => undefined): Promise<Uint8Array<ArrayBuffer>> {
    const parts: Uint8Array[] = []
    let totalBytes = 0
    const reader = response.body?.getReader()
    try {
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
        clearTimeout(this.#timer)
        this.#timer = this.#start()
        parts.push(part.value)
        totalBytes += part.value.length
        onTotal(totalBytes)
      }
    } catch (error) {
      await reader?.cancel().catch(() => undefined)
      throw error
    }
    return joinBytes(parts)
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  #start(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#controller.abort(this.#stalled), this.#stallMs)
  }
}
