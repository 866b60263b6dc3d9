// Combines the parts of a workspace: a filesystem, a shell that starts on the first command, and a session for each toolset.

import { checkActor } from '../core/actor.ts'
import { AnchorageError } from '../core/errors.ts'
import { parsePath, type VfsPath } from '../core/path.ts'
import type { SessionState, Toolset } from '../core/tool.ts'
import { defined } from '../core/record.ts'
import { resourceKinds } from '../resources/kinds.ts'
import type { RestoredState } from '../session/session-memory.ts'
import { createSession } from '../session/session.ts'
import { checkToolsetOptions, openToolset } from '../session/toolset-manifest.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import { createVfs } from '../vfs/create-vfs.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { Activity } from './activity.ts'
import { LateBuffers } from './late-buffers.ts'
import { prepareHistory } from './open-history.ts'
import { openScope } from './open-scope.ts'
import { findToolset, type ToolsetName } from './toolsets.ts'
import type { Workspace, WorkspaceOptions } from './workspace.ts'

const defaultRoot = '/workspace'

/**
 * Opens a workspace in this thread.
 *
 * ```ts
 * const workspace = await createWorkspace({ fs: memory({ 'src/a.ts': 'export const a = 1\n' }) })
 * const tools = await workspace.toolset('atomic')
 * await tools.call('read', { path: 'src/a.ts' })
 * ```
 *
 * Throws `AnchorageError` with code `workspace-options` for wrong or unsupported options, and `VfsError` if the root cannot be created.
 */
export async function createWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  if (!isBackend(options?.fs) || Object.keys(options).length > 1) {
    ;(await import('./check-options.ts')).checkWorkspaceOptions('createWorkspace', options)
  }
  const root = parsePath(options.root ?? defaultRoot)
  const given = isBackend(options.fs) ? options.fs : await mountTable(options.fs)
  given.placeFiles?.(root)
  const prepared = await prepareHistory(options.history, given, options.clock ?? Date.now)
  const { backend } = prepared
  const fs = createVfs(backend)
  if (options.root === undefined) await refuseBesideFiles(fs, root)
  const realRoot = await openRoot(fs, root)
  let isDisposed = false
  const refuseDisposed = (): void => {
    if (isDisposed) throw new AnchorageError('workspace-disposed', 'This workspace was disposed. Create a new one.')
  }
  const buffers = new LateBuffers(async () => {
    const { openBufferAccess } = await import('./on-demand.ts')
    const { clock, limits } = scope
    return openBufferAccess({ backend, root: realRoot, clock, maxBytes: limits.textMaxBytes, rules: options.buffers })
  }, refuseDisposed)
  if (options.buffers !== undefined) (await import('./on-demand.ts')).checkBufferRules(options.buffers)
  const { scope, dispose: disposeScope } = await openScope(options, backend, fs, realRoot, buffers)
  const { history, flush: flushHistory, close: closeHistory } = prepared.open({ fs, root: realRoot, git: options.git })
  const toolsets = new Set<Toolset>()
  const activity = new Activity()
  let sessions = 0

  return {
    fs,
    root: realRoot,
    history,
    buffers: buffers.api,
    async fork(forkOptions) {
      refuseDisposed()
      const { openFork } = await import('./on-demand.ts')
      return await openFork({ create: createWorkspace, options, backend, root: realRoot }, forkOptions)
    },
    as(actor) {
      refuseDisposed()
      checkActor(actor)
      return { actor, fs: fs.as(actor) }
    },
    shell: {
      async open(shellOptions = {}) {
        refuseDisposed()
        const { openShellSession } = await import('./on-demand.ts')
        return openShellSession(scope, shellOptions)
      },
    },
    async toolset(name, toolsetOptions = {}) {
      refuseDisposed()
      const manifest = findToolset(name)
      checkToolsetOptions(manifest, toolsetOptions)
      const session = createSession(scope, {
        limits: { ...scope.limits, ...defined({ ...toolsetOptions.limits }) },
        shell: await scope.shellAccess(),
        toolset: name,
        id: `s${++sessions}`,
        kinds: resourceKinds.filter(kind => manifest.resources.includes(kind.name)),
        actor: toolsetOptions.actor ?? { kind: 'agent' },
        policy: toolsetOptions.policy && (await (await import('./on-demand.ts')).toolsetPolicy(toolsetOptions.policy, scope)),
        overwrite: toolsetOptions.overwrite ?? 'note',
        state: await restored(name, toolsetOptions.state),
      })
      const toolset = await openToolset(manifest, session, toolsetOptions)
      toolsets.add(toolset)
      return {
        ...toolset,
        call: (tool, args, context) => activity.during(async () => buffers.annotate(await toolset.call(tool, args, context))),
        preview: (tool, args, context) => activity.during(() => toolset.preview(tool, args, context)),
        async close(closing) {
          toolsets.delete(toolset)
          await toolset.close(closing)
        },
      }
    },
    idle: () =>
      activity.idle(async () => {
        await fs.flush()
        await flushHistory()
      }),
    async dispose() {
      if (isDisposed) return
      isDisposed = true
      for (const toolset of toolsets) await toolset.close()
      toolsets.clear()
      await disposeScope()
      await closeHistory()
      buffers.close()
      await backend.flush()
      await backend.close()
      // The backend is the host's and may be used by its next workspace.
      for (const name of Object.keys(fs))
        Reflect.set(
          fs,
          name,
          name === 'sync' ? undefined : /^(as|walk)$/.test(name) ? refuseDisposed : async () => refuseDisposed(),
        )
    },
  }
}

async function restored(toolset: ToolsetName, state: SessionState | undefined): Promise<RestoredState | undefined> {
  return state === undefined ? undefined : (await import('../session/session-state.ts')).readState(state, toolset)
}

/**
 * Creating an empty working directory beside the files that an agent was to work on would be a silent mistake and would pollute their
 * directory. If there are only directories, such as mount points or `/tmp`, the default root may be created beside them.
 */
async function refuseBesideFiles(fs: Vfs, root: VfsPath): Promise<void> {
  if (await fs.exists(root)) return
  const names = (await fs.readdir('/')).filter(({ kind }) => kind !== 'directory').map(({ name }) => name)
  if (names.length === 0) return
  const shown = `${names.slice(0, 3).join(', ')}${names.length > 3 ? ' …' : ''}`
  throw new AnchorageError(
    'workspace-options',
    `The filesystem contains files (${shown}), but not the root directory ${root}. ` +
      `Next: pass root: '/' for all of it, or root: '${root}' for an empty directory beside them.`,
  )
}

async function openRoot(fs: Vfs, root: VfsPath): Promise<VfsPath> {
  await fs.mkdir(root, { recursive: true })
  // The path resolver compares real paths, so the root must be one.
  return parsePath(await fs.realpath(root))
}

function isBackend(fs: WorkspaceOptions['fs'] | undefined): fs is VfsBackend {
  return typeof fs?.['lookup'] === 'function' && 'caps' in fs
}

async function mountTable(table: Readonly<Record<string, VfsBackend>>): Promise<VfsBackend> {
  const { mountBackends } = await import('../vfs/mount.ts')
  if ('/' in table) return mountBackends(table)
  const { memory } = await import('../backends/memory/index.ts')
  return mountBackends({ '/': memory(), ...table })
}
