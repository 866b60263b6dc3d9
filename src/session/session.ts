// What one agent conversation owns. Snapshots and outputs are its own; the filesystem, the locks and the shell belong to the workspace
// and are shared with every other session, the person and the shell.

import type { DerivedStorage } from '../core/derived-storage.ts'
import { checkLimits, type Limits } from '../core/limits.ts'
import type { VfsPath } from '../core/path.ts'
import type { CloseOptions } from '../core/tool.ts'
import type { ParseScript } from '../shell/parsed-script.ts'
import type { Shell } from '../shell/shell.ts'
import type { Vfs } from '../vfs/vfs.ts'
import type { EditSettings } from './edit-settings.ts'
import type { PathLocks } from './locks.ts'
import { JobRegistry } from './jobs.ts'
import type { OpenOutputStorage } from '../core/output-storage.ts'
import { OutputStore } from './outputs.ts'
import type { SessionPolicy } from './policy/policy.ts'
import type { FileJudge } from './policy/ruled-files.ts'
import { createPathResolver, type PathResolver } from './resolve-path.ts'
import { openMemory, type RestoredState, type SessionMemory } from './session-memory.ts'
import { TextCache } from './text-cache.ts'

/** How the session gets at the workspace's shell. */
export type ShellAccess =
  | { readonly kind: 'none' }
  /** Started on the first command; the same shell for every session. */
  | { readonly kind: 'available'; readonly open: () => Promise<Shell>; readonly notes: readonly string[] }

export interface SessionOptions {
  readonly vfs: Vfs
  readonly root: VfsPath
  readonly limits: Limits
  readonly locks: PathLocks
  readonly shell: ShellAccess
  readonly clock: () => number
  readonly policy: SessionPolicy
  /** `vfs` under a judge. There where the policy has rules. */
  readonly guardFiles?: (judge: FileJudge) => Vfs
  /** Of a session before this one. */
  readonly state?: RestoredState | undefined
  readonly edit: EditSettings
  /** Where outputs go that memory has no room for; without it, what does not fit is lost, and said to be. */
  readonly openOutputStorage?: OpenOutputStorage | undefined
  /** Keeps what is computed from the workspace's files until they are opened again, where the filesystem does that. */
  readonly derived?: DerivedStorage | undefined
  /** Reads a script as bash does, for those who judge commands. */
  readonly parseScript?: ParseScript
  readonly search: { readonly contextBefore: number; readonly contextAfter: number; readonly rank: 'path' | 'recent' }
}

/** Its memory outlives it as its state. */
export interface Session extends SessionOptions, SessionMemory {
  readonly paths: PathResolver
  readonly outputs: OutputStore
  readonly texts: TextCache
  readonly jobs: JobRegistry
  /** Ends what runs in the background; outputs stay where a state says that they are, unless they are to be forgotten. */
  close(options?: CloseOptions): Promise<void>
}

export function createSession(options: SessionOptions): Session {
  const { limits } = options
  checkLimits(limits)
  const memory = openMemory(limits.snapshotMaxBytes, options.state)
  const outputs = new OutputStore(
    { maxMemoryBytes: limits.outputMaxBytes, maxStoredBytes: limits.outputStoredMaxBytes },
    options.openOutputStorage,
    options.state?.outputs,
  )
  const jobs = new JobRegistry(options.clock)
  return {
    ...options,
    paths: createPathResolver(options.vfs, options.root),
    ...memory,
    outputs,
    jobs,
    texts: new TextCache(),
    async close(closing) {
      await jobs.close()
      await outputs.close(closing)
    },
  }
}
