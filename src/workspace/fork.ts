// The public types of forks. Merging takes the same steps for a fork in this thread and across a worker.

import type { Actor } from '../core/actor.ts'
import type { ForkChange, ForkPlan } from '../history/files-fork.ts'
import type { TransferConflict } from '../history/transfer.ts'
import type { Workspace } from './workspace.ts'

/** Options of `workspace.fork`. */
export interface ForkOptions {
  /** Who works in it: the default actor of its toolsets, and the author of its merges. Default: an agent. */
  readonly actor?: Actor | undefined
}

/** The answer to a review. Any other value than `allow` means no. */
export type ForkVerdict = 'allow' | 'deny' | { readonly deny: string }

/** How a fork is merged. */
export interface MergeOptions {
  /**
   * Called before anything is merged. If the files change so that the merge would have another effect, it is called again. By
   * default there is no review.
   */
  readonly review?: ((plan: ForkPlan) => ForkVerdict | Promise<ForkVerdict>) | undefined
  /** `leave` (the default) merges the rest and reports the conflicts. `refuse` merges nothing if there is a conflict. */
  readonly onConflict?: 'leave' | 'refuse' | undefined
}

/** The outcome of a merge. */
export interface MergeResult {
  readonly outcome: 'merged' | 'denied' | 'conflict'
  /** Paths that are now as in the fork. */
  readonly applied: readonly string[]
  /** Paths whose text was merged with what others changed since the fork. */
  readonly merged: readonly string[]
  /** Paths that were left as they were outside of the fork. */
  readonly conflicts: readonly TransferConflict[]
  /** Why the review denied it. */
  readonly reason?: string
}

/** The changes of a fork. */
export interface ForkDiff {
  readonly changes: readonly ForkChange[]
  /** The patches of all changes, joined; absent if there are none. */
  readonly diff?: string
}

/** A workspace over a separate state of the same files. Disposing of it discards the changes that were not merged. */
export interface WorkspaceFork extends Workspace {
  /** The changes since the fork or its last merge. */
  diff(): Promise<ForkDiff>
  /**
   * Brings the changes into the workspace in one commit. What others changed there since is kept: texts are merged by lines, moves are
   * followed, and what cannot be merged is left and named in `conflicts`.
   *
   * ```ts
   * const fork = await workspace.fork({ actor: { kind: 'agent', name: 'helper' } })
   * await work(await fork.toolset('atomic'))
   * await fork.merge({ review: async ({ diff }) => (await ask(diff)) ? 'allow' : 'deny' })
   * await fork.dispose()
   * ```
   *
   * Rejects with `fork-busy` if the files keep changing.
   */
  merge(options?: MergeOptions): Promise<MergeResult>
}
