// Creates a shell on the files of its workspace. The type of the files is a parameter, because this folder may not import it.

import type { VfsPath } from '../core/path.ts'
import type { ShellCommandDefinition } from './commands.ts'
import type { Shell } from './shell.ts'
import type { StartWorker } from '../core/start-worker.ts'

/**
 * Runs `work` while no other caller of this function changes `paths`. Rejects with the reason of the signal if it aborts before the start.
 */
export type OrderPaths = <T>(paths: readonly VfsPath[], signal: AbortSignal, work: () => Promise<T>) => Promise<T>

export interface ShellContext<FileSystem> {
  readonly fs: FileSystem
  /** The same files for a command whose changes have the origin `origin`. */
  readonly filesAs?: (origin: string) => FileSystem
  readonly root: VfsPath
  /** Additional commands, for a shell that supports them; other shells ignore them. */
  readonly commands?: readonly ShellCommandDefinition[]
  /** Synchronizes writes with those of the tools, for a shell that writes only through `fs`. */
  readonly order?: OrderPaths
  /** Starts workers, for threads that should not start them directly. */
  readonly startWorker?: StartWorker
}

/** Creates a shell on `fs`, with `root` as its working directory. Expensive parts may be created with the first command. */
export interface ShellFactory<FileSystem> {
  (context: ShellContext<FileSystem>): Promise<Shell>
  /** `machine`: commands open files directly, so guards of `fs` do not apply to them. */
  readonly reaches?: 'machine'
}
