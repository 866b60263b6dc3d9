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
