// The workspace's one shell: chosen by name, built by a factory, or brought along; started by the first command that needs it.

import type { VfsPath } from '../core/path.ts'
import type { ShellAccess } from '../session/session.ts'
import type { Shell } from '../shell/shell.ts'
import type { Vfs } from '../vfs/vfs.ts'
import type { WorkspaceOptions } from './workspace.ts'

export interface WorkspaceShell {
  readonly access: ShellAccess
  dispose(): Promise<void>
}

export function openShell(choice: NonNullable<WorkspaceOptions['shell']>, context: { readonly fs: Vfs; readonly root: VfsPath }): WorkspaceShell {
  if (choice === 'none') return { access: { kind: 'none' }, dispose: () => Promise.resolve() }
  let opened: Promise<Shell> | undefined
  return {
    access: { kind: 'available', notes: [], open: () => (opened ??= start(choice, context)) },
    async dispose() {
      const shell = await opened
      await shell?.dispose()
    },
  }
}

async function start(choice: Exclude<NonNullable<WorkspaceOptions['shell']>, 'none'>, context: { readonly fs: Vfs; readonly root: VfsPath }): Promise<Shell> {
  if (choice === 'just-bash') {
    const { justBash } = await import('../backends/just-bash/index.ts')
    return justBash()(context)
  }
  return typeof choice === 'function' ? choice(context) : choice
}
