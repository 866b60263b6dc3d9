// The options and the result of serving a workspace to a page.

import type { StartWorker } from '../core/start-worker.ts'
import type { GitHostOptions } from '../git/network/options.ts'
import type { HostFetch, ResourceRouter } from '../resources/host.ts'
import type { Policy } from '../session/policy/policy.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { WireWorkspaceOptions } from './wire.ts'

/** Creates the workspace that a page asked for. */
export type BuildWorkspace = (options: HostedOptions) => Promise<Workspace>

/** The options that a page sent, with functions that ask the page: of the policy, the router, git, and to fetch. */
export type HostedOptions = Omit<WireWorkspaceOptions, 'policy' | 'asks' | 'answers' | 'git' | 'startsWorkers'> & {
  readonly policy?: Policy
  readonly git?: GitHostOptions
  readonly router?: ResourceRouter
  readonly fetch?: HostFetch
  readonly startWorker?: StartWorker
}

/** Options of `serveWorkspace`. */
export interface HostOptions {
  /** A batch without a call from the page for this long is rolled back; default 30 s. */
  readonly batchIdleMs?: number | undefined
  /** Receives the messages that were refused. By default they are not reported; the sender gets an error if it can be answered. */
  readonly report?: ((reason: string) => void) | undefined
}

/** A workspace that is served to a page. */
export interface HostedWorkspace {
  /** Closes the workspace and stops listening. May be called twice. */
  dispose(): Promise<void>
}
