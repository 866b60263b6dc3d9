// A bash that needs neither a server nor a page: it works on the workspace's own files, offline.

import type { ShellFactory } from '../../shell/factory.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { createJustBash, type JustBashOptions } from './shell.ts'

/**
 * The shell that `createWorkspace` uses by default. Scripts run in workers of their own where there are any: a stuck one is ended without
 * losing anything else. `capabilities.kill` says which it is: `signal` in workers, `soft` on the thread of the workspace.
 * Errors: as `Shell`.
 */
export function justBash(options: JustBashOptions = {}): ShellFactory<Vfs> {
  return context => createJustBash(context, options)
}

export { BrokenPipeError, defineCommand, readAll } from '../../shell/commands.ts'
export type { ShellCommandContext, ShellCommandDefinition, ShellInput, ShellOutput } from '../../shell/commands.ts'
export type { JustBashOptions }
