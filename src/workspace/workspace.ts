// The public shape of a workspace. The same interface comes back from `createWorkspace` here and from
// `connectWorkspace` across a Worker, so every method is asynchronous and every argument but a callback is plain data.

import type { Actor } from '../core/actor.ts'
import type { Limits } from '../core/limits.ts'
import type { Toolset } from '../core/tool.ts'
import type { OpenOutputStorage } from '../core/output-storage.ts'
import type { HistoryOptions, WorkspaceHistory } from '../history/history.ts'
import type { Policy } from '../session/policy/policy.ts'
import type { ShellFactory } from '../shell/factory.ts'
import type { Shell } from '../shell/shell.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import type { Vfs } from '../vfs/vfs.ts'
import type { ToolsetName, ToolsetOptions } from './toolsets.ts'

/** Files, a shell and any number of toolsets that work on them. `createWorkspace` and `connectWorkspace` make one. */
export interface Workspace {
  readonly fs: Vfs
  /** What tools and the shell see as the working directory. */
  readonly root: string
  /**
   * The files for someone whose changes are told as theirs: a person's editor, the host's own importer.
   *
   * ```ts
   * const person = workspace.as({ kind: 'person', name: 'Ada' })
   * await person.fs.writeFile('/workspace/a.txt', 'typed')
   * ```
   *
   * Throws `AnchorageError` `workspace-options` for what is not an actor.
   */
  as(actor: Actor): ActorView
  /** What every actor changed, and how to take it back. Rejects with `history-off` unless `WorkspaceOptions.history` asks for it. */
  readonly history: WorkspaceHistory
  /** Each call opens its own session: tags of one never authorise an edit in another. */
  toolset(name: ToolsetName, options?: ToolsetOptions): Promise<Toolset>
  /**
   * Resolves when no call of a tool is under way and every change is durable. Commands in the background are not waited for.
   */
  idle(): Promise<void>
  /** Closes every session, the shell and the filesystem. Calling it twice is fine. */
  dispose(): Promise<void>
}

/** A workspace as one actor uses it. */
export interface ActorView {
  readonly actor: Actor
  /** All of the workspace's files. A change through it carries `by: { actor }`. */
  readonly fs: Vfs
}

/** Options of `createWorkspace`. Options that do not exist are refused with `workspace-options`. */
export interface WorkspaceOptions {
  /** One backend, or a mount table: absolute path → backend. A table without `/` gets an empty memory filesystem there. */
  readonly fs: VfsBackend | Readonly<Record<string, VfsBackend>>
  /** Default `just-bash`, loaded on the first command. */
  readonly shell?: Shell | ShellFactory<Vfs> | 'just-bash' | 'none' | undefined
  /** Default `/workspace`; made when missing. */
  readonly root?: string | undefined
  /** Default: tools may read and write. Enforced for every tool of every toolset; a misspelt name in it is refused. */
  readonly policy?: Policy | undefined
  readonly limits?: Partial<Limits> | undefined
  /**
   * Where whole outputs go that memory (`limits.outputMaxBytes`) has no room for. `auto` (the default): the browser's IndexedDB, or a
   * directory for temporary files in Node; `memory`: nowhere, so the middle of what does not fit is lost, and said to be.
   */
  readonly outputs?: OpenOutputStorage | 'auto' | 'memory' | undefined
  /**
   * Keeps a history in memory, so that any actor's work can be undone. Default false. Refused with `history-unavailable` where the
   * filesystem has no snapshots that can be compared: use `memory()` or `opfs()` by itself.
   */
  readonly history?: boolean | HistoryOptions | undefined
  /** Milliseconds since the epoch; default `Date.now`. */
  readonly clock?: (() => number) | undefined
}
