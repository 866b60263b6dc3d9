// The workspace's only shell: chosen by name, created by a factory, or passed in. It is started by the first command.

import { expectedNotes } from '../backends/just-bash/notes.ts'
import type { ShellAccess } from '../session/workspace-scope.ts'
import type { ShellContext } from '../shell/factory.ts'
import type { Shell } from '../shell/shell.ts'
import type { Vfs } from '../vfs/vfs.ts'
import type { WorkspaceOptions } from './workspace.ts'

type ShellChoice = Exclude<NonNullable<WorkspaceOptions['shell']>, 'none'>

export interface WorkspaceShell {
  /** The shell for a session. Called for each toolset, because a shell's notes are part of its tools' descriptions. */
  access(): Promise<ShellAccess>
  dispose(): Promise<void>
}

/** `context` is called when the shell starts. */
export function openShell(choice: ShellChoice | 'none', context: () => Promise<ShellContext<Vfs>>): WorkspaceShell {
  if (choice === 'none') return { access: () => Promise.resolve({ kind: 'none' }), dispose: () => Promise.resolve() }
  let opened: Promise<Shell> | undefined
  const open = (): Promise<Shell> => (opened ??= start(choice, context))
  return {
    access: async () => ({ kind: 'available', open, notes: await notesOf(choice, open) }),
    async dispose() {
      // If opening it failed, the caller was told, and there is nothing to close.
      const shell = await opened?.catch(() => undefined)
      await shell?.dispose()
    },
  }
}

async function start(choice: ShellChoice, context: () => Promise<ShellContext<Vfs>>): Promise<Shell> {
  if (choice === 'just-bash') {
    const { justBash } = await import('../backends/just-bash/index.ts')
    return justBash()(await context())
  }
  return typeof choice === 'function' ? choice(await context()) : choice
}

/** The default shell's capabilities are known without loading it; any other shell is asked. */
async function notesOf(choice: ShellChoice, open: () => Promise<Shell>): Promise<readonly string[]> {
  return choice === 'just-bash' ? expectedNotes() : (await open()).capabilities.notes
}
