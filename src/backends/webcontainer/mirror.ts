// A WebContainer answers questions about files slowly, one file per call, and has no revisions, times or transactions. So the driver keeps
// a mirror of its tree, which implements all rules of the port, and applies its changes to the container. The mirror is valid until the
// container's generation changes: after every process, while one runs, and after other writes of the page. The service's `watch` is never
// relied on. See docs/webcontainer.md, "Files".

import { AnchorageError } from '../../core/errors.ts'
import { basename, childPath, dirname, pathNames, type VfsPath } from '../../core/path.ts'
import type { ShellChanges } from '../../shell/changes.ts'
import { patchedContent } from '../../vfs/patch.ts'
import type { BatchOptions, FullSyncBackend, Snapshot, VfsSync, VfsTransaction } from '../../vfs/backend.ts'
import { isVfsError } from '../../vfs/error.ts'
import { createFeed } from '../../vfs/feed.ts'
import { shellOrigin } from '../../vfs/origin.ts'
import { appended, copied } from '../../vfs/tree/content.ts'
import { changeOf } from '../../vfs/tree/edit.ts'
import { createStamps } from '../../vfs/tree/stamps.ts'
import { journaledStore } from '../../vfs/tree/store.ts'
import { treeBackend } from '../../vfs/tree/tree-backend.ts'
import { Tree } from '../../vfs/tree/tree.ts'
import { actionsOf, buffersOf, relative } from './actions.ts'
import { refuseExcluded } from './excluded.ts'
import { lostCode } from './failures.ts'
import { linkTo, type ContainerFilesystem, type ContainerLink } from './link.ts'
import { createLock } from './lock.ts'
import { holds, reconcile } from './reconcile.ts'
import { runtimeFolder } from './runner.ts'
import { createSeenChanges, type SeenChanges } from './seen-changes.ts'
import { readSnapshot } from './snapshot.ts'
import { takeBack, touchedPaths } from './take-back.ts'
import type { ContainerAction, ContainerFacts, ContainerSource } from './wire.ts'
import { pushAll } from '../../core/many.ts'

export interface MirrorOptions {
  /** Names of directories that are left out of the tree, at any depth. */
  readonly exclude: readonly string[]
  readonly clock: () => number
}

/** The number of commands whose changes are recorded at the same time. */
const maxCollectors = 64

type Changing = Pick<FullSyncBackend, 'sync' | 'batch'>

export class Mirror implements ContainerFilesystem {
  readonly inside: FullSyncBackend
  /** The tree for changes that are found in the container, with the origin of its commands. */
  readonly #found: Changing
  readonly #source: ContainerSource
  readonly #options: MirrorOptions
  readonly #lock = createLock()
  readonly #collectors = new Set<SeenChanges>()
  #outgoing: ContainerAction[] = []
  #isReplaying = false
  /** The generation that the mirror corresponds to. */
  #shown = -1
  #operations = 0
  /** Operations up to this one were requested before the last refresh. */
  #served = 0
  #opened: Promise<ContainerLink> | undefined
  #release: () => void = () => {}
  #facts: ContainerFacts | undefined

