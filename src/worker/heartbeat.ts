// Distinguishes a busy worker from a stuck one. A worker may be silent as long as the calls in it may take (a tight shell loop runs until
// its time-out), so silence counts only beyond that. Missed pings are counted instead of time: after a laptop's sleep, or in a tab with
// throttled timers, a healthy worker must not be taken for a stuck one.

export interface HeartbeatOptions {
  /** How long the worker may currently be silent; `undefined` while no call is in progress. */
  readonly allowedSilenceMs: () => number | undefined
  readonly intervalMs: number
  /** Resolves when the worker answers. */
  readonly ping: () => Promise<unknown>
  readonly onSilent: (silentMs: number) => void
}

export class Heartbeat {
  readonly #options: HeartbeatOptions
  #timer: ReturnType<typeof setTimeout> | undefined
  #isPinging = false
  #silentMs = 0
  #isStopped = false

  constructor(options: HeartbeatOptions) {
    this.#options = options
  }

  /** A call is in progress. Runs until none is. */
  wake(): void {
    if (this.#timer !== undefined || this.#isStopped) return
    this.#timer = setTimeout(() => this.#beat(), this.#options.intervalMs)
  }

  /** The worker answered, or its time starts again. */
  heard(): void {
    this.#silentMs = 0
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #beat(): void {
    this.#timer = undefined
    const allowedMs = this.#options.allowedSilenceMs()
    if (allowedMs === undefined) {
      this.#silentMs = 0
      return
    }
    if (this.#isPinging) {
      this.#silentMs += this.#options.intervalMs
      if (this.#silentMs >= allowedMs) {
        this.stop()
        this.#options.onSilent(this.#silentMs)
        return
      }
    } else {
      this.#ping()
    }
    this.wake()
  }

  #ping(): void {
    this.#isPinging = true
    this.#options.ping().then(
      () => {
        this.#isPinging = false
        this.heard()
      },
      () => {
        // A failed ping stays unanswered, and the next beats count it as silence.
      },
    )
  }
}
