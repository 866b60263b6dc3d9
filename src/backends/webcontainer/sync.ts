// When the workspace's files live elsewhere, a command in the container works on copies: what the workspace changed goes in before it, and
// what the command changed comes out after it, as one batch. A file that both changed is not decided here: the workspace keeps its own, the
// container's lies beside it, and the command's output says so.

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
  /** What of the workspace is copied: it is the container's working directory. */
  readonly root: VfsPath
  /** Names of directories that stay where they are, on both sides. */
  readonly exclude: readonly string[]
}

export interface FileSync {
  /** Brings the container up to the workspace. Gives the number of changes. */
  push(link: ContainerLink): Promise<number>
  /** Brings the workspace up to the container. Rejects, and changes nothing, if the batch cannot be done. */
  pull(link: ContainerLink): Promise<SyncReport>
}

/** How often a batch is tried again when somebody writes at the very moment. */
const maxAttempts = 5

export function createFileSync({ fs, root, exclude }: SyncOptions): FileSync {
  /** What both sides held when they last agreed, with the workspace's revision of it. */
  let synced = new Map<string, Synced>()
  let hasBegun = false
  /** The container's generation when it was last copied out. */
  let seen = -1
  /** What came out before a command began, to be told with its end. */
  let carried: SyncReport[] = []
  const lock = createLock()
  const isExcluded = (path: string): boolean =>
    path.split('/').some(name => exclude.includes(name)) || path.split('/')[0] === runtimeFolder
  const absolute = (path: string): VfsPath => path.split('/').reduce(childPath, root)

  const containerNow = async (link: ContainerLink): Promise<Map<string, Content>> => {
    const excludes = [runtimeFolder, ...exclude.flatMap(name => [name, `**/${name}`])]
    const found = new Map<string, Content>()
    flatten(readSnapshot(await link.call('snapshot', [excludes])), '', isExcluded, found)
    return found
  }

  const workspaceNow = async (): Promise<Map<string, Synced>> => {
    const found = new Map<string, Synced>()
    for await (const { path, kind } of fs.walk(root, { prune: exclude })) {
      const relative = path.slice(root === rootPath ? 1 : root.length + 1)
      if (isExcluded(relative)) continue
      const entry = await currentOf(fs, path, kind, synced.get(relative))
      if (entry !== undefined) found.set(relative, entry)
    }
    return found
  }

  const push = async (link: ContainerLink): Promise<number> => {
    // A command that still runs may have changed what is about to be written over: that comes out first.
    if (hasBegun && !isSeen(link)) carried.push(await pull(link))
    const now = await workspaceNow()
    // What the container held before the first command is its own; only what the workspace has goes over it.
    const there = hasBegun ? synced : await containerNow(link)
    const actions = actionsBetween(there, now, hasBegun)
    if (actions.length > 0) {
      try {
        const { before, after } = await link.call('apply', [actions], { transfer: buffersOf(actions) })
        if (seen === before) seen = after
      } catch (error) {
        // Some of it is done: the next command begins with what is there now.
        if (hasBegun && link.ended === undefined) synced = await agreed(await containerNow(link))
        throw error
      }
    }
    hasBegun = true
    synced = now
    return actions.length
  }

  const isSeen = ({ generation }: ContainerLink): boolean => generation.runningProcesses === 0 && generation.number === seen

  const pull = async (link: ContainerLink): Promise<SyncReport> => {
    seen = link.generation.number
    const there = await containerNow(link)
    for (let attempt = 1; ; attempt++) {
      const now = await workspaceNow()
      try {
        const report = await applyToWorkspace(fs, absolute, synced, there, now)
        synced = await agreed(there)
        return report
      } catch (error) {
        if (attempt >= maxAttempts || !isVfsError(error, 'ESTALE')) throw error
      }
    }
  }

  /** What is the same on both sides now. What is not is found again by the next push. */
  const agreed = async (there: ReadonlyMap<string, Content>): Promise<Map<string, Synced>> => {
    const now = await workspaceNow()
    for (const [path, entry] of there) {
      const own = now.get(path)
      if (own !== undefined && isSame(own, entry)) continue
      // As the container has it: a push then sees the difference.
      now.set(path, { ...entry, rev: 0 })
    }
    for (const path of [...now.keys()]) if (!there.has(path)) now.delete(path)
    return now
  }

  return {
    push: link => lock.run(() => push(link)),
    pull: link =>
      lock.run(async () => {
        const reports = [...carried, await pull(link)]
        carried = []
        return {
          changes: reports.flatMap(({ changes }) => changes),
          conflicts: reports.flatMap(({ conflicts }) => conflicts),
        }
      }),
  }
}
