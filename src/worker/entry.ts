// The worker script, `anchorage/worker`. Loaded as a dedicated worker it serves one workspace to its page; imported anywhere else it does
// nothing. A custom worker module can import it and pass `serveWorkspace` a function that creates the workspace.

import { buildWorkspace } from './build-workspace.ts'
import { hostWorkspace } from './host.ts'
import type { BuildWorkspace } from './hosted.ts'

export { buildWorkspace } from './build-workspace.ts'
export { hostWorkspace } from './host.ts'
export type { BuildWorkspace, HostedOptions, HostedWorkspace, HostOptions } from './hosted.ts'
export { cook as buildBackend, cookShell as buildShell } from './recipes.ts'
export type { WireFileSystem, WireWorkspaceOptions } from './wire.ts'

let build: BuildWorkspace = buildWorkspace

/**
 * Serves the workspace that `build` creates, in a custom worker module:
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

/** A page has `postMessage` too, and a shared worker has a port per page: only the scope of a dedicated worker is an endpoint. */
function isDedicatedWorker(scope: object): scope is DedicatedScope {
  return 'DedicatedWorkerGlobalScope' in scope
}

// As `object`, because the types of the page's global scope would hide what a worker's scope has.
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
