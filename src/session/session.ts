// What one agent conversation owns: its workspace, which it shares with every other session, and a memory of its own.

import { checkLimits, type Limits } from '../core/limits.ts'
import type { CloseOptions } from '../core/tool.ts'
import { JobRegistry } from './jobs.ts'
import { OutputStore } from './outputs.ts'
import { createPathResolver, type PathResolver } from './resolve-path.ts'
import { openMemory, type RestoredState, type SessionMemory } from './session-memory.ts'
import { TextCache } from './text-cache.ts'
import type { ShellAccess, WorkspaceScope } from './workspace-scope.ts'

/** What one session has of its own from the start. */
export interface SessionOptions {
  /** The name of the toolset that it is for. */
  readonly toolset: string
  /** The workspace's, with what the toolset was opened with. */
  readonly limits: Limits
  readonly shell: ShellAccess
  /** Of a session before this one. */
  readonly state?: RestoredState | undefined
}

/** Its memory outlives it as its state. */
export interface Session extends Omit<WorkspaceScope, 'shellAccess'>, SessionOptions, SessionMemory {
  readonly paths: PathResolver
  readonly outputs: OutputStore
  readonly texts: TextCache
  readonly jobs: JobRegistry
  /** Ends what runs in the background; outputs stay where a state says that they are, unless they are to be forgotten. */
  close(options?: CloseOptions): Promise<void>
}

export function createSession(scope: WorkspaceScope, options: SessionOptions): Session {
  const { limits } = options
  checkLimits(limits)
  const memory = openMemory(limits.snapshotMaxBytes, options.state)
  const outputs = new OutputStore(
    { maxMemoryBytes: limits.outputMaxBytes, maxStoredBytes: limits.outputStoredMaxBytes },
    scope.openOutputStorage,
    options.state?.outputs,
  )
  const jobs = new JobRegistry(scope.clock)
  return {
    ...scope,
    ...options,
    paths: createPathResolver(scope.vfs, scope.root),
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
