// Whether a session lives is told by a Web Lock with the name of its database. The browser lets go of it when the tab or worker dies.

export type Release = () => void

/** A page that is just being replaced by the one that goes on needs this long to let go. */
const waitMs = 3_000

/** An insecure page has none. */
export function hasLocks(): boolean {
  return 'locks' in navigator
}

/** `undefined` while another session has it. Without locks everybody has it. */
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

/** Runs `work` with the lock, or not at all when somebody has it. */
export async function unlessHeld(name: string, work: () => Promise<void>): Promise<void> {
  await navigator.locks.request(name, { ifAvailable: true }, async lock => {
    if (lock !== null) await work()
  })
}
