// The page's entry, `anchorage/client`: the same workspace as in the worker, without loading the worker's code.

import type { BufferRules, WorkspaceBuffers } from '../buffers/buffer.ts'
import { checkActor } from '../core/actor.ts'
import { AnchorageError, checkMember } from '../core/errors.ts'
import type { Limits } from '../core/limits.ts'
import { defined, isRecord } from '../core/record.ts'
import type { WebContainerShell } from '../backends/webcontainer/shell.ts'
import type { GitHostOptions } from '../git/network/options.ts'
import { historyApi } from '../history/history-api.ts'
import type { PlainHistory, HistoryOptions } from '../history/history.ts'
import type { HostFetch, ResourceRouter, UrlRules } from '../resources/host.ts'
import type { Policy } from '../session/policy/policy.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { bufferListVerbs } from './buffer-verbs.ts'
import { clientFiles } from './client-files.ts'
import { sendingVerbs } from './file-verbs.ts'
import { historyVerbs } from './history-verbs.ts'
import type { Supervised } from './client-fork.ts'
import { clientToolset } from './client-toolset.ts'
import { type WorkerLike, scriptFailure } from './connection.ts'
import { isFirefox } from './own-worker.ts'
import { type SentFileSystem, toWireFileSystem, toWireResources, toWireShell } from './options.ts'
import { Supervisor, lostBeforeConnecting, type Replacement } from './supervisor.ts'
import type { ContainerHost, OpenContainerOptions } from './webcontainer.ts'
import type { WireWorkspaceOptions } from './wire.ts'

export type { MemoryFiles } from '../backends/memory/fill.ts'
export { memory, type MemoryRecipe } from './memory-recipe.ts'
export type { StartWorker, WebWorkerLike, WorkerType } from '../core/start-worker.ts'
export { startedByPage, startWorkersFor } from './own-worker.ts'
export type { SentFileSystem } from './options.ts'
export type { Replacement } from './supervisor.ts'
export type { ContainerHost, OpenContainerOptions } from './webcontainer.ts'

/** Options of `connectWorkspace`: those of `createWorkspace` that can cross a Worker, and how long the worker may be silent. */
export interface ClientWorkspaceOptions {
  /**
   * One backend or a mount table, as for `createWorkspace`. What crosses is each backend's recipe, so it must have one. Leave it out
   * when the worker's own module chooses its filesystem (`serveWorkspace`).
   */
  readonly fs?: SentFileSystem | Readonly<Record<string, SentFileSystem>> | undefined
  readonly root?: string | undefined
  /** Other shells are passed in a custom worker module, except that of a container of this page. */
  readonly shell?: 'just-bash' | 'none' | WebContainerShell | undefined
  readonly limits?: Partial<Limits> | undefined
  /** As for `createWorkspace`; your own storage must be created in the worker's own module. */
  readonly outputs?: 'auto' | 'memory' | undefined
  /** As for `createWorkspace`. A worker that replaces a lost one begins a new history. */
  readonly history?: boolean | HistoryOptions | undefined
  /** As for `createWorkspace`, for the shell's `git`; `credentials` and `fetch` are called on this side. */
  readonly git?: GitHostOptions | undefined
  /** As for `createWorkspace`. */
  readonly buffers?: BufferRules | undefined
  /** As for `createWorkspace`; `approve` is called on this side. */
  readonly policy?: Policy | undefined
  /** As for `createWorkspace`; its methods are called on this side, and what they return is sent. */
  readonly router?: ResourceRouter | undefined
  /** As for `createWorkspace`; called on this side. At most 10 MiB of a body are sent. */
  readonly fetch?: HostFetch | undefined
  /** As for `createWorkspace`. */
  readonly urls?: UrlRules | undefined
  /**
   * How long the worker may be silent while a call waits, beyond the time that the call itself may take (a shell command's time-out,
   * a search's). Default 10,000. A worker that answers is never ended, however long its calls last.
   */
  readonly callTimeoutMs?: number | undefined
  /** How long the worker may take to load and to build the workspace. Default 30,000. */
  readonly connectTimeoutMs?: number | undefined
  /** A stuck worker was replaced. `filesKept: false`: the files are those that the workspace was made with; every change is gone. */
  readonly onReplaced?: ((replacement: Replacement) => void) | undefined
}

/**
 * The workspace of a worker. It owns the worker from now on: `dispose` ends it, and a worker that no longer answers is ended too. If
 * `worker` is a function or an address, a lost worker is replaced; if it is a worker, every later call rejects. The address is that of
 * `worker.js` among the files of `anchorage/worker.js`, copied to where the page can load them, or of your own worker script.
 *
 * Rejects with an `AnchorageError`: `no-recipe` (a backend that cannot be sent), `connect-timeout`, `worker-lost` (the script failed),
 * `wire-version` (page and worker are of different releases), or with the error of building the workspace. In addition to the errors of
 * `Workspace`, its calls reject with `worker-lost` (calls in progress when the worker was lost), `session-lost` (a toolset, batch, snapshot
 * or walk of a worker that was replaced), `workspace-disposed` and `not-cloneable`.
 */
export async function connectWorkspace(
  worker: Worker | (() => Worker) | string | URL,
  options: ClientWorkspaceOptions,
): Promise<Workspace> {
  const isAddress = typeof worker === 'string' || worker instanceof URL
  const supervised = await superviseWorker(
    isAddress ? () => new (workerClass())(worker, { type: 'module' }) : worker,
    options,
    typeof document !== 'undefined' && isFirefox(),
  )
  return supervised.workspace
}

