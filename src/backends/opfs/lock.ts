// One owner per store. The browser gives the lock to the next in the queue when the holder's tab or worker ends for any reason.

import { VfsError } from '../../vfs/error.ts'
import type { LockManager } from './platform.ts'

/** Of the store of `name`. */
export function lockNameOf(name: string): string {
  return `anchorage:opfs:${name}`
}

export interface HeldLock {
  /** Calling it twice is fine. */
  release(): void
}

/**
 * Waits at most `waitMs`: the previous tab may be about to close. `onLost` hears that somebody stole the lock. Without Web Locks the files
 * themselves, which only one can open, are the lock. Throws `VfsError` EBUSY.
 */
export async function acquireLock(
  locks: LockManager | undefined,
  name: string,
  waitMs: number,
  onLost: () => void,
): Promise<HeldLock> {
  if (locks === undefined) return { release() {} }
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(), waitMs)
  let release = (): void => {}
  let isReleased = false
  try {
    await new Promise<void>((resolve, reject) => {
      const held = locks.request(name, { signal: waiting.signal }, async () => {
        resolve()
        await new Promise<void>(done => {
          release = done
        })
      })
      held.then(
        () => {},
        (error: unknown) => {
          reject(error instanceof Error ? error : new Error(String(error)))
          if (!isReleased) onLost()
        },
      )
    })
  } catch (error) {
    if (!waiting.signal.aborted) throw error
    throw busyStore(name, error)
  } finally {
    clearTimeout(timer)
  }
  return {
    release() {
      isReleased = true
      release()
    },
  }
}

/** The caller must learn that the files are in use; an empty store in their place would hide that. */
export function busyStore(name: string, cause: unknown): VfsError {
  return new VfsError('EBUSY', 'open', {
    path: name,
    hint: 'another tab or worker has this stored filesystem open; close it there and try again, or open one of another name',
    cause,
  })
}
