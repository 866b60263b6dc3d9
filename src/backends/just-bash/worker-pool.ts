// A pool of workers for scripts. It keeps a spare worker loaded, because loading the interpreter takes longer than most commands.

import { deferred } from '../../core/deferred.ts'
import type { FromWorker } from './protocol.ts'
import type { ShellWorker } from './spawn.ts'

/** A worker that belongs to its holder until it is returned or ended. */
export interface Lease {
  readonly worker: ShellWorker
  readonly ready: Promise<void>
  /** How long the lease waited because all workers were in use. */
  readonly waitedMs: number
  /** Receives the messages of the worker from now on. There is one listener for each lease. */
  listen(listener: (message: FromWorker) => void): void
  /** Called if the worker fails during the lease. */
  onLost(listener: (why: string) => void): void
  /** Marks the worker as waiting for its holder: it does not count as running. */
  park(): void
  /** Returns the worker to the pool. */
  giveBack(): void
  /** Ends the worker, even while it is busy. */
  end(): void
}

export interface WorkerPool {
  /** Waits until a worker is free and loaded. Rejects if none can be started, and with the reason of `signal`. */
  lease(signal: AbortSignal, place?: Place): Promise<Lease>
  /** Starts a worker in advance. Rejects if that fails. */
  warm(): Promise<void>
  dispose(): void
}

/** Background scripts use separate workers, so that foreground scripts never wait for them. */
export type Place = 'foreground' | 'background'

interface Slots {
  readonly queue: (() => void)[]
  leased: number
}

interface Member {
  readonly worker: ShellWorker
  readonly ready: Promise<void>
  /** Ends the worker at once, even while it loads. Can be called twice. */
  readonly end: () => void
  onMessage: ((message: FromWorker) => void) | undefined
  onLost: ((why: string) => void) | undefined
}

// Each idle worker keeps the interpreter loaded. A browser may hang if a worker is ended immediately after loading, so unneeded
// workers are ended later.
const maxIdle = 2
const idleEndMs = 10_000

/** At most `maxWorkers` workers run in each place. */
export function createWorkerPool(start: () => ShellWorker, maxWorkers: number, readyTimeoutMs: number = 60_000): WorkerPool {
  const idle: Member[] = []
  const slots: Readonly<Record<Place, Slots>> = {
    foreground: { queue: [], leased: 0 },
    background: { queue: [], leased: 0 },
  }
  let isDisposed = false

  const create = (): Member => {
    const worker = start()
    const { promise, resolve, reject } = deferred<void>()
    const timer = setTimeout(() => lost(`it did not load within ${readyTimeoutMs / 1000} s`), readyTimeoutMs)
    const end = (): void => {
      clearTimeout(timer)
      worker.end()
    }
    const member: Member = { worker, ready: promise, end, onMessage: undefined, onLost: undefined }
    const lost = (why: string): void => {
      end()
      const index = idle.indexOf(member)
      if (index !== -1) idle.splice(index, 1)
      reject(new Error(`The shell's worker could not be used: ${why}.`))
      member.onLost?.(why)
    }
    worker.onLost(lost)
    worker.port.listen(message => {
      if (message.kind === 'ready') {
        clearTimeout(timer)
        resolve()
      } else member.onMessage?.(message)
    })
    // The holder receives the error. A spare worker that fails is replaced at the next lease.
    promise.catch(() => undefined)
    return member
  }
  const keepOneWarm = (): void => {
    if (!isDisposed && idle.length === 0) idle.push(create())
  }
  let ending: ReturnType<typeof setTimeout> | undefined
  const endSpare = (): void => {
    ending = undefined
    for (const member of idle.splice(maxIdle)) member.end()
  }
  /** Ends surplus spare workers after they have been idle for a while. */
  const endLater = (): void => {
    clearTimeout(ending)
    ending = undefined
    if (idle.length <= maxIdle) return
    ending = setTimeout(endSpare, idleEndMs)
    // The timer must not keep Node alive. In a page, a timer is a number.
    const timer: unknown = ending
    if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function') timer.unref()
  }
  // The slot passes directly to the request that has waited longest.
  const freeSlot = (place: Slots): void => {
    const next = place.queue.shift()
    if (next === undefined) place.leased -= 1
    else next()
  }
  const leaseOf = (member: Member, place: Slots, waitedMs: number): Lease => {
    let isOver = false
    let isParked = false
    const finish = (act: () => void): void => {
      if (isOver) return
      isOver = true
      member.onMessage = undefined
      member.onLost = undefined
      act()
      if (!isParked) freeSlot(place)
    }
    return {
      worker: member.worker,
      ready: member.ready,
      waitedMs,
      listen: listener => {
        member.onMessage = listener
      },
      onLost: listener => {
        member.onLost = listener
      },
      park: () => {
        if (isOver || isParked) return
        isParked = true
        member.worker.hold(false)
        freeSlot(place)
      },
      giveBack: () =>
        finish(() => {
          member.worker.hold(false)
          if (isDisposed) member.end()
          else {
            idle.push(member)
            endLater()
          }
        }),
      end: () =>
        finish(() => {
          member.end()
          keepOneWarm()
        }),
    }
  }

  return {
    async lease(signal, name = 'foreground') {
      signal.throwIfAborted()
      const place = slots[name]
      const startedAtMs = performance.now()
      if (place.leased >= maxWorkers) await turn(place.queue, signal)
      else place.leased += 1
      const lease = leaseOf(idle.pop() ?? create(), place, performance.now() - startedAtMs)
      lease.worker.hold(true)
      try {
        await lease.ready
      } catch (error) {
        lease.end()
        throw error
      }
      if (signal.aborted) lease.giveBack()
      signal.throwIfAborted()
      return lease
    },
    async warm() {
      if (idle.length > 0) return
      const member = create()
      idle.push(member)
      await member.ready
    },
    dispose: () => {
      isDisposed = true
      clearTimeout(ending)
      for (const { end } of idle) end()
      idle.length = 0
    },
  }
}

async function turn(queue: (() => void)[], signal: AbortSignal): Promise<void> {
  let leave = (): void => undefined
  try {
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        const index = queue.indexOf(resolve)
        if (index !== -1) queue.splice(index, 1)
        reject(signal.reason)
      }
      queue.push(resolve)
      signal.addEventListener('abort', onAbort, { once: true })
      leave = () => signal.removeEventListener('abort', onAbort)
    })
  } finally {
    leave()
  }
}
