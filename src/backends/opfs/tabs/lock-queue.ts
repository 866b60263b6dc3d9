// A place in the queue for a store's lock. The browser gives the lock to the next in the queue as soon as its holder ends for any reason.

import type { LockManager } from '../platform.ts'

export interface PlaceInQueue {
  /** Resolves when the lock is granted; after `leave` it never is. Rejects only if the platform fails. */
  readonly granted: Promise<void>
  /** Releases the lock, or leaves the queue. May be called twice. */
  leave(): void
}

/** `onLost` is called when another context takes the lock away. */
export function queueForLock(locks: LockManager, name: string, onLost: () => void): PlaceInQueue {
  const leaving = new AbortController()
  let release = (): void => {}
  let hasLeft = false
  let isHeld = false
  const granted = new Promise<void>((resolve, reject) => {
    locks
      .request(name, { signal: leaving.signal }, async () => {
        if (hasLeft) return
        isHeld = true
        const released = new Promise<void>(done => {
          release = done
        })
        resolve()
        await released
      })
      .then(
        () => {},
        (error: unknown) => {
          if (hasLeft) return
          if (isHeld) onLost()
          else reject(error instanceof Error ? error : new Error(String(error)))
        },
      )
  })
  return {
    granted,
    leave() {
      hasLeft = true
      leaving.abort()
      release()
    },
  }
}
