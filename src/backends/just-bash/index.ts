// A bash that needs neither a server nor a page: it works on the workspace's own files, in the worker that holds them, offline.

import type { ShellFactory } from '../../shell/factory.ts'
import { toJustBashFs } from '../../vfs/facades/just-bash.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { createJustBash, type JustBashOptions } from './shell.ts'

/** The shell that `createWorkspace` uses by default. The interpreter is loaded with the first command. Errors: as `Shell`. */
export function justBash(options: JustBashOptions = {}): ShellFactory<Vfs> {
  return ({ fs, root }) => Promise.resolve(createJustBash(toJustBashFs(fs), root, options))
}

export type { JustBashOptions }
