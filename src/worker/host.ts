// The worker's side: one workspace behind one endpoint. Everything that a page can reach is a function of the façade below.

import { expose, type Endpoint } from 'comlink'
import { AnchorageError } from '../core/errors.ts'
import type { SessionState, Toolset, ToolUpdate } from '../core/tool.ts'
import type { Policy } from '../session/policy/policy.ts'
import type { ToolsetOptions } from '../session/toolset.ts'
import type { BackendRecipe, ChangeBatch, Unsubscribe } from '../vfs/backend.ts'
import type { VfsSnapshot } from '../vfs/vfs.ts'
import type { ToolsetName, Workspace } from '../workspace/workspace.ts'
import { SentApprovals } from './approvals.ts'
import { releaseCallback } from './callback.ts'
import { asList, asNumbersByName, asOptionalRecord, asOptionalText, asOptions, asText } from './checks.ts'
import { fileVerbs, runVerb, snapshotVerbs } from './file-verbs.ts'
import { guardEndpoint } from './guard.ts'
import { Handles } from './handles.ts'
import { installHandlers } from './handlers.ts'
import { asWorkspaceOptions } from './options.ts'
import { RemoteBatch } from './remote-batch.ts'
import { RemoteWalk } from './remote-walk.ts'
import { releaseSignal } from './signal.ts'
import { wireVersion, type WireConnected, type WireHost, type WireWorkspaceOptions } from './wire.ts'

/** Makes the workspace that a page asked for. */
export type BuildWorkspace = (options: HostedOptions) => Promise<Workspace>

/** What a page sent, with a policy that can ask it. */
export type HostedOptions = Omit<WireWorkspaceOptions, 'policy' | 'asks'> & { readonly policy?: Policy }

export interface HostOptions {
  /** A batch that the page leaves alone this long is rolled back; default 30 s. */
  readonly batchIdleMs?: number
  /** Hears of messages that were refused. Default: nobody; the sender got an error wherever it could be answered. */
  readonly report?: (reason: string) => void
}

export interface HostedWorkspace {
  /** Closes the workspace and stops listening. Calling it twice is fine. */
  dispose(): Promise<void>
}

/** What is live behind one endpoint. */
class Host {
  readonly #build: BuildWorkspace
  readonly #batchIdleMs: number
  readonly #toolsets = new Handles<Toolset>('toolset')
  readonly #batches = new Handles<RemoteBatch>('batch')
  readonly #snapshots = new Handles<VfsSnapshot>('snapshot')
  readonly #walks = new Handles<RemoteWalk>('walk')
  readonly #watches = new Handles<Unsubscribe>('watch')
  readonly #approvals = new SentApprovals()
  #workspace: Promise<Workspace> | undefined
  #disposed: Promise<void> | undefined

  constructor(build: BuildWorkspace, batchIdleMs: number) {
    this.#build = build
    this.#batchIdleMs = batchIdleMs
  }

