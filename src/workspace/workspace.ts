// The public interface of a workspace. `createWorkspace` and, across a Worker, `connectWorkspace` return it, so every method is
// asynchronous and every argument except callbacks is plain data.

import type { BufferRules, WorkspaceBuffers } from '../buffers/buffer.ts'
import type { GitHostOptions } from '../git/network/options.ts'
import type { Actor } from '../core/actor.ts'
import type { Limits } from '../core/limits.ts'
import type { Toolset } from '../core/tool.ts'
import type { OpenOutputStorage } from '../core/output-storage.ts'
import type { HistoryOptions, WorkspaceHistory } from '../history/history.ts'
import type { HostFetch, ResourceRouter, UrlRules } from '../resources/host.ts'
import type { Policy } from '../session/policy/policy.ts'
import type { ShellFactory } from '../shell/factory.ts'
import type { ShellSession } from '../shell/session.ts'
import type { Shell } from '../shell/shell.ts'
import type { StartWorker } from '../core/start-worker.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import type { Vfs } from '../vfs/vfs.ts'
import type { ForkOptions, WorkspaceFork } from './fork.ts'
import type { ToolsetName, ToolsetOptions } from './toolsets.ts'

/** Files, a shell and any number of toolsets that work on them. Created by `createWorkspace` and `connectWorkspace`. */
export interface Workspace {
  readonly fs: Vfs
  /** The working directory of tools and the shell. */
  readonly root: string
  /**
   * The files for an actor whose changes are reported as its own: a user's editor, or the host's importer.
   *
   * ```ts
   * const person = workspace.as({ kind: 'person', name: 'Ada' })
   * await person.fs.writeFile('/workspace/a.txt', 'typed')
   * ```
   *
   * Throws `AnchorageError` `workspace-options` for an invalid actor.
   */
  as(actor: Actor): ActorView
  /** The changes of every actor, and how to undo them. Rejects with `history-off` unless `WorkspaceOptions.history` is set. */
  readonly history: WorkspaceHistory
  /**
   * Sessions of the shell, which keep their directory, variables, functions and history between commands. The commands are not subject to
   * approval; protected directories and rules about paths apply.
   */
  readonly shell: WorkspaceShells
  /** The files that are open in editors. Tools read and edit their text, also while it is not saved. */
  readonly buffers: WorkspaceBuffers
  /**
   * A workspace over a separate state of the same files, for another agent or a risky command. Takes constant time where the files can be
   * forked (`memory`, `opfs`); elsewhere it is an overlay. Text in open editors that is not saved is not in it. It has the default shell,
   * or none if this workspace's shell works on other files.
   */
  fork(options?: ForkOptions): Promise<WorkspaceFork>
  /** Each call opens a new session: tags of one session never authorise an edit in another. */
  toolset(name: ToolsetName, options?: ToolsetOptions): Promise<Toolset>
  /** Resolves when no call of a tool is in progress and every change is durable. Does not wait for background commands. */
  idle(): Promise<void>
  /** Closes every session, the shell and the filesystem. May be called twice. */
  dispose(): Promise<void>
}

/** Opens sessions of the shell. */
export interface WorkspaceShells {
  /**
   * Opens a session.
   *
   * ```ts
   * const shell = await workspace.shell.open({ actor: { kind: 'person', name: 'Ada' } })
   * const { output, exitCode } = await shell.run('cd src && ls')
   * ```
   *
   * Rejects with `AnchorageError`: `no-shell`, `no-sessions` (a shell of the host's that runs single commands only), `policy-refused` (an
   * agent, under a policy that judges commands one by one), `workspace-options`, `ENOENT` or `ENOTDIR` for `cwd`.
   */
  open(options?: OpenShellOptions): Promise<ShellSession>
}

/** Options of `workspace.shell.open`. */
export interface OpenShellOptions {
  /** The actor who types; changes are attributed to this actor. Default a person. */
  readonly actor?: Actor | undefined
  /** Default the root. */
  readonly cwd?: string | undefined
  /** Added to the shell's environment. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** The size of the terminal; default 80 by 24. */
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}

/** A workspace as one actor uses it. */
export interface ActorView {
  readonly actor: Actor
  /** All files of the workspace. Changes made through it contain `by: { actor }`. */
  readonly fs: Vfs
}

/** Options of `createWorkspace`. Unknown options are refused with `workspace-options`. */
export interface WorkspaceOptions {
  /** One backend, or a mount table: absolute path → backend. A table without `/` gets an empty memory filesystem there. */
  readonly fs: VfsBackend | Readonly<Record<string, VfsBackend>>
  /** Default `just-bash`, loaded on the first command. */
  readonly shell?: Shell | ShellFactory<Vfs> | 'just-bash' | 'none' | undefined
  /** Default `/workspace`; created if it is missing. */
  readonly root?: string | undefined
  /** Default: tools may read and write. Enforced for every tool of every toolset; an unknown name in it is refused. */
  readonly policy?: Policy | undefined
  readonly limits?: Partial<Limits> | undefined
  /**
   * The storage for whole outputs that do not fit into memory (`limits.outputMaxBytes`). `auto` (the default): the browser's IndexedDB, or
   * a temporary directory in Node. `memory`: none, so the middle of an output that does not fit is lost, and the output says so.
   */
  readonly outputs?: OpenOutputStorage | 'auto' | 'memory' | undefined
  /**
   * Keeps a history, so that any actor's work can be undone. Default false. `memory()` and `opfs()` by themselves record every change, and
   * `opfs()` keeps the entries across reloads; elsewhere the changes that are made through the workspace are recorded, in memory.
   * `history.caps()` says which.
   */
  readonly history?: boolean | HistoryOptions | undefined
  /** How tools and commands treat files that are open in editors. */
  readonly buffers?: BufferRules | undefined
  /** Opens addresses that the host defines, such as `agent://1`, in toolsets that read them. */
  readonly router?: ResourceRouter | undefined
  /**
   * Fetches web addresses. Default: the platform's `fetch`; in Node, over a connection to an address that was checked. Every
   * address and redirect is checked first, whichever function fetches it. With `policy.level: 'none'` nothing is fetched.
   */
  readonly fetch?: HostFetch | undefined
  /** Which web addresses may be read; by default all public ones. */
  readonly urls?: UrlRules | undefined
  /** For the shell's `git`: the default author of commits, and the allowed remotes. Default: no author and no remote. */
  readonly git?: GitHostOptions | undefined
  /** Milliseconds since the epoch; default `Date.now`. */
  readonly clock?: (() => number) | undefined
  /**
   * Starts the workers of the shell's scripts and of documents. Default: this thread starts them. In Firefox, a worker that
   * starts another worker may hang; there, a connected page starts them for its worker.
   */
  readonly startWorker?: StartWorker | undefined
}
