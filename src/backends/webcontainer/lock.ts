// One operation at a time, in the order of requests: nothing else happens between reading the mirror and the container's confirmation.

import { deferred } from '../../core/deferred.ts'

export interface Lock {
  /** Resolves when it is the caller's turn. The returned function may be called twice. */
  acquire(): Promise<() => void>
  run<T>(work: () => Promise<T>): Promise<T>
}

export function createLock(): Lock {
  let last: Promise<void> = Promise.resolve()
  const acquire = async (): Promise<() => void> => {
    const before = last
    const { promise, resolve } = deferred<void>()
    last = promise
    await before
    return () => resolve()
  }
  return {
    acquire,
    async run(work) {
      const release = await acquire()
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
