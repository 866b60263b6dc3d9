// Page and worker in one thread, over a MessageChannel: fast, and with a choice of faults (a worker that has ended, hangs or lies).

import type { ClientWorkspaceOptions } from '../../worker/client.ts'
import { connectWorkerLike } from '../../worker/client.ts'
import type { WorkerLike } from '../../worker/connection.ts'
import { hostWorkspace } from '../../worker/host.ts'
import type { BuildWorkspace, HostOptions } from '../../worker/hosted.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { createScriptedWorkspace, type ScriptedWorkspace } from './scripted-workspace.ts'

export interface FakeWorker extends WorkerLike {
  readonly workspace: ScriptedWorkspace
  /** Stops receiving and answering, like a worker in an endless loop. */
  freeze(): void
  readonly isTerminated: () => boolean
  /** Has the effect of an `error` event of a real worker. */
  fail(message: string): void
}

export interface Pair {
  readonly workspace: Workspace
  /** Every worker that was created, in order. */
  readonly workers: readonly FakeWorker[]
  close(): Promise<void>
}

export function createFakeWorker(hostOptions: HostOptions = {}, build?: BuildWorkspace): FakeWorker {
  const { port1, port2 } = new MessageChannel()
  const workspace = createScriptedWorkspace({ '/workspace/a.txt': 'hello\n' })
  const host = hostWorkspace(port2, build ?? (async () => workspace), hostOptions)
  const errorListeners = new Set<(event: unknown) => void>()
  let isTerminated = false
  const stop = (): void => {
    port1.close()
    port2.close()
  }
  return {
    workspace,
    postMessage: (message, transfer) => port1.postMessage(message, transfer ?? []),
    addEventListener: (type, listener, options) => {
      if (type === 'error' && typeof listener === 'function') errorListeners.add(listener as (event: unknown) => void)
      else port1.addEventListener(type, listener, options)
    },
    removeEventListener: (type, listener, options) => port1.removeEventListener(type, listener, options),
    start: () => port1.start(),
    terminate: () => {
      isTerminated = true
      stop()
      host.dispose().catch(() => {})
    },
    isTerminated: () => isTerminated,
    freeze: stop,
    fail: message => {
      for (const listener of errorListeners) listener({ type: 'error', message })
    },
  }
}

export async function connectPair(
  options: ClientWorkspaceOptions & { readonly respawn?: boolean; readonly host?: HostOptions } = {},
): Promise<Pair> {
  const { respawn = false, host, ...client } = options
  const workers: FakeWorker[] = []
  const spawn = (): FakeWorker => {
    const worker = createFakeWorker(host)
    workers.push(worker)
    return worker
  }
  const workspace = await connectWorkerLike(respawn ? spawn : spawn(), client)
  return { workspace, workers, close: () => workspace.dispose() }
}