  constructor(source: ContainerSource, options: MirrorOptions) {
    this.#source = source
    this.#options = options
    const stamps = createStamps(options.clock)
    const store = journaledStore(Tree.empty(stamps), stamps, createFeed(), {
      hold: (data, before, isAppended = false) => (before && isAppended ? appended(before, data) : copied(data)),
      patch: patchedContent,
      admit: edits => {
        if (!this.#isReplaying) pushAll(this.#outgoing, actionsOf(edits))
        else for (const collector of this.#collectors) for (const edit of edits) collector.add(changeOf(edit))
      },
    })
    this.inside = treeBackend(() => store)
    this.#found = this.for(shellOrigin)
  }

  /** The tree for the origin `origin`. Change it only through `act` and `batch`. */
  for(origin: string): Changing {
    return this.inside.as(origin)
  }

  /** Facts about the container; `undefined` before the first operation. */
  get facts(): ContainerFacts | undefined {
    return this.#facts
  }

  /** Connects if there is no connection yet. */
  async open(): Promise<ContainerLink> {
    const opening = (this.#opened ??= this.#connect())
    try {
      return await opening
    } catch (error) {
      // The next operation tries again.
      if (this.#opened === opening) this.#opened = undefined
      this.#release()
      throw error
    }
  }

  async #connect(): Promise<ContainerLink> {
    const link = linkTo(this.#source)
    link.filesystem = this
    this.#release = link.hold()
    this.#facts = await link.facts
    return link
  }

  close(): void {
    this.#release()
  }

  /**
   * Runs `work` on the up-to-date mirror, and then applies its changes to the container. `path` is the only place that `work` reads or
   * changes; without it, any place. `tree` is {@link for} the caller.
   */
  async act<T>(work: (fs: VfsTransaction) => T, path?: VfsPath, tree: Changing = this.inside): Promise<T> {
    const operation = ++this.#operations
    const link = await this.open()
    return await this.#lock.run(async () => {
      await this.#catchUp(link, operation, path)
      const before = this.inside.snapshot()
      const result = work(refuseExcluded(tree.sync, this.#options.exclude))
      await this.#send(link, before)
      return result
    })
  }

  /** See `VfsBackend.batch`. */
  async batch<T>(
    work: (transaction: VfsTransaction) => T | Promise<T>,
    options: BatchOptions = {},
    tree: Changing = this.inside,
  ): Promise<T> {
    const link = await this.open()
    let before: Snapshot | undefined
    let release: () => void = () => {}
    try {
      const begun = await this.#lock.run(async () => {
        await this.#catchUp(link, ++this.#operations)
        const running = tree.batch(async transaction => {
          const result = await work(refuseExcluded(transaction, this.#options.exclude))
          release = await this.#lock.acquire()
          // A change by a process in the meantime is an ordinary conflict.
          await this.#catchUp(link, ++this.#operations)
          before = this.inside.snapshot()
          return result
        }, options)
        running.catch(() => {})
        return { running }
      })
      const result = await begun.running
      if (before !== undefined) await this.#send(link, before)
      return result
    } finally {
      release()
    }
  }

  /** Refreshes the mirror if the container may have changed. */
  async refresh(): Promise<void> {
    const operation = ++this.#operations
    const link = await this.open()
    await this.#lock.run(() => this.#catchUp(link, operation))
  }

  collect(): { readonly take: (prefix: string) => Promise<ShellChanges> } {
    const collector = createSeenChanges()
    this.#collectors.add(collector)
    // Drop those whose result was never taken.
    for (const oldest of [...this.#collectors].slice(0, -maxCollectors)) this.#collectors.delete(oldest)
    return {
      take: async prefix => {
        await this.refresh()
        this.#collectors.delete(collector)
        return collector.report(prefix)
      },
    }
  }

  async #catchUp(link: ContainerLink, operation: number, path?: VfsPath): Promise<void> {
    if (link.ended !== undefined) throw link.ended
    const { number, runningProcesses } = link.generation
    if (number === this.#shown) {
      if (runningProcesses === 0 || operation <= this.#served) return
      if (path !== undefined && (await this.#isAsShown(link, path))) return
    }
    await this.#look(link)
  }

  async #look(link: ContainerLink): Promise<void> {
    const asked = this.#operations
    const { number } = link.generation
    const excludes = [runtimeFolder, ...this.#options.exclude.flatMap(name => [name, `**/${name}`])]
    const tree = readSnapshot(await link.call('snapshot', [excludes]))
    const excluded = new Set(this.#options.exclude)
    const isHidden = (path: VfsPath): boolean => path === `/${runtimeFolder}` || excluded.has(basename(path))
    await this.#replay(fs => reconcile(fs, tree, isHidden))
    this.#shown = number
    this.#served = asked
  }

  async #replay(work: (fs: VfsTransaction) => void): Promise<void> {
    this.#isReplaying = true
    try {
      await this.#found.batch(work)
    } finally {
      this.#isReplaying = false
    }
  }

  /** Whether the mirror is correct at `path` while processes run: one small call instead of the whole tree. */
  async #isAsShown(link: ContainerLink, path: VfsPath): Promise<boolean> {
    const { sync } = this.inside
    const real = realPathOf(sync, path)
    if (real === undefined) return false
    try {
      const { kind } = sync.lookup(real)
      if (kind === 'file') {
        const [bytes] = await link.call('readMany', [[relative(real)]])
        return bytes !== undefined && holds(sync, real, bytes)
      }
      const [entries] = await link.call('list', [[relative(real)]])
      const found = (entries ?? []).flatMap(({ name, kind: type }) => {
        const isOurs = childPath(real, name) === `/${runtimeFolder}` || this.#options.exclude.includes(name)
        return isOurs ? [] : [`${name} ${type}`]
      })
      const shown = sync.list(real).map(entry => `${entry.name} ${entry.kind === 'symlink' ? 'other' : entry.kind}`)
      return found.toSorted().join('\n') === shown.toSorted().join('\n')
    } catch (error) {
      if (isVfsError(error)) return false
      throw error
    }
  }

  async #send(link: ContainerLink, before: Snapshot): Promise<void> {
    const actions = this.#outgoing
    if (actions.length === 0) return
    this.#outgoing = []
    const paths = touchedPaths(actions)
    try {
      await this.#apply(link, actions)
    } catch (error) {
      if (error instanceof AnchorageError && error.code === lostCode) throw error
      await this.#afterFailure(link, before, paths, error)
      throw error
    }
  }

  async #apply(link: ContainerLink, actions: readonly ContainerAction[]): Promise<void> {
    const { before, after } = await link.call('apply', [actions], { transfer: buffersOf(actions) })
    if (this.#shown === before) this.#shown = after
  }

  /**
   * The container refused a change that is already in the mirror. Resets the mirror to the container, and the container to the state
   * before.
   */
  async #afterFailure(link: ContainerLink, before: Snapshot, paths: readonly VfsPath[], cause: unknown): Promise<void> {
    try {
      await this.#look(link)
      await this.inside.batch(fs => takeBack(fs, before.fs, paths))
      const undo = this.#outgoing
      this.#outgoing = []
      if (undo.length > 0) await this.#apply(link, undo)
    } catch (undoError) {
      this.#outgoing = []
      this.#shown = -1
      throw new AnchorageError(
        'batch-partial',
        `The container failed in the middle of a change, and undoing it failed too. Check these paths before you continue: ${paths.slice(0, 10).join(', ')}.`,
        { details: { paths: paths.slice(0, 100), undoError: String(undoError) }, cause },
      )
    }
  }
}

/** The real path of `path`; for a missing entry, of its directory. `undefined` if the mirror does not know it. */
function realPathOf(fs: VfsSync, path: VfsPath): VfsPath | undefined {
  for (const candidate of [path, ...(pathNames(path).includes('..') ? [] : [dirname(path)])]) {
    try {
      return fs.realpath(candidate)
    } catch (error) {
      if (!isVfsError(error)) throw error
    }
  }
  return undefined
}
