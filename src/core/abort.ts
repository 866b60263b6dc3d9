// Combines abort signals without AbortSignal.any, whose listeners stay in memory as long as the longest-lived signal.

/** Returns one signal that aborts when any of `signals` does. Call `release` when the work is over. */
export function joinSignals(signals: readonly (AbortSignal | undefined)[]): {
  readonly signal: AbortSignal
  readonly release: () => void
} {
  const controller = new AbortController()
  const releases: (() => void)[] = []
  const release = (): void => {
    for (const undo of releases.splice(0)) undo()
  }
  for (const signal of signals) {
    if (signal === undefined) continue
    if (signal.aborted) {
      controller.abort(signal.reason)
      break
    }
    const onAbort = (): void => {
      controller.abort(signal.reason)
      release()
    }
    signal.addEventListener('abort', onAbort, { once: true })
    releases.push(() => signal.removeEventListener('abort', onAbort))
  }
  return { signal: controller.signal, release }
}

/**
 * Resolves like `promise`, or rejects at once with the reason of `signal`. For work that continues for other callers when one
 * stops waiting.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let onAbort = (): void => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Whether a value can be used as an optional signal, also one of another realm. */
export function isSignal(value: unknown): value is AbortSignal | undefined {
  return value === undefined || 'throwIfAborted' in Object(value)
}
