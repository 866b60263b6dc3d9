// Opens the objects that the sessions of a workspace share. Parts that a first call does not need are loaded on demand.

import { AnchorageError } from '../core/errors.ts'
import { defaultLimits, type Limits } from '../core/limits.ts'
import type { VfsPath } from '../core/path.ts'
import { defined } from '../core/record.ts'
import type { HostFetch, ResourceHost } from '../resources/host.ts'
import { PathLocks } from '../session/locks.ts'
import { openPolicy } from '../session/policy/policy.ts'
import type { SearchIndex } from '../session/search-index.ts'
import type { WorkspaceScope } from '../session/workspace-scope.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { guardedFiles, shellFor } from './guarded-files.ts'
import type { LateBuffers } from './late-buffers.ts'
import { outputStorage } from './output-storage.ts'
import { openShell } from './shell-access.ts'
import type { WorkspaceOptions } from './workspace.ts'

export interface OpenedScope {
  readonly scope: WorkspaceScope
  /** Ends the shell, and stops all indexing at once. May be called twice. */
  readonly dispose: () => Promise<void>
}

/** `root` is a real directory of `backend`; `fs` is the host's view of it. */
export async function openScope(
  options: WorkspaceOptions,
  backend: VfsBackend,
  fs: Vfs,
  root: VfsPath,
  buffers: LateBuffers,
): Promise<OpenedScope> {
  const policy = await openPolicy(options.policy, { root, caseSensitive: backend.caps.caseSensitive })
  const files = await guardedFiles(backend, fs, policy, root, buffers)
  const limits: Limits = { ...defaultLimits, ...defined({ ...options.limits }) }
  const locks = new PathLocks()
  let opened: Promise<SearchIndex> | undefined
  const closing = new AbortController()
  const openIndex = async (): Promise<SearchIndex> => {
    const { SearchIndex: Index } = await import('../session/search-index.ts')
    return Index.open(files.forTools, limits.searchMaxFileBytes, { derived: backend.derived, signal: closing.signal })
  }
  const index = (): Promise<SearchIndex> => (opened ??= openIndex())
  const shell = openShell(shellFor(options.shell ?? 'just-bash', policy), async () => ({
    fs: files.forCommands,
    filesAs: files.commandsAs,
    root,
    order: (paths, signal, work) => locks.hold(paths, signal, work),
    ...defined({ startWorker: options.startWorker }),
    commands: (await import('./commands.ts')).workspaceCommands(
      options,
      { vfs: files.forCommands, root, limits, index },
      files.commandsAs,
    ),
  }))
  if (policy.bash === 'review') (await import('./on-demand.ts')).checkReviewable(options.shell)
  const scope: WorkspaceScope = {
    vfs: files.forTools,
    root,
    limits,
    caseSensitive: backend.caps.caseSensitive,
    locks,
    index,
    shellAccess: async () => buffers.shellAccess(await shell.access()),
    clock: options.clock ?? Date.now,
    policy,
    forkForCommand: async origin => {
      const { checkReviewable, forkForCommand } = await import('./on-demand.ts')
      checkReviewable(options.shell)
      await buffers.beforeCommand(origin)
      return await forkForCommand(options, backend, root)
    },
    host: await openHost(options),
    filesAs: files.toolsAs,
    judgedFilesAs: files.judgedAs,
    openOutputStorage: outputStorage(options.outputs),
    derived: backend.derived,
    parseScript: async script => (await import('../backends/just-bash/parse-script.ts')).parseScript(script),
  }
  return {
    scope,
    async dispose() {
      closing.abort(new AnchorageError('workspace-disposed', 'This workspace was disposed. Create a new one.'))
      await shell.dispose()
    },
  }
}

/** Most hosts pass none of these options; then the code for web addresses is loaded with the first address. */
async function openHost(options: WorkspaceOptions): Promise<ResourceHost> {
  const { router, fetch, urls, policy } = options
  if (router !== undefined || fetch !== undefined || urls !== undefined || policy !== undefined)
    return (await import('./on-demand.ts')).resourceHost(options)
  const lazily: HostFetch = async (url, init) => {
    const { resourceHost } = await import('./on-demand.ts')
    const platform = resourceHost(options).fetch
    if (platform === undefined) throw new Error('this platform cannot fetch')
    return platform(url, init)
  }
  return { router: undefined, fetch: lazily, urls: {}, skillRoots: [], startWorker: options.startWorker }
}
