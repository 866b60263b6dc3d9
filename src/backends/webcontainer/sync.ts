// If the workspace's files are elsewhere, a command in the container works on copies: the workspace's changes are copied in before it, and
// the command's changes are copied out after it, as one batch. If both sides changed a file, the workspace keeps its version, the
// container's version is stored beside it, and the command's output says so.

import { childPath, rootPath, type VfsPath } from '../../core/path.ts'
import { isVfsError } from '../../vfs/error.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { buffersOf } from './actions.ts'
import { actionsBetween, currentOf, flatten, isSame, type Content, type Synced } from './contents.ts'
import { applyToWorkspace, type SyncReport } from './copy-back.ts'
import type { ContainerLink } from './link.ts'
import { createLock } from './lock.ts'
import { runtimeFolder } from './runner.ts'
import { readSnapshot } from './snapshot.ts'

export interface SyncOptions {
  readonly fs: Vfs
  /** The directory of the workspace that is copied: it is the container's working directory. */
  readonly root: VfsPath
  /** Names of directories that are not copied, on both sides. */
  readonly exclude: readonly string[]
}

export interface FileSync {
  /** Copies the workspace's changes to the container. Returns their number. */
  push(link: ContainerLink): Promise<number>
  /** Copies the container's changes to the workspace. Rejects, without changes, if the batch fails. */
  pull(link: ContainerLink): Promise<SyncReport>
}

/** How often to retry a batch if another writer changes files at the same moment. */
const maxAttempts = 5

export function createFileSync(options: SyncOptions): FileSync {
  const sync = new ContainerSync(options)
  const lock = createLock()
  return { push: link => lock.run(() => sync.push(link)), pull: link => lock.run(() => sync.pullAll(link)) }
}

/** One push or pull at a time: the caller holds a lock. */
class ContainerSync {
  readonly #fs: Vfs
  readonly #root: VfsPath
  readonly #exclude: readonly string[]
  /** The contents when both sides were last equal, with the workspace's revisions. */
  #synced = new Map<string, Synced>()
  #hasBegun = false
  /** The container's generation at the last copy out. */
  #seen = -1
  /** Changes that were copied out before a command began, to be reported at its end. */
  #carried: SyncReport[] = []

  constructor({ fs, root, exclude }: SyncOptions) {
    this.#fs = fs
    this.#root = root
    this.#exclude = exclude
  }

  async push(link: ContainerLink): Promise<number> {
    // A command that is still running may have changed files that are about to be overwritten: copy those out first.
    if (this.#hasBegun && !this.#isSeen(link)) this.#carried.push(await this.#pull(link))
    const now = await this.#workspaceNow()
    // Files that were in the container before the first command stay there; only the workspace's files are written over them.
    const there = this.#hasBegun ? this.#synced : await this.#containerNow(link)
    const actions = actionsBetween(there, now, this.#hasBegun)
    if (actions.length > 0) {
      try {
        const { before, after } = await link.call('apply', [actions], { transfer: buffersOf(actions) })
        if (this.#seen === before) this.#seen = after
      } catch (error) {
        // Some of it is done, so the next command starts with the present state.
        if (this.#hasBegun && link.ended === undefined) this.#synced = await this.#agreed(await this.#containerNow(link))
        throw error
      }
    }
    this.#hasBegun = true
    this.#synced = now
    return actions.length
  }

  /** Includes what was copied out before. */
  async pullAll(link: ContainerLink): Promise<SyncReport> {
    const reports = [...this.#carried, await this.#pull(link)]
    this.#carried = []
    return {
      changes: reports.flatMap(({ changes }) => changes),
      conflicts: reports.flatMap(({ conflicts }) => conflicts),
    }
  }

  async #pull(link: ContainerLink): Promise<SyncReport> {
    this.#seen = link.generation.number
    const there = await this.#containerNow(link)
    for (let attempt = 1; ; attempt++) {
      const now = await this.#workspaceNow()
      try {
        const report = await applyToWorkspace(this.#fs, this.#absolute, this.#synced, there, now)
        this.#synced = await this.#agreed(there)
        return report
      } catch (error) {
        if (attempt >= maxAttempts || !isVfsError(error, 'ESTALE')) throw error
      }
    }
  }

  #isSeen({ generation }: ContainerLink): boolean {
    return generation.runningProcesses === 0 && generation.number === this.#seen
  }

  async #containerNow(link: ContainerLink): Promise<Map<string, Content>> {
    const excludes = [runtimeFolder, ...this.#exclude.flatMap(name => [name, `**/${name}`])]
    const found = new Map<string, Content>()
    flatten(readSnapshot(await link.call('snapshot', [excludes])), '', this.#isExcluded, found)
    return found
  }

  async #workspaceNow(): Promise<Map<string, Synced>> {
    const found = new Map<string, Synced>()
    for await (const { path, kind } of this.#fs.walk(this.#root, { prune: this.#exclude })) {
      const relative = path.slice(this.#root === rootPath ? 1 : this.#root.length + 1)
      if (this.#isExcluded(relative)) continue
      const entry = await currentOf(this.#fs, path, kind, this.#synced.get(relative))
      if (entry !== undefined) found.set(relative, entry)
    }
    return found
  }

  /** The contents that are equal on both sides now. The next push finds the rest again. */
  async #agreed(there: ReadonlyMap<string, Content>): Promise<Map<string, Synced>> {
    const now = await this.#workspaceNow()
    for (const [path, entry] of there) {
      const own = now.get(path)
      if (own !== undefined && isSame(own, entry)) continue
      // Recorded as the container has it, so that a push sees the difference.
      now.set(path, { ...entry, rev: 0 })
    }
    for (const path of [...now.keys()]) if (!there.has(path)) now.delete(path)
    return now
  }

  readonly #isExcluded = (path: string): boolean =>
    path.split('/').some(name => this.#exclude.includes(name)) || path.split('/')[0] === runtimeFolder

  readonly #absolute = (path: string): VfsPath => path.split('/').reduce(childPath, this.#root)
}
