// Each change takes several steps, and in the midst of them the layers are no basis for another: so they come one after the other, or
// as transactions.

import { asynchronous } from '../asynchronous.ts'
import type { VfsBackend, VfsSync } from '../backend.ts'
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

/** `batch`, where the upper layer lasts, makes each change one that a crash cannot cut. */
export function promised(sync: VfsSync, batch: VfsBackend['batch']): Waiting {
  const all = asynchronous(sync)
  if (batch === undefined) return all
  const cut: Pick<Waiting, Changing> = {
    write: (path, data, options) => batch(on => on.write(path, data, options)),
    mkdir: (path, options) => batch(on => on.mkdir(path, options)),
    remove: (path, kind) => batch(on => on.remove(path, kind)),
    rename: (from, to, options) => batch(on => on.rename(from, to, options)),
    link: (existing, path) => batch(on => on.link(existing, path)),
    symlink: (target, path) => batch(on => on.symlink(target, path)),
    setattr: (path, attributes) => batch(on => on.setattr(path, attributes)),
  }
  return { ...all, ...cut }
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
