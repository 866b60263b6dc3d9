// Long work on one thread must let messages through, or an abort can never arrive.

/** Returns a function that, awaited often, gives the thread back for a moment once every `everyMs`. */
export function createPauser(everyMs = 40): () => Promise<void> {
  let workSinceMs = performance.now()
  return async () => {
    if (performance.now() - workSinceMs < everyMs) return
    await new Promise<void>(resolve => {
      setTimeout(resolve, 0)
    })
    workSinceMs = performance.now()
  }
}

/** Gives the thread back once, so that messages that are already here are heard first. */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    // Only servers have it, where a timer would cost a millisecond; timers of browsers wait for nothing.
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else setTimeout(resolve, 0)
  })
}
