// A Web Lock with the name of a session's database shows whether the session is still open. The browser releases it when the tab or worker
// ends.

export type Release = () => void

/** A page that is being replaced by the next one needs this long to release its lock. */
const waitMs = 3_000

/** An insecure page has no Web Locks. */
export function hasLocks(): boolean {
  return 'locks' in navigator
}

/** `undefined` while another session holds it. Without Web Locks, every caller gets it. */
export async function holdName(name: string): Promise<Release | undefined> {
  if (!hasLocks()) return () => undefined
  const waiting = AbortSignal.timeout(waitMs)
  return await new Promise((resolve, reject) => {
    navigator.locks
      .request(name, { signal: waiting }, () => new Promise<void>(release => resolve(release)))
      .catch((error: unknown) => {
        if (waiting.aborted) resolve(undefined)
        else reject(error instanceof Error ? error : new Error(String(error)))
      })
  })
}

/** Runs `work` with the lock, or not at all if the lock is held. */
export async function unlessHeld(name: string, work: () => Promise<void>): Promise<void> {
  await navigator.locks.request(name, { ifAvailable: true }, async lock => {
    if (lock !== null) await work()
  })
}
