// Long work on one thread must regularly let messages through, so that an abort can arrive.

/** Returns a function to be awaited often, which lets other work run every `everyMs`. */
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

/** Lets other work run once, so that messages that have arrived are handled first. */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    // Only servers have `setImmediate`. A timer would cost a millisecond there, but timers of browsers do not wait.
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else setTimeout(resolve, 0)
  })
}
