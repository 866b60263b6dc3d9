// The state of one agent conversation: a reference to the workspace, which all sessions share, and a separate memory.

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

/** The options of one session. */
export interface SessionOptions {
  /** The name of its toolset. */
  readonly toolset: string
  /** Identifies the session in its workspace. */
  readonly id: string
  /** The kinds of resources that its tools open, in addition to plain files. */
  readonly kinds: readonly ResourceKind[]
  /** The actor that calls its tools. */
  readonly actor: Actor
  /** Replaces the workspace's policy. */
  readonly policy?: SessionPolicy | undefined
  /** The workspace's limits, combined with the toolset's options. */
  readonly limits: Limits
  readonly shell: ShellAccess
  /** How a write handles a file that has changed since the model saw it. */
  readonly overwrite: 'note' | 'refuse'
  /** The memory of an earlier session. */
  readonly state?: RestoredState | undefined
}

/** A session, whose memory can be saved as a state. */
export interface Session extends Omit<WorkspaceScope, 'shellAccess'>, Omit<SessionOptions, 'policy'>, SessionMemory {
  /** The actor and the call to which changes through this view are attributed. */
  readonly by: Attribution
  readonly paths: PathResolver
  readonly outputs: OutputStore
  readonly texts: TextCache
  /** Loaded by the first job. */
  readonly jobs: () => Promise<JobRegistry>
  /** Effects that the user has allowed for the whole session. */
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

/** Returns `session` for one call, to which changes are attributed. */
export function sessionOfCall(session: Session, call: { readonly turn: string | undefined; readonly callId: string }): Session {
  const by: Attribution = { actor: session.actor, session: session.id, ...call }
  const vfs = session.filesAs(originOf(by))
  return { ...session, by, vfs, paths: createPathResolver(vfs, session.root) }
}
