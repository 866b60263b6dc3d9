// A shell is built over the files of the workspace that it belongs to, and this room may not name them: the caller says what they are.

import type { VfsPath } from '../core/path.ts'
import type { ShellCommandDefinition } from './commands.ts'
import type { Shell } from './shell.ts'

/** Runs `work` while nobody else who asks the same changes `paths`. Rejects with the signal's reason when it aborts before. */
export type OrderPaths = <T>(paths: readonly VfsPath[], signal: AbortSignal, work: () => Promise<T>) => Promise<T>

export interface ShellContext<FileSystem> {
  readonly fs: FileSystem
  /** The same files for a command whose changes go under `origin`. */
  readonly filesAs?: (origin: string) => FileSystem
  readonly root: VfsPath
  /** For a shell without programs of its own; others leave them. */
  readonly commands?: readonly ShellCommandDefinition[]
  /** For a shell whose every write goes through `fs`: keeps it in one order with the tools. */
  readonly order?: OrderPaths
}

/** Builds a shell over `fs`, with `root` as its working directory. Heavy parts may wait until the first command. */
export interface ShellFactory<FileSystem> {
  (context: ShellContext<FileSystem>): Promise<Shell>
  /** `machine`: its commands open files by themselves, so nothing that guards `fs` holds them back. */
  readonly reaches?: 'machine'
}
