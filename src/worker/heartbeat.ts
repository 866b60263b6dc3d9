// Tells a worker that is busy from one that is stuck. A worker may rightly be silent as long as the calls in it may take (a tight shell
// loop runs until its own time-out), so silence counts only beyond that. Missed pings are counted rather than wall-clock time: a
// laptop that slept, or a tab whose timers are throttled, must not take a healthy worker for a dead one.

export interface HeartbeatOptions {
  /** How long the worker may be silent just now; `undefined` while nothing is outstanding. */
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

  /** Something is outstanding. Runs until nothing is. */
  wake(): void {
    if (this.#timer !== undefined || this.#isStopped) return
    this.#timer = setTimeout(() => this.#beat(), this.#options.intervalMs)
  }

  /** The worker gave a sign of life, or its time starts anew. */
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
        // A ping that failed stays unanswered: the coming beats count it as silence.
      },
    )
  }
}
