// What one agent conversation owns: its workspace, which it shares with every other session, and a memory of its own.

import type { Actor, Attribution } from '../core/actor.ts'
import { checkLimits, type Limits } from '../core/limits.ts'
import type { CloseOptions } from '../core/tool.ts'
import { JobRegistry } from './jobs.ts'
import { OutputStore } from './outputs.ts'
import { AllowedEffects } from './policy/allowed-effects.ts'
import type { SessionPolicy } from './policy/policy.ts'
import type { ResourceKind } from '../resources/kind.ts'
import { createPathResolver, type PathResolver } from './resolve-path.ts'
import { openMemory, type RestoredState, type SessionMemory } from './session-memory.ts'
import { originOf } from '../vfs/origin.ts'
import { TextCache } from './text-cache.ts'
import type { ShellAccess, WorkspaceScope } from './workspace-scope.ts'

/** What one session has of its own from the start. */
export interface SessionOptions {
  /** The name of the toolset that it is for. */
  readonly toolset: string
  /** Tells the sessions of a workspace apart. */
  readonly id: string
  /** What its tools open beside plain files. */
  readonly kinds: readonly ResourceKind[]
  /** Who calls its tools. */
  readonly actor: Actor
  /** In place of the workspace's. */
  readonly policy?: SessionPolicy | undefined
  /** The workspace's, with what the toolset was opened with. */
  readonly limits: Limits
  readonly shell: ShellAccess
  /** What a write does over a file that changed since the model saw it. */
  readonly overwrite: 'note' | 'refuse'
  /** Of a session before this one. */
  readonly state?: RestoredState | undefined
}

/** Its memory outlives it as its state. */
export interface Session extends Omit<WorkspaceScope, 'shellAccess'>, Omit<SessionOptions, 'policy'>, SessionMemory {
  /** By whom, and in the course of which call, this view of the session changes files. */
  readonly by: Attribution
  readonly paths: PathResolver
  readonly outputs: OutputStore
  readonly texts: TextCache
  readonly jobs: JobRegistry
  /** What was allowed for all of it. */
  readonly allowed: AllowedEffects
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
    policy: options.policy ?? scope.policy,
    by: { actor: options.actor, session: options.id },
    paths: createPathResolver(scope.vfs, scope.root),
    ...memory,
    outputs,
    jobs,
    allowed: new AllowedEffects({ root: scope.root, caseSensitive: scope.caseSensitive }),
    texts: new TextCache(),
    async close(closing) {
      await jobs.close()
      await outputs.close(closing)
    },
  }
}

/** `session` as one call sees it: what the call changes is told as its own. */
export function sessionOfCall(session: Session, call: { readonly turn: string | undefined; readonly callId: string }): Session {
  const by: Attribution = { actor: session.actor, session: session.id, ...call }
  return { ...session, by, vfs: session.filesAs(originOf(by)) }
}
