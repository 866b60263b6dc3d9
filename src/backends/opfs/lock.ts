// One owner per store. When the tab or worker of the owner ends for any reason, the browser gives the lock to the next one in the queue.

import { VfsError } from '../../vfs/error.ts'
import type { LockManager } from './platform.ts'

export function lockNameOf(name: string): string {
  return `anchorage:opfs:${name}`
}

export interface HeldLock {
  /** May be called twice. */
  release(): void
}

/**
 * Waits at most `waitMs`, because the previous tab may be about to close. `onLost` is called when another tab steals the lock. Without Web
 * Locks, the files serve as the lock, because only one worker can open them. Throws `VfsError` EBUSY.
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

/** The caller must learn that the files are in use. An empty store in their place would hide that. */
export function busyStore(name: string, cause: unknown): VfsError {
  return new VfsError('EBUSY', 'open', {
    path: name,
    hint: 'another tab or worker has this stored filesystem open; close it there and try again, or open one of another name',
    cause,
  })
}
