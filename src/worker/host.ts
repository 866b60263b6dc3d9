// The worker's side: one workspace behind one endpoint. Everything that a page can call is a function of the façade below.

import { expose, transfer, type Endpoint } from 'comlink'
import type { BufferOpenOptions, WorkspaceBuffers } from '../buffers/buffer.ts'
import type { BufferLink, BufferMessage } from '../buffers/link.ts'
import type { Actor } from '../core/actor.ts'
import { checkOptions } from '../core/argument.ts'
import { AnchorageError, checkMember, wrongArgument } from '../core/errors.ts'
import { defined } from '../core/record.ts'
import type { SessionState, ToolResult, Toolset } from '../core/tool.ts'
import type { ToolPreview } from '../core/tool-preview.ts'
import type { PlainHistory } from '../history/history.ts'
import type { ApprovalAnswer } from '../session/policy/approve.ts'
import type { ForkPlan } from '../history/files-fork.ts'
import type { ForkOptions } from '../workspace/fork.ts'
import type { ForkSteps } from '../workspace/merge-fork.ts'
import type { ToolsetName, ToolsetOptions } from '../workspace/toolsets.ts'
import type { Difference, Unsubscribe } from '../vfs/backend.ts'
import type { Vfs, VfsSnapshot } from '../vfs/vfs.ts'
import type { OpenShellOptions, Workspace } from '../workspace/workspace.ts'
import { SentApprovals } from './approvals.ts'
import { bufferListVerbs, linkVerbs, type WireLink } from './buffer-verbs.ts'
import { releaseCallback } from './callback.ts'
import { facadeOf } from './facade.ts'
import { fileVerbs, runVerb, snapshotVerbs } from './file-verbs.ts'
import { filesPersist } from './files-persist.ts'
import { guardEndpoint } from './guard.ts'
import { Handles } from './handles.ts'
import { historyVerbs } from './history-verbs.ts'
import { installHandlers } from './handlers.ts'
import type { BuildWorkspace, HostedOptions, HostedWorkspace, HostOptions } from './hosted.ts'
import { asWorkspaceOptions } from './options.ts'
import type { ResourceAnswer, SentQuestions } from './page-resources.ts'
import type { WireHost } from './protocol.ts'
import { PageStarter } from './page-workers.ts'
import { RemoteBatch } from './remote-batch.ts'
import { RemoteWalk } from './remote-walk.ts'
import type { RemoteShell } from './remote-shell.ts'
import { shellVerbs, type PlainShellFunctions, type WireShell, type WireShellEnd } from './shell-verbs.ts'
import {
  wireVersion,
  type WireBuffer,
  type WireConnected,
  type WireFiles,
  type WireSnapshot,
  type WireToolset,
  type WireWalkChunk,
  type WireWalkOptions,
  type WireWatchOptions,
  type WireWorkspaceOptions,
} from './wire.ts'

/** The live objects behind one endpoint. */
class Host implements WireHost {
  readonly #build: BuildWorkspace
  readonly #batchIdleMs: number
  readonly #toolsets = new Handles<Toolset>('toolset')
  readonly #batches = new Handles<RemoteBatch>('batch')
  readonly #snapshots = new Handles<VfsSnapshot>('snapshot')
  readonly #walks = new Handles<RemoteWalk>('walk')
  readonly #watches = new Handles<Unsubscribe>('watch')
  readonly #shells = new Handles<RemoteShell>('shell session')
  readonly #buffers = new Handles<{ readonly link: BufferLink; readonly listener: (message: BufferMessage) => void }>('buffer')
  readonly #forks = new Handles<HostedWorkspace>('fork')
  readonly #approvals = new SentApprovals()
  #questions: Promise<SentQuestions> | undefined
  #workspace: Promise<Workspace> | undefined
  #disposed: Promise<void> | undefined

  readonly #onDisposed: () => void
  /** The endpoint of a page that can start workers. */
  readonly #endpoint: Endpoint | undefined

  constructor(build: BuildWorkspace, batchIdleMs: number, onDisposed: () => void = () => {}, endpoint?: Endpoint) {
    this.#build = build
    this.#batchIdleMs = batchIdleMs
    this.#onDisposed = onDisposed
    this.#endpoint = endpoint
  }

