// What a host can ask of a repository. Answers are rows; the text that git prints is behind `run` only.

import type { GitDiffFile } from './api-diff.ts'
import type { GitLog } from './api-log.ts'
import type {
  GitBlameLine,
  GitBranch,
  GitCommitRow,
  GitMergeResult,
  GitPushRow,
  GitReferenceMove,
  GitStash,
  GitStatus,
} from './api-rows.ts'
import type { GitProgressListener } from './network/options.ts'

/** What a command gave. Bytes that are not UTF-8 are replaced in the texts. */
export interface GitOutcome {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Options of every call to git. */
export interface GitCallOptions {
  readonly signal?: AbortSignal | undefined
}

/** Options of a clone, a fetch or a push. */
export interface GitTransferOptions extends GitCallOptions {
  readonly onProgress?: GitProgressListener | undefined
}

/** Which changes are meant: of the work tree against the index, with `staged` of the index against `HEAD`, or between two revisions. */
export interface GitDiffOptions extends GitCallOptions {
  readonly staged?: boolean
  readonly from?: string
  /** Default the work tree. Only with `from`. */
  readonly to?: string
  readonly paths?: readonly string[]
}

/** Which parts of the repository may have changed. */
export interface GitNotice {
  readonly workTree: boolean
  readonly index: boolean
  /** Branches, tags, `HEAD`, a merge or rebase that is under way. */
  readonly references: boolean
}

/** The stash: changes that were put aside. */
export interface GitStashes {
  /** Puts changes away and gives the stash's commit; `undefined` when there was nothing to put away. */
  save(
    options?: GitCallOptions & {
      readonly message?: string
      readonly untracked?: boolean
      readonly keepIndex?: boolean
      readonly paths?: readonly string[]
    },
  ): Promise<string | undefined>
  /** The newest first. */
  list(options?: GitCallOptions): Promise<readonly GitStash[]>
  /**
   * Brings changes back and keeps the stash. `index` also stages what was staged. Conflicts reject nothing: they are in the status.
   * Default the newest one.
   */
  apply(number?: number, options?: GitCallOptions & { readonly index?: boolean }): Promise<void>
  /** As `apply`, and drops the stash when there were no conflicts. */
  pop(number?: number, options?: GitCallOptions & { readonly index?: boolean }): Promise<void>
  drop(number?: number, options?: GitCallOptions): Promise<void>
}

/**
 * A repository. Every function rejects with a `GitError` when its command fails, and with the signal's reason after an abort. Paths are
 * relative to the root of the work tree, and are names and not patterns; a directory means all that is in it.
 */
export interface Git {
  /** Runs `git` with these arguments, as in the shell. A command that fails is an answer and not an error. */
  run(args: readonly string[], options?: GitTransferOptions): Promise<GitOutcome>
  /** What is staged, changed, in conflict and untracked, where the branch stands, and what is under way. */
  status(options?: GitCallOptions): Promise<GitStatus>
  /** Commits, the newest first, by default all from `HEAD`: one by one with `for await`, or as a list with `await`. */
  log(
    options?: GitCallOptions & {
      readonly from?: string
      readonly count?: number
      readonly skip?: number
      readonly paths?: readonly string[]
    },
  ): GitLog
  /** A commit and what it changed; for a merge, against its first parent. */
  show(
    revision?: string,
    options?: GitCallOptions,
  ): Promise<{ readonly commit: GitCommitRow; readonly files: readonly GitDiffFile[] }>
  /** The content of a file as a revision has it; `''` for `revision` means the index. Rejects when it is not there. */
  readFile(revision: string, path: string, options?: GitCallOptions): Promise<Uint8Array>
  /** A patch. */
  diff(options?: GitDiffOptions): Promise<string>
  /** The same as rows: each file with its lines. */
  diffFiles(options?: GitDiffOptions): Promise<readonly GitDiffFile[]>
  /** Who wrote each line of a file, as the work tree or a revision has it. */
  blame(
    path: string,
    options?: GitCallOptions & { readonly revision?: string; readonly firstLine?: number; readonly lastLine?: number },
  ): Promise<readonly GitBlameLine[]>
  /** Adds the state of these paths to the index, removals included. */
  stage(paths: readonly string[], options?: GitCallOptions): Promise<void>
  /** Takes these paths back out of the index. */
  unstage(paths: readonly string[], options?: GitCallOptions): Promise<void>
  /** Commits what is staged and gives the commit's ID. It also ends a merge. */
  commit(message: string, options?: GitCallOptions & { readonly amend?: boolean }): Promise<string>
  /** Local and remote branches, by name. */
  branches(options?: GitCallOptions): Promise<readonly GitBranch[]>
  /** Goes to a branch, with `create` to a new one. */
  switch(name: string, options?: GitCallOptions & { readonly create?: boolean }): Promise<void>
  /** Gives files their staged content, or with `source` that of a revision. What was typed in them since is lost. */
  restore(paths: readonly string[], options?: GitCallOptions & { readonly source?: string }): Promise<void>
  /** Joins another history into this branch. Conflicts are an answer and not an error; `commit` or `abortMerge` ends them. */
  merge(
    name: string,
    options?: GitCallOptions & {
      readonly message?: string
      readonly fastForward?: 'auto' | 'never' | 'only'
      readonly squash?: boolean
    },
  ): Promise<GitMergeResult>
  /** Goes back to where the branch was before the merge. */
  abortMerge(options?: GitCallOptions): Promise<void>
  readonly stash: GitStashes
  /** Fills `dir`, which must be missing or empty. An abort or an error leaves it as it was. */
  clone(url: string, options?: GitTransferOptions & { readonly branch?: string; readonly depth?: number }): Promise<void>
  /** Gets what a remote has, default the one of the branch, and gives the references that moved here. */
  fetch(
    options?: GitTransferOptions & { readonly remote?: string; readonly prune?: boolean; readonly depth?: number },
  ): Promise<readonly GitReferenceMove[]>
  /**
   * Sends branches or tags, default the one that is checked out. What the server or git refused is a row and not an error. `force`
   * `with-lease` replaces only what was fetched last.
   */
  push(
    options?: GitTransferOptions & {
      readonly remote?: string
      readonly references?: readonly string[]
      readonly setUpstream?: boolean
      readonly force?: 'no' | 'with-lease' | 'always'
    },
  ): Promise<readonly GitPushRow[]>
  /** Calls the listener after changes, whoever made them; what it shows is then to be asked for again. Resolves once it is set. */
  watch(listener: (notice: GitNotice) => void): Promise<() => void>
}
