// What stands for a workspace below `workspace/`: all that its sessions and its commands share. A session is this and its own memory.

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
import type { SearchIndex } from './search-index.ts'

/** How a session gets at the workspace's shell. */
export type ShellAccess =
  | { readonly kind: 'none' }
  /** Started on the first command; the same shell for every session. */
  | { readonly kind: 'available'; readonly open: () => Promise<Shell>; readonly notes: readonly string[] }

export interface WorkspaceScope {
  /** The files as tools may see them. */
  readonly vfs: Vfs
  /** The working directory of tools and commands: a real path. */
  readonly root: VfsPath
  readonly limits: Limits
  /** Whether two names that differ in case alone are two files. */
  readonly caseSensitive: boolean
  readonly locks: PathLocks
  /** What searches know of the files; opened by the first one. */
  readonly index: () => Promise<SearchIndex>
  /** Asked for each session: the shell's notes go into the descriptions of its tools. */
  readonly shellAccess: () => Promise<ShellAccess>
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly policy: SessionPolicy
  /** The files as tools may see them, for someone whose changes go under `origin`. */
  readonly filesAs: (origin: string) => Vfs
  /** The same under a judge. */
  readonly judgedFilesAs: (origin: string, judge: FileJudge) => Promise<Vfs>
  /** What the host opens for addresses that lead out of the files. */
  readonly host: ResourceHost
  /** Where outputs go that memory has no room for. Without it, what does not fit is lost, and the output says so. */
  readonly openOutputStorage?: OpenOutputStorage | undefined
  /** Keeps what is computed from the files until they are opened again, on filesystems that can. */
  readonly derived?: DerivedStorage | undefined
  /** Reads a script as bash does, for those who judge commands. */
  readonly parseScript?: ParseScript
}
