// The worker script, `anchorage/worker`. Loaded as a dedicated worker it serves one workspace to its page; imported anywhere else it
// does nothing. A module of your own can import it and say with `serveWorkspace` what is built instead.

import { buildWorkspace } from './build-workspace.ts'
import { hostWorkspace, type BuildWorkspace } from './host.ts'

export { buildWorkspace } from './build-workspace.ts'
export { hostWorkspace, type BuildWorkspace, type HostedOptions, type HostedWorkspace, type HostOptions } from './host.ts'
export { cook as buildBackend, cookShell as buildShell } from './recipes.ts'
export type { WireFileSystem, WireWorkspaceOptions } from './wire.ts'

let build: BuildWorkspace = buildWorkspace

/**
 * Serves the workspace that `build` makes, in a worker module of your own:
 *
 * ```ts
 * import { serveWorkspace } from 'anchorage/worker'
 * serveWorkspace(async options => createWorkspace({ ...options, fs: myBackend() }))
 * ```
 *
 * Call it at the top level and before any `await`: the page connects as soon as the module has run.
 */
export function serveWorkspace(custom: BuildWorkspace): void {
  build = custom
}

interface DedicatedScope {
  postMessage(message: unknown, transfer: Transferable[]): void
  addEventListener: EventTarget['addEventListener']
  removeEventListener: EventTarget['removeEventListener']
}

/** A page has `postMessage` too, and a shared worker has a port per page: only a dedicated worker's scope is its own endpoint. */
function isDedicatedWorker(scope: object): scope is DedicatedScope {
  return 'DedicatedWorkerGlobalScope' in scope
}

// As `object`: the types of the page's global scope would hide what a worker's really is.
const scope: object = globalThis

if (isDedicatedWorker(scope)) {
  hostWorkspace(
    {
      postMessage: (message, transfer) => scope.postMessage(message, transfer ?? []),
      addEventListener: (type, listener) => scope.addEventListener(type, listener),
      removeEventListener: (type, listener) => scope.removeEventListener(type, listener),
    },
    options => build(options),
    { report: reason => console.warn(`anchorage: refused a message: ${reason}`) },
  )
}