  async connect(version: unknown, rawOptions: unknown): Promise<WireConnected> {
    if (version !== wireVersion) {
      throw new AnchorageError(
        'wire-version',
        `The page uses version ${String(version)} of the protocol and this worker version ${wireVersion}. Next: build both from one release of anchorage.`,
        { details: { workerVersion: wireVersion } },
      )
    }
    if (this.#disposed !== undefined) throw disposedError()
    if (this.#workspace !== undefined) {
      throw new AnchorageError(
        'already-connected',
        'This worker already has a workspace. Next: use a separate worker for each workspace.',
      )
    }
    const options = asWorkspaceOptions(rawOptions)
    const { asks, answers, startsWorkers, ...sent } = options
    const asking = { policy: { ...options.policy, approve: this.#approvals.approve } }
    const starter = startsWorkers === true && this.#endpoint !== undefined ? new PageStarter(this.#endpoint) : undefined
    const starting = starter !== undefined && { startWorker: starter.start.bind(starter) }
    const resources = this.#pageResources(answers, options.git)
    this.#workspace = resources.then(opened => this.#build({ ...sent, ...(asks === true && asking), ...opened, ...starting }))
    let workspace: Workspace
    try {
      workspace = await this.#workspace
    } catch (error) {
      this.#workspace = undefined
      throw error
    }
    return { version: wireVersion, root: workspace.root, filesPersist: await filesPersist(workspace, options) }
  }

  async #pageResources(
    answers: WireWorkspaceOptions['answers'],
    git: WireWorkspaceOptions['git'],
  ): Promise<Pick<HostedOptions, 'router' | 'fetch' | 'git'>> {
    if (answers === undefined) return {}
    this.#questions = import('./page-resources.ts').then(loaded => new loaded.SentQuestions())
    return (await this.#questions).options(answers, git)
  }

  async #ready(): Promise<Workspace> {
    if (this.#disposed !== undefined) throw disposedError()
    if (this.#workspace === undefined) {
      throw new AnchorageError(
        'not-connected',
        'This worker has no workspace yet. Next: use connectWorkspace, which connects first.',
      )
    }
    return await this.#workspace
  }

  async ping(): Promise<void> {}

  async openToolset(name: string, options: ToolsetOptions | undefined): Promise<WireToolset> {
    const workspace = await this.#ready()
    this.#toolsets.reserve()
    // The workspace itself refuses an unknown name.
    const toolset = await workspace.toolset(name as ToolsetName, options)
    return { toolsetId: this.#toolsets.open(toolset), tools: toolset.tools }
  }

  async call(...[toolsetId, name, args, callId, turn, signal, onUpdate]: Parameters<WireHost['call']>): Promise<ToolResult> {
    await this.#ready()
    return await this.#toolsets.get(toolsetId).call(name, args, defined({ signal, onUpdate, callId, turn }))
  }

  async preview(...[toolsetId, name, args, signal]: Parameters<WireHost['preview']>): Promise<ToolPreview> {
    await this.#ready()
    return await this.#toolsets.get(toolsetId).preview(name, args, defined({ signal }))
  }

  async toolsetState(toolsetId: number): Promise<SessionState> {
    return await this.#toolsets.get(toolsetId).state()
  }

  async closeToolset(toolsetId: number, forget: boolean): Promise<void> {
    await this.#toolsets.take(toolsetId)?.close({ forget })
  }

  async openApprovals(listener: (approval: unknown) => void): Promise<void> {
    this.#approvals.listen(listener)
  }

  async answerApproval(approvalId: number, answer: ApprovalAnswer): Promise<void> {
    this.#approvals.answer(approvalId, answer)
  }

  async openResources(listener: (question: unknown) => void): Promise<void> {
    ;(await this.#questions)?.listen(listener)
  }

  async answerResource(questionId: number, answer: ResourceAnswer): Promise<void> {
    ;(await this.#questions)?.answer(questionId, answer)
  }

  async file(files: WireFiles | undefined, verb: string, args: readonly unknown[]): Promise<unknown> {
    if (files === undefined) return await runVerb<Vfs>(fileVerbs, (await this.#ready()).fs, verb, args)
    if ('actor' in files) return await runVerb<Vfs>(fileVerbs, (await this.#ready()).as(files.actor).fs, verb, args)
    if ('batch' in files) return await this.#batches.get(files.batch).run(verb, args)
    return await runVerb<VfsSnapshot>(snapshotVerbs, this.#snapshots.get(files.snapshot), verb, args)
  }

  async hash(...[path, algorithm, signal]: Parameters<WireHost['hash']>): Promise<string> {
    return await (await this.#ready()).fs.hash(path, algorithm, defined({ signal }))
  }

  async history(verb: string, args: readonly unknown[]): Promise<unknown> {
    return await runVerb<PlainHistory>(historyVerbs, (await this.#ready()).history, verb, args)
  }

  async openShell(options: OpenShellOptions | undefined, listener: (value: unknown) => void): Promise<WireShell> {
    const workspace = await this.#ready()
    this.#shells.reserve()
    const session = await workspace.shell.open(options)
    const { RemoteShell } = await import('./remote-shell.ts')
    const shellId = this.#shells.open(new RemoteShell(session, listener))
    const { id, name, input, cwd } = session
    return { shellId, id, name, input, cwd }
  }

  async runShell(...[shellId, command, signal]: Parameters<WireHost['runShell']>): Promise<WireShellEnd> {
    return await this.#shells.get(shellId).run(command, { signal })
  }

  async shell(shellId: number, verb: string, args: readonly unknown[]): Promise<unknown> {
    if (verb === 'close') return await this.#shells.take(shellId)?.close()
    return await runVerb<PlainShellFunctions>(shellVerbs, this.#shells.get(shellId).session, verb, args)
  }

  async shellTaken(shellId: number, sizeBytes: number): Promise<void> {
    // It may be on its way when the session is closed.
    if (this.#shells.has(shellId)) this.#shells.get(shellId).taken(sizeBytes)
  }

  async buffers(verb: string, args: readonly unknown[]): Promise<unknown> {
    return await runVerb<Pick<WorkspaceBuffers, 'list' | 'saveAll'>>(bufferListVerbs, (await this.#ready()).buffers, verb, args)
  }

  async openBuffer(path: string, options: BufferOpenOptions, listener: (message: BufferMessage) => void): Promise<WireBuffer> {
    const workspace = await this.#ready()
    this.#buffers.reserve()
    const { opened, link } = await workspace.buffers.connect(path, options, listener)
    return { ...opened, bufferId: this.#buffers.open({ link, listener }) }
  }

  async buffer(bufferId: number, verb: string, args: readonly unknown[]): Promise<unknown> {
    const { link, listener } = this.#buffers.get(bufferId)
    // A link answers some calls with a message instead of a promise; `runVerb` awaits both.
    const result = await runVerb<WireLink>(linkVerbs, link as unknown as WireLink, verb, args)
    if (verb === 'close') {
      this.#buffers.take(bufferId)
      releaseCallback(listener)
    }
    return result
  }

  async openFork(options: ForkOptions | undefined): Promise<MessagePort> {
    const workspace = await this.#ready()
    this.#forks.reserve()
    const fork = await workspace.fork(options)
    const { port1, port2 } = new MessageChannel()
    const host = new Host(
      async () => fork,
      this.#batchIdleMs,
      () => this.#forks.take(id),
    )
    const id = this.#forks.open(serve(port1, host))
    return transfer(port2, [port2])
  }

  async forkPlan(): Promise<ForkPlan> {
    return await (await this.#forkSteps()).plan()
  }

  async forkCommit(planId: number): Promise<'done' | 'moved'> {
    return await (await this.#forkSteps()).commit(planId)
  }

  async #forkSteps(): Promise<ForkSteps> {
    const workspace = await this.#ready()
    const { stepsOf } = await import('../workspace/open-fork.ts')
    return stepsOf(workspace)
  }

  async openBatch(expect: Readonly<Record<string, number>> | undefined, actor: Actor | undefined): Promise<number> {
    const workspace = await this.#ready()
    const { fs } = actor === undefined ? workspace : workspace.as(actor)
    this.#batches.reserve()
    return this.#batches.open(await RemoteBatch.open(fs, expect, this.#batchIdleMs))
  }

  async closeBatch(batchId: number, outcome: 'commit' | 'roll-back'): Promise<void> {
    const batch = this.#batches.get(batchId)
    this.#batches.take(batchId)
    await batch.close(outcome)
  }

  async openSnapshot(): Promise<WireSnapshot> {
    const { fs } = await this.#ready()
    this.#snapshots.reserve()
    const snapshot = await fs.snapshot()
    return { snapshotId: this.#snapshots.open(snapshot), seq: snapshot.seq }
  }

  async diffSnapshots(from: number, to: number | undefined): Promise<readonly Difference[]> {
    return await this.#snapshots.get(from).diff(to === undefined ? undefined : this.#snapshots.get(to))
  }

  async closeSnapshot(snapshotId: number): Promise<void> {
    await this.#snapshots.take(snapshotId)?.dispose()
  }

  async openWalk(root: string, options: WireWalkOptions | undefined): Promise<number> {
    const { fs } = await this.#ready()
    return this.#walks.open(new RemoteWalk(fs, root, options))
  }

  async nextWalk(walkId: number): Promise<WireWalkChunk> {
    try {
      const chunk = await this.#walks.get(walkId).next()
      if (chunk.isDone) this.#walks.take(walkId)
      return chunk
    } catch (error) {
      this.#walks.take(walkId)
      throw error
    }
  }

  async closeWalk(walkId: number): Promise<void> {
    await this.#walks.take(walkId)?.close()
  }

  async openWatch(path: string, options: WireWatchOptions | undefined, listener: (value: unknown) => void): Promise<number> {
    const { fs } = await this.#ready()
    this.#watches.reserve()
    const unsubscribe = await fs.watch(path, listener, options)
    return this.#watches.open(() => {
      unsubscribe()
      releaseCallback(listener)
    })
  }

  async closeWatch(watchId: number): Promise<void> {
    this.#watches.take(watchId)?.()
  }

  async idle(): Promise<void> {
    await (await this.#ready()).idle()
  }

  dispose(): Promise<void> {
    this.#disposed ??= this.#disposeOnce()
    return this.#disposed
  }

  async #disposeOnce(): Promise<void> {
    this.#onDisposed()
    for (const unsubscribe of this.#watches.takeAll()) unsubscribe()
    for (const { listener } of this.#buffers.takeAll()) releaseCallback(listener)
    this.#approvals.close('deny')
    ;(await this.#questions)?.close({ failed: 'the workspace was disposed of' })
    const closing = [
      ...this.#batches.takeAll().map(batch => batch.close('roll-back')),
      ...this.#shells.takeAll().map(shell => shell.close()),
      ...this.#walks.takeAll().map(walk => walk.close()),
      ...this.#snapshots.takeAll().map(snapshot => snapshot.dispose()),
      ...this.#toolsets.takeAll().map(toolset => toolset.close()),
      ...this.#forks.takeAll().map(fork => fork.dispose()),
    ]
    const closed = await Promise.allSettled(closing)
    // If creating it failed, the page was told, and there is nothing to close.
    const workspace = await this.#workspace?.catch(() => undefined)
    await workspace?.dispose()
    const failed = closed.find(result => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}

function disposedError(): AnchorageError {
  return new AnchorageError('workspace-disposed', 'The workspace was disposed of. Next: connect a new one.')
}

/**
 * Serves one workspace to the other end of `endpoint`: a worker's scope, or a `MessagePort`. `build` runs once, when the page connects; if
 * it throws, `connectWorkspace` rejects with that error.
 */
export function hostWorkspace(endpoint: Endpoint, build: BuildWorkspace, options: HostOptions = {}): HostedWorkspace {
  checkMember('hostWorkspace', endpoint, 'addEventListener', 'the scope of a worker, or a MessagePort')
  if (typeof build !== 'function') throw wrongArgument('hostWorkspace: argument 2 must be a function.')
  checkOptions('hostWorkspace', options, { batchIdleMs: 1, report: 1 })
  return serve(endpoint, new Host(build, options.batchIdleMs ?? 30_000, undefined, endpoint), options.report)
}

function serve(endpoint: Endpoint, host: Host, report: (reason: string) => void = () => {}): HostedWorkspace {
  installHandlers()
  const guarded = guardEndpoint(endpoint, report)
  expose(facadeOf(host), guarded.endpoint)
  return {
    async dispose() {
      guarded.close()
      await host.dispose()
    },
  }
}
