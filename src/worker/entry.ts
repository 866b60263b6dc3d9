// The worker script, `anchorage/worker`. Loaded as a dedicated worker it serves one workspace to its page; imported anywhere else it does
// nothing. A custom worker module can import it and pass `serveWorkspace` a function that creates the workspace.

import { buildWorkspace } from './build-workspace.ts'
import { hostWorkspace } from './host.ts'
import type { BuildWorkspace } from './hosted.ts'
import { dedicatedScope } from './worker-scope.ts'

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

const scope = dedicatedScope()

if (scope !== undefined)
  hostWorkspace(scope, options => build(options), { report: reason => console.warn(`anchorage: refused a message: ${reason}`) })
