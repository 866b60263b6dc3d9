// Each change takes several steps, and in the midst of them the layers are no basis for another: so they come one after the other, or
// as transactions.

import { asynchronous } from '../asynchronous.ts'
import type { VfsBackend, VfsSync } from '../backend.ts'
import { VfsError } from '../error.ts'
import type { Waiting } from '../steps.ts'

type Changing = 'write' | 'mkdir' | 'remove' | 'rename' | 'link' | 'symlink' | 'setattr'

/** One change after the other. */
export function inTurns(all: Waiting, queue: Queue): Waiting {
  const turns: Pick<Waiting, Changing> = {
    write: (path, data, options) => queue(() => all.write(path, data, options)),
    mkdir: (path, options) => queue(() => all.mkdir(path, options)),
    remove: (path, kind) => queue(() => all.remove(path, kind)),
    rename: (from, to, options) => queue(() => all.rename(from, to, options)),
    link: (existing, path) => queue(() => all.link(existing, path)),
    symlink: (target, path) => queue(() => all.symlink(target, path)),
    setattr: (path, attributes) => queue(() => all.setattr(path, attributes)),
  }
  return { ...all, ...turns }
}

/** Shut while the upper layer is emptied: what was done then would be lost. */
export interface Door {
  isShut: boolean
}

export function behind(door: Door, sync: VfsSync): VfsSync {
  const pass = (syscall: string, path: string): void => {
    if (door.isShut)
      throw new VfsError('EBUSY', syscall, { path, hint: 'the overlay is being applied or dropped; wait for that' })
  }
  const guarded: Pick<VfsSync, Changing> = {
    write: (path, data, options) => (pass('open', path), sync.write(path, data, options)),
    mkdir: (path, options) => (pass('mkdir', path), sync.mkdir(path, options)),
    remove: (path, kind) => (pass('unlink', path), sync.remove(path, kind)),
    rename: (from, to, options) => (pass('rename', from), sync.rename(from, to, options)),
    link: (existing, path) => (pass('link', path), sync.link(existing, path)),
    symlink: (target, path) => (pass('symlink', path), sync.symlink(target, path)),
    setattr: (path, attributes) => (pass('chmod', path), sync.setattr(path, attributes)),
  }
  return { ...sync, ...guarded }
}

/** `turn` makes changes wait while they must. `batch`, where the upper layer lasts, makes each one that a crash cannot cut. */
export function promised(sync: VfsSync, turn: Queue, batch: VfsBackend['batch']): Waiting {
  const change = <T>(act: (fs: VfsSync) => T): Promise<T> => (batch === undefined ? turn(async () => act(sync)) : batch(act))
  const changing: Pick<Waiting, Changing> = {
    write: (path, data, options) => change(fs => fs.write(path, data, options)),
    mkdir: (path, options) => change(fs => fs.mkdir(path, options)),
    remove: (path, kind) => change(fs => fs.remove(path, kind)),
    rename: (from, to, options) => change(fs => fs.rename(from, to, options)),
    link: (existing, path) => change(fs => fs.link(existing, path)),
    symlink: (target, path) => change(fs => fs.symlink(target, path)),
    setattr: (path, attributes) => change(fs => fs.setattr(path, attributes)),
  }
  return { ...asynchronous(sync), ...changing }
}

export type Queue = <T>(work: () => Promise<T>) => Promise<T>

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const run = last.then(work)
    // The next one's turn comes whether or not this one failed; its caller hears of the failure from `run`.
    last = run.then(
      () => undefined,
      () => undefined,
    )
    return run
  }
}
