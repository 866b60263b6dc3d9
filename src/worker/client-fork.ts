// A fork on the page. It is in the same worker, behind a separate port, so that all code for workspaces also works with forks.

import { merged } from '../workspace/merge-fork.ts'
import type { ForkOptions, WorkspaceFork } from '../workspace/fork.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { WorkerLike } from './connection.ts'
import type { Supervisor } from './supervisor.ts'

export interface Supervised {
  readonly workspace: Workspace
  readonly supervisor: Supervisor
}

export async function forkAcross(
  supervisor: Supervisor,
  options: ForkOptions | undefined,
  connect: (worker: WorkerLike) => Promise<Supervised>,
): Promise<WorkspaceFork> {
  const connection = await supervisor.current()
  const port = await connection.request('openFork', [options], { label: 'fork' })
  const { workspace, supervisor: own } = await connect(workerOver(port))
  return {
    ...workspace,
    async diff() {
      const { changes, diff } = await (await own.current()).request('forkPlan', [])
      return { changes, ...(diff === undefined ? {} : { diff }) }
    },
    merge: merging =>
      merged(
        {
          plan: async () => await (await own.current()).request('forkPlan', []),
          commit: async id => await (await own.current()).request('forkCommit', [id], { label: 'merge' }),
        },
        merging,
      ),
  }
}

function workerOver(port: MessagePort): WorkerLike {
  return {
    postMessage: (message, transfer) => port.postMessage(message, transfer ?? []),
    addEventListener: (type, listener, options) => port.addEventListener(type, listener, options),
    removeEventListener: (type, listener, options) => port.removeEventListener(type, listener, options),
    start: () => port.start(),
    terminate: () => port.close(),
  }
}
