// The functions of a repository for hosts. They return rows; only `run` returns the text that git prints.

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

/** The result of a command. In the texts, bytes that are not UTF-8 are replaced. */
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

/** What to compare: the work tree with the index; with `staged`, the index with `HEAD`; or two revisions. */
export interface GitDiffOptions extends GitCallOptions {
  readonly staged?: boolean
  readonly from?: string
  /** Default: the work tree. Only with `from`. */
  readonly to?: string
  readonly paths?: readonly string[]
}

/** Which parts of the repository may have changed. */
export interface GitNotice {
  readonly workTree: boolean
  readonly index: boolean
  /** Branches, tags, `HEAD`, or a merge or rebase in progress. */
  readonly references: boolean
}

/** The stash: changes that were saved for later. */
export interface GitStashes {
  /** Saves changes and removes them from the files. Returns the stash's commit, or `undefined` if there were no changes. */
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
   * Restores changes and keeps the stash. `index` also stages what was staged. Conflicts are not errors; the status lists them.
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
  /** Runs `git` with these arguments, as in the shell. A command that fails resolves with its exit code and does not reject. */
  run(args: readonly string[], options?: GitTransferOptions): Promise<GitOutcome>
  /** What is staged, changed, in conflict and untracked, how the branch compares with its upstream, and the operation in progress. */
  status(options?: GitCallOptions): Promise<GitStatus>
  /** Commits, the newest first, by default all that `HEAD` reaches: one by one with `for await`, or as a list with `await`. */
  log(
    options?: GitCallOptions & {
      readonly from?: string
      readonly count?: number
      readonly skip?: number
      readonly paths?: readonly string[]
    },
  ): GitLog
  /** A commit and its changes; for a merge, compared with its first parent. */
  show(
    revision?: string,
    options?: GitCallOptions,
  ): Promise<{ readonly commit: GitCommitRow; readonly files: readonly GitDiffFile[] }>
  /** The content of a file in a revision; `''` for `revision` means the index. Rejects if the file is missing there. */
  readFile(revision: string, path: string, options?: GitCallOptions): Promise<Uint8Array>
  /** A patch. */
  diff(options?: GitDiffOptions): Promise<string>
  /** The same as rows: each file with its lines. */
  diffFiles(options?: GitDiffOptions): Promise<readonly GitDiffFile[]>
  /** The commit of each line of a file in the work tree or in a revision. */
  blame(
    path: string,
    options?: GitCallOptions & { readonly revision?: string; readonly firstLine?: number; readonly lastLine?: number },
  ): Promise<readonly GitBlameLine[]>
  /** Adds the current state of these paths to the index, including removals. */
  stage(paths: readonly string[], options?: GitCallOptions): Promise<void>
  /** Removes the changes of these paths from the index. */
  unstage(paths: readonly string[], options?: GitCallOptions): Promise<void>
  /** Commits what is staged and returns the commit's ID. Also completes a merge. */
  commit(message: string, options?: GitCallOptions & { readonly amend?: boolean }): Promise<string>
  /** Local and remote branches, by name. */
  branches(options?: GitCallOptions): Promise<readonly GitBranch[]>
  /** Switches to a branch; with `create`, to a new one. */
  switch(name: string, options?: GitCallOptions & { readonly create?: boolean }): Promise<void>
  /** Restores files from the index, or with `source` from a revision. Unstaged changes in them are lost. */
  restore(paths: readonly string[], options?: GitCallOptions & { readonly source?: string }): Promise<void>
  /** Merges another history into this branch. Conflicts do not reject; `commit` completes the merge and `abortMerge` ends it. */
  merge(
    name: string,
    options?: GitCallOptions & {
      readonly message?: string
      readonly fastForward?: 'auto' | 'never' | 'only'
      readonly squash?: boolean
    },
  ): Promise<GitMergeResult>
  /** Restores the state before the merge. */
  abortMerge(options?: GitCallOptions): Promise<void>
  readonly stash: GitStashes
  /** Clones into `dir`, which must be missing or empty. An abort or an error leaves it as it was. */
  clone(url: string, options?: GitTransferOptions & { readonly branch?: string; readonly depth?: number }): Promise<void>
  /** Fetches from a remote, by default the one of the branch, and returns the references that moved in this repository. */
  fetch(
    options?: GitTransferOptions & { readonly remote?: string; readonly prune?: boolean; readonly depth?: number },
  ): Promise<readonly GitReferenceMove[]>
  /**
   * Pushes branches or tags, by default the current branch. What the server or git refused is a row, not an error.
   * `force: 'with-lease'` replaces only what was fetched last.
   */
  push(
    options?: GitTransferOptions & {
      readonly remote?: string
      readonly references?: readonly string[]
      readonly setUpstream?: boolean
      readonly force?: 'no' | 'with-lease' | 'always'
    },
  ): Promise<readonly GitPushRow[]>
  /** Calls the listener after changes by anyone; then read again what is shown. Resolves once the watch is set. */
  watch(listener: (notice: GitNotice) => void): Promise<() => void>
}
