// What one agent conversation owns: a reference to the workspace, which all sessions share, and a separate memory.

import type { Actor, Attribution } from '../core/actor.ts'
import { checkLimits, type Limits } from '../core/limits.ts'
import type { CloseOptions } from '../core/tool.ts'
import type { JobRegistry } from './jobs.ts'
import { OutputStore } from './outputs.ts'
import { AllowedEffects } from './policy/allowed-effects.ts'
import type { SessionPolicy } from './policy/policy.ts'
import type { ResourceKind } from '../resources/kind.ts'
import { createPathResolver, type PathResolver } from './resolve-path.ts'
import { openMemory, type RestoredState, type SessionMemory } from './session-memory.ts'
import { originOf } from '../vfs/origin.ts'
import { TextCache } from './text-cache.ts'
import type { ShellAccess, WorkspaceScope } from './workspace-scope.ts'

/** What is set for one session when it opens. */
export interface SessionOptions {
  /** The name of its toolset. */
  readonly toolset: string
  /** Identifies the session in its workspace. */
  readonly id: string
  /** What its tools open beside plain files. */
  readonly kinds: readonly ResourceKind[]
  /** Who calls its tools. */
  readonly actor: Actor
  /** Replaces the workspace's policy. */
  readonly policy?: SessionPolicy | undefined
  /** The workspace's limits, combined with the toolset's options. */
  readonly limits: Limits
  readonly shell: ShellAccess
  /** What a write does if the file changed since the model saw it. */
  readonly overwrite: 'note' | 'refuse'
  /** From an earlier session. */
  readonly state?: RestoredState | undefined
}

/** Its memory can be saved as a state. */
export interface Session extends Omit<WorkspaceScope, 'shellAccess'>, Omit<SessionOptions, 'policy'>, SessionMemory {
  /** Who changes files through this view of the session, and in which call. */
  readonly by: Attribution
  readonly paths: PathResolver
  readonly outputs: OutputStore
  readonly texts: TextCache
  /** Loaded by the first job. */
  readonly jobs: () => Promise<JobRegistry>
  /** What the user allowed for the whole session. */
  readonly allowed: AllowedEffects
  /** Ends background jobs. Stored outputs stay, unless they are to be forgotten. */
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
  let opened: Promise<JobRegistry> | undefined
  let isClosed = false
  const openJobs = async (): Promise<JobRegistry> => {
    const { JobRegistry: Registry } = await import('./jobs.ts')
    const registry = new Registry(scope.clock)
    if (isClosed) await registry.close()
    return registry
  }
  return {
    ...scope,
    ...options,
    policy: options.policy ?? scope.policy,
    by: { actor: options.actor, session: options.id },
    paths: createPathResolver(scope.vfs, scope.root),
    ...memory,
    outputs,
    jobs: () => (opened ??= openJobs()),
    allowed: new AllowedEffects({ root: scope.root, caseSensitive: scope.caseSensitive }),
    texts: new TextCache(),
    async close(closing) {
      isClosed = true
      await (await opened)?.close()
      await outputs.close(closing)
    },
  }
}

/** `session` for one call: the call's changes are reported as its own. */
export function sessionOfCall(session: Session, call: { readonly turn: string | undefined; readonly callId: string }): Session {
  const by: Attribution = { actor: session.actor, session: session.id, ...call }
  const vfs = session.filesAs(originOf(by))
  return { ...session, by, vfs, paths: createPathResolver(vfs, session.root) }
}