  async connect(version: unknown, rawOptions: unknown): Promise<WireConnected> {
    if (version !== wireVersion) {
      throw new AnchorageError(
        'wire-version',
        `The page speaks version ${String(version)} of the wire and this worker version ${wireVersion}. Next: build both from one release of anchorage.`,
        { details: { workerVersion: wireVersion } },
      )
    }
    if (this.#disposed !== undefined) throw disposedError()
    if (this.#workspace !== undefined) {
      throw new AnchorageError(
        'already-connected',
        'This worker already holds a workspace. Next: connect each workspace to a worker of its own.',
      )
    }
    const options = asWorkspaceOptions(rawOptions)
    const { asks, ...sent } = options
    const asking = { policy: { ...options.policy, approve: this.#approvals.approve } }
    this.#workspace = this.#build(asks === true ? { ...sent, ...asking } : sent)
    let workspace: Workspace
    try {
      workspace = await this.#workspace
    } catch (error) {
      this.#workspace = undefined
      throw error
    }
    return { version: wireVersion, root: workspace.root, filesPersist: await this.#filesPersist(workspace, options) }
  }

  async #filesPersist(workspace: Workspace, options: WireWorkspaceOptions): Promise<boolean> {
    const mounts = options.fs?.kind === 'mounts' ? options.fs.mounts.map(([path]) => path) : []
    for (const path of [workspace.root, ...mounts]) {
      // It lives on the page.
      if (recipeAt(options.fs, path)?.kind === 'webcontainer') continue
      if (!(await workspace.fs.caps(path)).persistent) return false
    }
    return true
  }

  async #ready(): Promise<Workspace> {
    if (this.#disposed !== undefined) throw disposedError()
    if (this.#workspace === undefined) {
      throw new AnchorageError(
        'not-connected',
        'This worker holds no workspace yet. Next: use connectWorkspace, which connects first.',
      )
    }
    return await this.#workspace
  }

  async openToolset(name: unknown, options: unknown): Promise<{ toolsetId: number; tools: Toolset['tools'] }> {
    const workspace = await this.#ready()
    this.#toolsets.reserve()
    // The workspace itself refuses a name or an option that it does not know.
    const toolset = await workspace.toolset(
      asText(name, 'name') as ToolsetName,
      asOptionalRecord(options, 'options') as ToolsetOptions,
    )
    return { toolsetId: this.#toolsets.open(toolset), tools: toolset.tools }
  }

  async call(
    toolsetId: unknown,
    name: unknown,
    args: unknown,
    callId: unknown,
    signal: AbortSignal | undefined,
    onUpdate: ((update: ToolUpdate) => void) | undefined,
  ): Promise<Awaited<ReturnType<Toolset['call']>>> {
    try {
      await this.#ready()
      const id = asOptionalText(callId, 'callId')
      return await this.#toolsets.get(toolsetId).call(asText(name, 'name'), args, {
        ...(signal === undefined ? {} : { signal }),
        ...(onUpdate === undefined ? {} : { onUpdate }),
        ...(id === undefined ? {} : { callId: id }),
      })
    } finally {
      releaseSignal(signal)
      releaseCallback(onUpdate)
    }
  }

  async toolsetState(toolsetId: unknown): Promise<SessionState> {
    return await this.#toolsets.get(toolsetId).state()
  }

  async closeToolset(toolsetId: unknown, forget: unknown): Promise<void> {
    await this.#toolsets.take(toolsetId)?.close({ forget: forget === true })
  }

  async openApprovals(listener: ((approval: unknown) => void) | undefined): Promise<void> {
    this.#approvals.listen(listener)
  }

  async answerApproval(approvalId: unknown, answer: unknown): Promise<void> {
    this.#approvals.answer(approvalId, answer)
  }

  async file(verb: unknown, args: unknown): Promise<unknown> {
    return await runVerb(fileVerbs, (await this.#ready()).fs, verb, asList(args, 'args'))
  }

  async openBatch(expect: unknown): Promise<number> {
    const { fs } = await this.#ready()
    this.#batches.reserve()
    return this.#batches.open(await RemoteBatch.open(fs, asNumbersByName(expect, 'expect'), this.#batchIdleMs))
  }

  async batchFile(batchId: unknown, verb: unknown, args: unknown): Promise<unknown> {
    return await this.#batches.get(batchId).run(verb, asList(args, 'args'))
  }

  async closeBatch(batchId: unknown, outcome: unknown): Promise<void> {
    const batch = this.#batches.get(batchId)
    this.#batches.take(batchId)
    await batch.close(outcome === 'commit' ? 'commit' : 'roll-back')
  }

  async openSnapshot(): Promise<{ snapshotId: number; seq: number }> {
    const { fs } = await this.#ready()
    this.#snapshots.reserve()
    const snapshot = await fs.snapshot()
    return { snapshotId: this.#snapshots.open(snapshot), seq: snapshot.seq }
  }

  async snapshotFile(snapshotId: unknown, verb: unknown, args: unknown): Promise<unknown> {
    return await runVerb(snapshotVerbs, this.#snapshots.get(snapshotId), verb, asList(args, 'args'))
  }

  async closeSnapshot(snapshotId: unknown): Promise<void> {
    await this.#snapshots.take(snapshotId)?.dispose()
  }

  async openWalk(root: unknown, options: unknown): Promise<number> {
    const { fs } = await this.#ready()
    const fields = { maxDepth: 'number', maxEntries: 'number', prune: 'strings' } as const
    return this.#walks.open(new RemoteWalk(fs, asText(root, 'root'), asOptions(options, fields, 'options')))
  }

  async nextWalk(walkId: unknown): Promise<Awaited<ReturnType<RemoteWalk['next']>>> {
    try {
      const chunk = await this.#walks.get(walkId).next()
      if (chunk.isDone) this.#walks.take(walkId)
      return chunk
    } catch (error) {
      this.#walks.take(walkId)
      throw error
    }
  }

  async closeWalk(walkId: unknown): Promise<void> {
    await this.#walks.take(walkId)?.close()
  }

  async openWatch(path: unknown, options: unknown, listener: ((batch: ChangeBatch) => void) | undefined): Promise<number> {
    try {
      const { fs } = await this.#ready()
      if (typeof listener !== 'function')
        throw new AnchorageError('wire-refused', 'A watch needs a listener. Next: pass a callback.')
      this.#watches.reserve()
      const fields = { recursive: 'boolean', sinceSeq: 'number' } as const
      const unsubscribe = await fs.watch(asText(path, 'path'), listener, asOptions(options, fields, 'options'))
      return this.#watches.open(() => {
        unsubscribe()
        releaseCallback(listener)
      })
    } catch (error) {
      releaseCallback(listener)
      throw error
    }
  }

  async closeWatch(watchId: unknown): Promise<void> {
    this.#watches.take(watchId)?.()
  }

  dispose(): Promise<void> {
    this.#disposed ??= this.#disposeOnce()
    return this.#disposed
  }

  async #disposeOnce(): Promise<void> {
    for (const unsubscribe of this.#watches.takeAll()) unsubscribe()
    this.#approvals.close()
    const closing = [
      ...this.#batches.takeAll().map(batch => batch.close('roll-back')),
      ...this.#walks.takeAll().map(walk => walk.close()),
      ...this.#snapshots.takeAll().map(snapshot => snapshot.dispose()),
      ...this.#toolsets.takeAll().map(toolset => toolset.close()),
    ]
    const closed = await Promise.allSettled(closing)
    // A build that failed was reported to whoever connected, and left nothing to close.
    const workspace = await this.#workspace?.catch(() => undefined)
    await workspace?.dispose()
    const failed = closed.find(result => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}

/** What holds `path`. */
function recipeAt(fs: WireWorkspaceOptions['fs'], path: string): BackendRecipe | undefined {
  if (fs?.kind !== 'mounts') return fs?.recipe
  const holding = fs.mounts.filter(([mount]) => mount === '/' || path === mount || path.startsWith(`${mount}/`))
  return holding.toSorted(([a], [b]) => b.length - a.length)[0]?.[1]
}

function disposedError(): AnchorageError {
  return new AnchorageError('workspace-disposed', 'The workspace was disposed of. Next: connect a new one.')
}

/**
 * Serves one workspace to whoever holds the other end of `endpoint`: a worker's own scope, or a `MessagePort`. `build` runs once, when
 * the page connects; what it throws reaches the page as the rejection of `connectWorkspace`.
 */
export function hostWorkspace(endpoint: Endpoint, build: BuildWorkspace, options: HostOptions = {}): HostedWorkspace {
  installHandlers()
  const host = new Host(build, options.batchIdleMs ?? 30_000)
  const guarded = guardEndpoint(endpoint, options.report ?? (() => {}))
  // Listed by hand, and without a prototype: there is nothing here to find but these functions.
  const facade: Readonly<WireHost> = Object.freeze(
    Object.assign(Object.create(null) as object, {
      connect: (version, wireOptions) => host.connect(version, wireOptions),
      ping: async () => {},
      openToolset: (name, toolsetOptions) => host.openToolset(name, toolsetOptions),
      call: (toolsetId, name, args, callId, signal, onUpdate) => host.call(toolsetId, name, args, callId, signal, onUpdate),
      toolsetState: toolsetId => host.toolsetState(toolsetId),
      closeToolset: (toolsetId, forget) => host.closeToolset(toolsetId, forget),
      openApprovals: listener => host.openApprovals(listener),
      answerApproval: (approvalId, answer) => host.answerApproval(approvalId, answer),
      file: (verb, args) => host.file(verb, args),
      openBatch: expect => host.openBatch(expect),
      batchFile: (batchId, verb, args) => host.batchFile(batchId, verb, args),
      closeBatch: (batchId, outcome) => host.closeBatch(batchId, outcome),
      openSnapshot: () => host.openSnapshot(),
      snapshotFile: (snapshotId, verb, args) => host.snapshotFile(snapshotId, verb, args),
      closeSnapshot: snapshotId => host.closeSnapshot(snapshotId),
      openWalk: (root, walkOptions) => host.openWalk(root, walkOptions),
      nextWalk: walkId => host.nextWalk(walkId),
      closeWalk: walkId => host.closeWalk(walkId),
      openWatch: (path, watchOptions, listener) => host.openWatch(path, watchOptions, listener),
      closeWatch: watchId => host.closeWatch(watchId),
      dispose: () => host.dispose(),
    } satisfies WireHost),
  )
  expose(facade, guarded.endpoint)
  return {
    async dispose() {
      guarded.close()
      await host.dispose()
    },
  }
}
