// Locks that allow one writer at a time for each path, across all sessions of a workspace. Compare-and-swap in the filesystem
// keeps data safe; the locks only prevent conflicts between agents of one workspace.

import { untilAborted } from '../core/abort.ts'
import type { VfsPath } from '../core/path.ts'

export class PathLocks {
  readonly #tails = new Map<VfsPath, Promise<void>>()

  /** Runs `work` while it holds the locks of `paths`. Locks are taken in sorted order, so that calls cannot deadlock. */
  async hold<T>(paths: readonly VfsPath[], signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const releases: (() => void)[] = []
    try {
      for (const path of [...new Set(paths)].sort()) releases.push(await this.#acquire(path, signal))
      signal.throwIfAborted()
      return await work()
    } finally {
      for (const release of releases) release()
    }
  }

  async #acquire(path: VfsPath, signal: AbortSignal): Promise<() => void> {
    const before = this.#tails.get(path) ?? Promise.resolve()
    // Not `deferred`, which is not needed for a first read otherwise.
    let release = (): void => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const tail = before.then(() => held)
    this.#tails.set(path, tail)
    void tail.then(() => {
      if (this.#tails.get(path) === tail) this.#tails.delete(path)
    })
    try {
      await untilAborted(before, signal)
    } catch (error) {
      release()
      throw error
    }
    return release
  }
}
