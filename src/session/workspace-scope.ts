// The part of a workspace that all sessions and commands share. A session consists of it and a separate memory.

import type { DerivedStorage } from '../core/derived-storage.ts'
import type { Limits } from '../core/limits.ts'
import type { OpenOutputStorage } from '../core/output-storage.ts'
import type { VfsPath } from '../core/path.ts'
import type { ResourceHost } from '../resources/host.ts'
import type { ParseScript } from '../shell/parsed-script.ts'
import type { Shell } from '../shell/shell.ts'
import type { Vfs } from '../vfs/vfs.ts'
import type { PathLocks } from './locks.ts'
import type { SessionPolicy } from './policy/policy.ts'
import type { FileJudge } from './policy/ruled-files.ts'
import type { ForkedCommand } from './run-reviewed.ts'
import type { SearchIndex } from './search-index.ts'

/** How a session gets the workspace's shell. */
export type ShellAccess =
  | { readonly kind: 'none' }
  /** Started on the first command; all sessions share the shell. */
  | { readonly kind: 'available'; readonly open: () => Promise<Shell>; readonly notes: readonly string[] }

export interface WorkspaceScope {
  /** The files as tools may see them. */
  readonly vfs: Vfs
  /** The working directory of tools and commands: a real path. */
  readonly root: VfsPath
  readonly limits: Limits
  /** Whether names that differ only in case denote two files. */
  readonly caseSensitive: boolean
  readonly locks: PathLocks
  /** The search index; opened by the first search. */
  readonly index: () => Promise<SearchIndex>
  /** Called for each session, because the shell's notes are part of the descriptions of its tools. */
  readonly shellAccess: () => Promise<ShellAccess>
  /** The current time in milliseconds since the epoch. */
  readonly clock: () => number
  readonly policy: SessionPolicy
  /** The files as tools may see them, for a user whose changes have the origin `origin`. */
  readonly filesAs: (origin: string) => Vfs
  /** Like `filesAs`, with a function that decides about each access. */
  readonly judgedFilesAs: (origin: string, judge: FileJudge) => Promise<Vfs>
  /** A fork of the files for one command whose changes have the origin `origin`, and a shell in it. */
  readonly forkForCommand: (origin: string) => Promise<ForkedCommand>
  /** Opens addresses that are not files. */
  readonly host: ResourceHost
  /** The storage for outputs that do not fit into memory. Without it, the excess is dropped, and the output says so. */
  readonly openOutputStorage?: OpenOutputStorage | undefined
  /** The storage for data that is computed from the files, on filesystems that support it. */
  readonly derived?: DerivedStorage | undefined
  /** Parses a script as bash does, for code that judges commands. */
  readonly parseScript?: ParseScript
}
