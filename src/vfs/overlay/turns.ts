// A change takes several steps, and no other change may start between them. So changes run one after the other, or as transactions.

import { asynchronous } from '../asynchronous.ts'
import type { VfsBackend, VfsSync } from '../backend.ts'
import { VfsError } from '../error.ts'
import {
  callPrimitive,
  callWaiting,
  changingNames,
  mapPrimitives,
  mapWaiting,
  pathsOf,
  primitives,
  type Waiting,
} from '../port.ts'

/** Runs changes one after the other. */
export function inTurns(all: Waiting, queue: Queue): Waiting {
  return { ...all, ...mapWaiting(changingNames, (name, args) => queue(() => callWaiting(all, name, args))) }
}

/** Shut while the upper layer is emptied, because changes made meanwhile would be lost. */
export interface Door {
  isShut: boolean
}

export function behind(door: Door, sync: VfsSync): VfsSync {
  const guarded = mapPrimitives(changingNames, (name, args) => {
    if (!door.isShut) return callPrimitive(sync, name, args)
    const [path] = pathsOf(name, args)
    const hint = 'the overlay is being applied or dropped; wait for that'
    throw new VfsError('EBUSY', primitives[name].syscall, { path, hint })
  })
  return { ...sync, ...guarded }
}

/** `turn` queues changes. `batch`, if the upper layer is persistent, makes each change one that a crash cannot interrupt. */
export function promised(sync: VfsSync, turn: Queue, batch: VfsBackend['batch']): Waiting {
  const change = <T>(act: (fs: VfsSync) => T): Promise<T> => (batch === undefined ? turn(async () => act(sync)) : batch(act))
  const changing = mapWaiting(changingNames, (name, args) => change(fs => callPrimitive(fs, name, args)))
  return { ...asynchronous(sync), ...changing }
}

export type Queue = <T>(work: () => Promise<T>) => Promise<T>

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const run = last.then(work)
    // The next one starts whether or not this one failed; its caller receives the failure from `run`.
    last = run.then(
      () => undefined,
      () => undefined,
    )
    return run
  }
}
