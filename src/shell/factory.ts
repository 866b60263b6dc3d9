// A shell is created over the files of its workspace. The type of these files is a parameter, because this folder may not import it.

import type { VfsPath } from '../core/path.ts'
import type { ShellCommandDefinition } from './commands.ts'
import type { Shell } from './shell.ts'
import type { StartWorker } from '../core/start-worker.ts'

/** Runs `work` while no other caller of this function changes `paths`. Rejects with the signal's reason if it aborts before. */
export type OrderPaths = <T>(paths: readonly VfsPath[], signal: AbortSignal, work: () => Promise<T>) => Promise<T>

export interface ShellContext<FileSystem> {
  readonly fs: FileSystem
  /** The same files for a command whose changes have the origin `origin`. */
  readonly filesAs?: (origin: string) => FileSystem
  readonly root: VfsPath
  /** For a shell without its own programs; other shells ignore them. */
  readonly commands?: readonly ShellCommandDefinition[]
  /** For a shell whose writes all go through `fs`: orders them with the tools' writes. */
  readonly order?: OrderPaths
  /** How to start workers, where this thread should not do it. */
  readonly startWorker?: StartWorker
}

/** Creates a shell over `fs`, with `root` as its working directory. Expensive parts may be created with the first command. */
export interface ShellFactory<FileSystem> {
  (context: ShellContext<FileSystem>): Promise<Shell>
  /** `machine`: its commands open files directly, so guards of `fs` do not apply to them. */
  readonly reaches?: 'machine'
}
