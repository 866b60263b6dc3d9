// The default shell: bash commands on the files of the workspace, without a server, in Node and in pages.

import type { ShellFactory } from '../../shell/factory.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { createJustBash, type JustBashOptions } from './shell.ts'

/**
 * The default shell of `createWorkspace`. If workers can be started, scripts run in them, and a stuck script is ended without
 * losing anything else. `capabilities.kill` says which it is: `signal` in workers, `soft` on the thread of the workspace.
 * Errors: as `Shell`.
 */
export function justBash(options: JustBashOptions = {}): ShellFactory<Vfs> {
  return context => createJustBash(context, options)
}

export { BrokenPipeError, defineCommand, readAll } from '../../shell/commands.ts'
export type { ShellCommandContext, ShellCommandDefinition, ShellInput, ShellOutput } from '../../shell/commands.ts'
export type { JustBashOptions }
