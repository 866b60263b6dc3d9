// Timers as a parameter, so that tests of long time limits need not wait.

export interface Timers {
  /** Milliseconds from any fixed moment; never goes back. */
  now(): number
  /** Calls back once after `delayMs`, unless the returned function is called first. */
  after(delayMs: number, callback: () => void): () => void
}

// The maximum delay of timers on all platforms; a longer one would fire at once.
const longestDelayMs = 2 ** 31 - 1

export const systemTimers: Timers = {
  now: () => performance.now(),
  after: (delayMs, callback) => {
    const handle = setTimeout(callback, Math.min(delayMs, longestDelayMs))
    return () => clearTimeout(handle)
  },
}
