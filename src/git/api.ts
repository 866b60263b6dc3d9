// Git for hosts: an IDE's panel for changes, history and branches. Each function runs one command of `commands/` and reads its machine format.

import { AnchorageError } from '../core/errors.ts'
import { collectOutput, inputOf } from '../shell/commands.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { GitFiles } from './files.ts'
import { type GitHostOptions, networkOf } from './network/options.ts'
import { runGit } from './program.ts'
import { type GitBranch, type GitCommitRow, type GitStatus, readBranches, readLog, readStatus } from './api-rows.ts'
import { RepositoryCache } from './repository.ts'

export type { GitBranch, GitChange, GitCommitRow, GitStatus } from './api-rows.ts'
export type { GitCredentials, GitFetch, GitHostOptions, GitNetworkOptions } from './network/options.ts'

/** Options of `openGit`. */
export interface OpenGitOptions extends GitHostOptions {
  /** A directory of the work tree, absolute; for `run(['clone', …])` where the new directory is made. */
  readonly dir: string
  /** Milliseconds since 1970; default the system's clock. */
  readonly clock?: (() => number) | undefined
}

/** What a command gave. Bytes that are not UTF-8 are replaced in the texts. */
export interface GitOutcome {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface GitCallOptions {
  readonly signal?: AbortSignal | undefined
}

/** A command that failed: `details` has `args`, `exitCode` and `stderr`. */
export class GitError extends AnchorageError {
  constructor(args: readonly string[], { exitCode, stderr, stdout }: GitOutcome) {
    const told = (stderr.trim() === '' ? stdout : stderr).trim()
    super('git-failed', `git ${args[0] ?? ''} failed with exit code ${exitCode}: ${told}`, {
      details: { args: [...args], exitCode, stderr },
    })
    this.name = 'GitError'
  }
}

/** A repository. Every function rejects with {@link GitError} when its command fails, and with the signal's reason after an abort. */
export interface Git {
  /** Runs `git` with these arguments, as in the shell. A command that fails is an answer and not an error. */
  run(args: readonly string[], options?: GitCallOptions): Promise<GitOutcome>
  /** What is staged, changed, in conflict and untracked, and where the branch stands. */
  status(options?: GitCallOptions): Promise<GitStatus>
  /** Commits, the newest first; default 50 from `HEAD`. */
  log(
    options?: GitCallOptions & { readonly from?: string; readonly count?: number; readonly paths?: readonly string[] },
  ): Promise<readonly GitCommitRow[]>
  /** A patch: of the work tree against the index, with `staged` of the index against `HEAD`, or between two revisions. */
  diff(
    options?: GitCallOptions & {
      readonly staged?: boolean
      readonly from?: string
      readonly to?: string
      readonly paths?: readonly string[]
    },
  ): Promise<string>
  /** Adds the state of these paths to the index, removals included. */
  stage(paths: readonly string[], options?: GitCallOptions): Promise<void>
  /** Takes these paths back out of the index. */
  unstage(paths: readonly string[], options?: GitCallOptions): Promise<void>
  /** Commits what is staged and gives the commit's ID. */
  commit(message: string, options?: GitCallOptions & { readonly amend?: boolean }): Promise<string>
  /** Local and remote branches, by name. */
  branches(options?: GitCallOptions): Promise<readonly GitBranch[]>
  /** Goes to a branch, with `create` to a new one. */
  switch(name: string, options?: GitCallOptions & { readonly create?: boolean }): Promise<void>
  /** Gives files their staged content, or with `source` that of a revision. What was typed in them since is lost. */
  restore(paths: readonly string[], options?: GitCallOptions & { readonly source?: string }): Promise<void>
}

/**
 * Git over the files of a workspace. The network stays off until `remotes` names the addresses that may be reached.
 *
 * @example
 * const git = openGit(workspace.fs, { dir: '/workspace', author: { name: 'Ada', email: 'ada@example.org' } })
 * for (const { path, work } of (await git.status()).changes) console.log(work, path)
 */
export function openGit(fs: Vfs, { dir, clock = Date.now, ...host }: OpenGitOptions): Git {
  const files = new GitFiles(fs)
  const cache = new RepositoryCache()
  const run: Git['run'] = async (args, { signal = new AbortController().signal } = {}) => {
    signal.throwIfAborted()
    const [stdout, stderr] = [collectOutput(), collectOutput()]
    const environment = {
      files,
      cwd: dir,
      env: {},
      clock,
      signal,
      settings: [],
      author: host.author,
      network: networkOf(host),
      cache,
    }
    const exitCode = await runGit(args, environment, { stdin: inputOf(undefined), stdout, stderr })
    const decoder = new TextDecoder()
    return { exitCode, stdout: decoder.decode(stdout.bytes()), stderr: decoder.decode(stderr.bytes()) }
  }
  const succeed = async (args: readonly string[], options?: GitCallOptions): Promise<string> => {
    const outcome = await run(args, options)
    if (outcome.exitCode !== 0) throw new GitError(args, outcome)
    return outcome.stdout
  }
  return {
    run,
    status: async options =>
      readStatus(await succeed(['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all'], options)),
    async log({ from = 'HEAD', count = 50, paths = [], signal } = {}) {
      const format = '--format=tformat:%H%x00%P%x00%an%x00%ae%x00%at%x00%D%x00%B%x00'
      return readLog(await succeed(['log', `-${count}`, format, from, '--', ...paths], { signal }))
    },
    diff: ({ staged = false, from, to, paths = [], signal } = {}) => {
      const between = [from, to].filter(revision => revision !== undefined)
      return succeed(['diff', ...(staged ? ['--cached'] : []), ...between, '--', ...paths], { signal })
    },
    stage: async (paths, options) => void (await succeed(['add', '--all', '--', ...paths], options)),
    unstage: async (paths, options) => void (await succeed(['reset', '-q', '--', ...paths], options)),
    async commit(message, { amend = false, signal } = {}) {
      await succeed(['commit', '-q', ...(amend ? ['--amend'] : []), '-m', message], { signal })
      return (await succeed(['rev-parse', 'HEAD'], { signal })).trim()
    },
    async branches(options) {
      const format = '--format=%(refname)%00%(objectname)%00%(upstream)%00%(HEAD)'
      return readBranches(await succeed(['for-each-ref', format, 'refs/heads', 'refs/remotes'], options))
    },
    switch: async (name, { create = false, signal } = {}) =>
      void (await succeed(['switch', '-q', ...(create ? ['-c'] : []), name], { signal })),
    restore: async (paths, { source, signal } = {}) =>
      void (await succeed(['restore', ...(source === undefined ? [] : [`--source=${source}`]), '--', ...paths], { signal })),
  }
}