/** The same for any object that posts messages and can be ended; tests connect `MessagePort`s. */
export async function connectWorkerLike(
  worker: WorkerLike | (() => WorkerLike),
  options: ClientWorkspaceOptions,
): Promise<Workspace> {
  return (await superviseWorker(worker, options)).workspace
}

async function checkOptions(worker: WorkerLike | (() => WorkerLike), options: ClientWorkspaceOptions): Promise<void> {
  let failure: AnchorageError | undefined
  const remember = (event: unknown): void => {
    failure = lostBeforeConnecting(scriptFailure(event))
  }
  // A worker that was given already loads its script. Its failure is told once, perhaps before there is a connection.
  if (typeof worker !== 'function') worker.addEventListener('error', remember)
  const { checkWorkspaceOptions } = await import('../workspace/check-options.ts')
  if (typeof worker !== 'function') worker.removeEventListener('error', remember)
  checkWorkspaceOptions('connectWorkspace', options)
  if (failure !== undefined) throw failure
}

async function superviseWorker(
  worker: WorkerLike | (() => WorkerLike),
  options: ClientWorkspaceOptions,
  startsWorkers = false,
): Promise<Supervised> {
  if (typeof worker !== 'function') checkMember('connectWorkspace', worker, 'postMessage', 'createWorker or a Worker')
  // The rules are loaded only for other options than the usual one, `fs`.
  const isUsual = isRecord(options?.fs) && 'recipe' in options.fs && Object.keys(options).length === 1
  if (!isUsual) await checkOptions(worker, options)
  const { approve, ...policy } = options.policy ?? {}
  if (approve !== undefined && typeof approve !== 'function')
    throw new AnchorageError('workspace-options', 'policy: approve must be a function. Next: pass one, or leave it out.')
  const wire: WireWorkspaceOptions = {
    ...defined({
      fs: options.fs && toWireFileSystem(options.fs),
      root: options.root,
      limits: options.limits,
      outputs: options.outputs,
      history: options.history,
      buffers: options.buffers,
      // The worker refuses a policy that is not an object.
      policy: typeof options.policy === 'object' ? policy : options.policy,
      asks: approve && true,
      startsWorkers: startsWorkers || undefined,
      urls: options.urls,
    }),
    ...(options.shell && toWireShell(options.shell)),
    ...toWireResources(options),
  }
  const supervisor = await Supervisor.start(worker, {
    workspace: wire,
    approve,
    resources: options,
    callTimeoutMs: options.callTimeoutMs ?? 10_000,
    connectTimeoutMs: options.connectTimeoutMs ?? 30_000,
    onReplaced: options.onReplaced,
  })
  const workspace: Workspace = {
    fs: clientFiles(supervisor),
    root: supervisor.connected.root,
    history: historyApi(
      sendingVerbs<PlainHistory>(historyVerbs, async (verb, args) => {
        const connection = await supervisor.current()
        return await connection.request('history', [verb, args], { label: `history.${verb}` })
      }),
    ),
    buffers: {
      ...sendingVerbs<Pick<WorkspaceBuffers, 'list' | 'saveAll'>>(bufferListVerbs, async (verb, args) => {
        const connection = await supervisor.current()
        return await connection.request('buffers', [verb, args], { label: `buffers.${verb}` })
      }),
      open: async (path, options) => (await import('./client-buffers.ts')).openAcross(supervisor, path, options),
      connect: async (...args) => (await import('./client-buffers.ts')).connectAcross(supervisor, ...args),
    },
    async fork(forkOptions) {
      const { forkAcross } = await import('./client-fork.ts')
      const { callTimeoutMs, connectTimeoutMs } = options
      return await forkAcross(supervisor, forkOptions, port => superviseWorker(port, { callTimeoutMs, connectTimeoutMs }))
    },
    as(actor) {
      checkActor(actor)
      return { actor, fs: clientFiles(supervisor, actor) }
    },
    shell: { open: async shellOptions => (await import('./client-shell.ts')).clientShell(supervisor, shellOptions) },
    toolset: (name, toolsetOptions) => clientToolset(supervisor, name, toolsetOptions),
    idle: async () => await (await supervisor.current()).request('idle', []),
    dispose: () => supervisor.dispose(),
  }
  return { workspace, supervisor }
}

/**
 * Opens a container that workspaces of this page can use: `webcontainer(container)` is its filesystem,
 * `webcontainerShell(container)` its shell. It runs until `teardown`. Its code is loaded with the first call.
 *
 * Rejects with an `AnchorageError`: `container-open` (a page has one at a time), `container-timeout` (the service could not be
 * reached in time: offline, blocked, or the page is not isolated), `container-boot` (it failed twice).
 */
export async function openContainer(options?: OpenContainerOptions): Promise<ContainerHost> {
  return await (await import('./webcontainer.ts')).openContainer(options)
}

/**
 * Creates a worker with Anchorage's own script, which loads its parts on demand. Bundlers that know `new URL(…, import.meta.url)`
 * include its files; otherwise pass their address to `connectWorkspace`.
 */
export function createWorker(): Worker {
  workerClass()
  return new Worker(new URL('../worker-files/worker.js', import.meta.url), { type: 'module' })
}

function workerClass(): typeof Worker {
  if (typeof Worker === 'undefined')
    throw new AnchorageError('no-workers', "There are no web workers here. Next: use createWorkspace of 'anchorage'.")
  return Worker
}
