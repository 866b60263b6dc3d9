// Git for hosts: an IDE's panel for changes, history and branches. Each function runs one command of `commands/` and reads its machine format.

import { checkArguments, checkedFunctions, checkOptions, type OptionNames } from '../core/argument.ts'
import { AnchorageError, checkMember } from '../core/errors.ts'
import { decodeText } from '../shell/byte-text.ts'
import { BrokenPipeError, collectOutput, inputOf } from '../shell/commands.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { gitArguments, logArguments, stashArguments } from './api-arguments.ts'
import { diffFileArguments, type GitDiffFile, readDiffFiles } from './api-diff.ts'
import { gitLog, OutputPieces } from './api-log.ts'
import { changeKindOf, readBlame, readBranches, readLog, readMoves, readPush, readStashes, readStatus } from './api-rows.ts'
import type { Git, GitCallOptions, GitDiffOptions, GitOutcome, GitTransferOptions } from './api-types.ts'
import { watchRepository } from './api-watch.ts'
import { GitFiles } from './files.ts'
import { type GitHostOptions, networkOf } from './network/options.ts'
import { runGit } from './program.ts'
import { type GitEnvironment, Repository } from './repository.ts'
import { RepositoryCache } from './repository-cache.ts'
import { emptyTreeId } from './store/object-format.ts'
import { operationsOf } from './work/operation.ts'

export type { GitDiffFile, GitDiffHunk, GitDiffLine } from './api-diff.ts'
export type { GitLog } from './api-log.ts'
export type {
  GitBlameLine,
  GitBranch,
  GitChange,
  GitChangeKind,
  GitCommitRow,
  GitMergeResult,
  GitOperation,
  GitPushRow,
  GitReferenceMove,
  GitStash,
  GitStatus,
} from './api-rows.ts'
export type { Git, GitCallOptions, GitDiffOptions, GitNotice, GitOutcome, GitStashes, GitTransferOptions } from './api-types.ts'
export type {
  GitCredentials,
  GitFetch,
  GitHostOptions,
  GitNetworkOptions,
  GitProgress,
  GitProgressListener,
} from './network/options.ts'

/** Options of `openGit`. */
export interface OpenGitOptions extends GitHostOptions {
  /** The root of the work tree, absolute; for `run(['clone', …])`, the directory in which the clone is created. */
  readonly dir: string
  /** Milliseconds since 1970; default: the system's clock. */
  readonly clock?: (() => number) | undefined
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

/**
 * Git over the files of a workspace. The network is off unless `remotes` names the addresses that may be reached. With a worker, the
 * commands run on this side, and only files cross.
 *
 * @example
 * const git = openGit(workspace.fs, { dir: '/workspace', author: { name: 'Ada', email: 'ada@example.org' } })
 * for (const { path, work } of (await git.status()).changes) console.log(work, path)
 */
export function openGit(fs: Vfs, options: OpenGitOptions): Git {
  checkMember('openGit', fs, 'readdir', 'workspace.fs')
  checkMember('openGit', options, 'dir', "{ dir: '/workspace' }")
  checkOptions('openGit', options, openingOptions)
  const commands = new Commands(fs, options)
  const { log, ...others } = { ...reading(commands), ...changing(commands), ...transfers(commands), run: commands.run }
  return {
    ...checkedFunctions('git', others, gitArguments),
    log(given) {
      checkArguments('git.log', [given], logArguments)
      return log(given)
    },
    stash: checkedFunctions('git.stash', stashes(commands), stashArguments),
  }
}

const openingOptions: OptionNames<OpenGitOptions> = {
  dir: 1,
  clock: 1,
  author: 1,
  remotes: 1,
  credentials: 1,
  push: 1,
  corsProxy: 1,
  fetch: 1,
  maxBytes: 1,
  timeoutMs: 1,
}

/** Runs commands in the directory with one cache for all of them. */
class Commands {
  readonly dir: string
  readonly fs: Vfs
  readonly #host: GitHostOptions
  readonly #clock: () => number
  readonly #files: GitFiles
  readonly #cache = new RepositoryCache()

  constructor(fs: Vfs, { dir, clock = Date.now, ...host }: OpenGitOptions) {
    this.dir = dir
    this.fs = fs
    this.#host = host
    this.#clock = clock
    this.#files = new GitFiles(fs)
  }

  environment({ signal = new AbortController().signal, onProgress }: GitTransferOptions): GitEnvironment {
    return {
      files: this.#files,
      cwd: this.dir,
      env: {},
      clock: this.#clock,
      signal,
      settings: [],
      author: this.#host.author,
      network: networkOf(this.#host),
      progress: onProgress,
      cache: this.#cache,
    }
  }

  readonly run: Git['run'] = async (args, options = {}) => {
    const { exitCode, stdout, stderr } = await this.#runBytes(args, options)
    return { exitCode, stdout: textOf(stdout), stderr }
  }

  /** Returns stdout as byte text, so that names that are not UTF-8 survive. Rejects for every exit code except 0. */
  async ask(args: readonly string[], options: GitTransferOptions = {}): Promise<string> {
    return decodeText((await this.#succeed(args, options)).stdout)
  }

  async askBytes(args: readonly string[], options: GitTransferOptions = {}): Promise<Uint8Array> {
    return (await this.#succeed(args, options)).stdout
  }

  /** Yields stdout while the command runs. Leaving the loop ends the command. */
  async *pieces(args: readonly string[], options: GitTransferOptions): AsyncGenerator<Uint8Array> {
    options.signal?.throwIfAborted()
    const [stdout, stderr] = [new OutputPieces(), collectOutput()]
    const running = runGit(args, this.environment(options), { stdin: inputOf(undefined), stdout, stderr })
    const ended = running.finally(() => stdout.end())
    try {
      yield* stdout.read()
      const exitCode = await ended
      if (exitCode !== 0) throw new GitError(args, { exitCode, stdout: '', stderr: textOf(stderr.bytes()) })
    } finally {
      stdout.abandon()
      await ended.catch((error: unknown) => {
        if (!(error instanceof BrokenPipeError)) throw error
      })
    }
  }

  async #succeed(args: readonly string[], options: GitTransferOptions): Promise<{ readonly stdout: Uint8Array }> {
    const outcome = await this.#runBytes(args, options)
    if (outcome.exitCode !== 0) throw new GitError(args, { ...outcome, stdout: textOf(outcome.stdout) })
    return outcome
  }

  async #runBytes(
    args: readonly string[],
    options: GitTransferOptions,
  ): Promise<{ readonly exitCode: number; readonly stdout: Uint8Array; readonly stderr: string }> {
    options.signal?.throwIfAborted()
    const [stdout, stderr] = [collectOutput(), collectOutput()]
    const exitCode = await runGit(args, this.environment(options), { stdin: inputOf(undefined), stdout, stderr })
    return { exitCode, stdout: stdout.bytes(), stderr: textOf(stderr.bytes()) }
  }

  /** The repository itself, for data that no command prints. */
  async repository(options: GitCallOptions): Promise<Repository> {
    const repository = await Repository.open(this.environment(options))
    if (repository === undefined) {
      const stderr = 'fatal: not a git repository (or any of the parent directories): .git\n'
      throw new GitError(['status'], { exitCode: 128, stdout: '', stderr })
    }
    return repository
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

/** Names from the root of the work tree, whatever characters they have. */
function named(paths: readonly string[]): readonly string[] {
  return paths.map(path => `:(top,literal)${path}`)
}

const logFormat = '--format=tformat:%H%x00%P%x00%an%x00%ae%x00%at%x00%D%x00%B%x00'

function reading(
  commands: Commands,
): Pick<Git, 'status' | 'log' | 'show' | 'readFile' | 'diff' | 'diffFiles' | 'blame' | 'branches' | 'watch'> {
  const between = ({ staged = false, from, to, paths = [] }: GitDiffOptions): readonly string[] => [
    ...(staged ? ['--cached'] : []),
    ...[from, to].filter(revision => revision !== undefined),
    '--',
    ...named(paths),
  ]
  const diffFiles = async (options: GitDiffOptions): Promise<readonly GitDiffFile[]> =>
    readDiffFiles(await commands.ask(['diff', ...diffFileArguments, ...between(options)], options), changeKindOf)
  return {
    async status(options = {}) {
      const output = await commands.ask(['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all'], options)
      const [operation] = await operationsOf(await commands.repository(options))
      return readStatus(output, operation?.kind)
    },
    log({ from = 'HEAD', count, skip = 0, paths = [], signal } = {}) {
      const limit = count === undefined ? [] : [`-${count}`]
      const args = ['log', ...limit, `--skip=${skip}`, logFormat, from, '--', ...named(paths)]
      return gitLog(() => commands.pieces(args, { signal }))
    },
    async show(revision = 'HEAD', options = {}) {
      const [commit] = readLog(await commands.ask(['log', '-1', logFormat, revision, '--'], options))
      if (commit === undefined)
        throw new AnchorageError('git-failed', `'${revision}' does not name a commit. Next: name one that \`log\` gives.`)
      const files = await diffFiles({ ...options, from: commit.parents[0] ?? emptyTreeId, to: commit.id })
      return { commit, files }
    },
    readFile: (revision, path, options) => commands.askBytes(['cat-file', 'blob', `${revision}:${path}`], options),
    diff: (options = {}) => commands.ask(['diff', ...between(options)], options),
    diffFiles: (options = {}) => diffFiles(options),
    async blame(path, { revision, firstLine, lastLine, signal } = {}) {
      const isPart = firstLine !== undefined || lastLine !== undefined
      const range = isPart ? ['-L', `${firstLine ?? 1},${lastLine ?? ''}`] : []
      const { root } = await commands.repository({ signal })
      const words = ['blame', '--porcelain', ...range, ...(revision === undefined ? [] : [revision])]
      return readBlame(await commands.ask(['-C', root, ...words, '--', path], { signal }))
    },
    async branches(options) {
      const format = '--format=%(refname)%00%(objectname)%00%(upstream)%00%(HEAD)'
      return readBranches(await commands.ask(['for-each-ref', format, 'refs/heads', 'refs/remotes'], options))
    },
    async watch(listener) {
      const repository = await commands.repository({})
      return watchRepository(commands.fs, repository, listener)
    },
  }
}

function changing(commands: Commands): Pick<Git, 'stage' | 'unstage' | 'commit' | 'switch' | 'restore' | 'merge' | 'abortMerge'> {
  const head = async ({ signal }: GitCallOptions): Promise<string> =>
    (await commands.ask(['rev-parse', 'HEAD'], { signal })).trim()
  return {
    stage: async (paths, options) => void (await commands.ask(['add', '--all', '--', ...named(paths)], options)),
    unstage: async (paths, options) => void (await commands.ask(['reset', '-q', '--', ...named(paths)], options)),
    async commit(message, { amend = false, signal } = {}) {
      await commands.ask(['commit', '-q', ...(amend ? ['--amend'] : []), '-m', message], { signal })
      return head({ signal })
    },
    switch: async (name, { create = false, signal } = {}) =>
      void (await commands.ask(['switch', '-q', ...(create ? ['-c'] : []), name], { signal })),
    restore: async (paths, { source, signal } = {}) =>
      void (await commands.ask(['restore', ...(source === undefined ? [] : [`--source=${source}`]), '--', ...named(paths)], {
        signal,
      })),
    async merge(name, { message, fastForward = 'auto', squash = false, signal } = {}) {
      const forward = { auto: [], never: ['--no-ff'], only: ['--ff-only'] }[fastForward]
      const flags = [...forward, ...(squash ? ['--squash'] : []), ...(message === undefined ? [] : ['-m', message])]
      const before = await commands.run(['rev-parse', '--verify', '-q', 'HEAD'], { signal })
      const args = ['merge', '--no-edit', ...flags, name]
      const outcome = await commands.run(args, { signal })
      if (outcome.exitCode !== 0) {
        const { changes } = readStatus(await commands.ask(['status', '--porcelain=v2', '-z', '-uno'], { signal }), undefined)
        const paths = changes.flatMap(({ index, path }) => (index === 'conflict' ? [path] : []))
        // A refused merge leaves nothing behind, so any conflicts are older.
        if (outcome.exitCode !== 1 || paths.length === 0 || !outcome.stdout.includes('CONFLICT'))
          throw new GitError(args, outcome)
        return { kind: 'conflicts', paths }
      }
      if (/^Already up to date\./m.test(outcome.stdout)) return { kind: 'up-to-date' }
      if (squash) return { kind: 'squashed' }
      const id = await head({ signal })
      const parents = await commands.ask(['log', '-1', '--format=%P', id], { signal })
      const isMerge = parents.trim().split(' ').length > 1 && parents.startsWith(before.stdout.trim())
      return { kind: isMerge ? 'merged' : 'fast-forward', id }
    },
    abortMerge: async options => void (await commands.ask(['merge', '--abort'], options)),
  }
}

function stashes(commands: Commands): Git['stash'] {
  const top = async (options: GitCallOptions): Promise<string> =>
    (await commands.run(['rev-parse', '--verify', '-q', 'refs/stash'], options)).stdout.trim()
  const bring = async (
    verb: 'apply' | 'pop',
    number: number,
    { index = false, signal }: GitCallOptions & { readonly index?: boolean },
  ): Promise<void> => {
    const args = ['stash', verb, '-q', ...(index ? ['--index'] : []), `stash@{${number}}`]
    const outcome = await commands.run(args, { signal })
    if (outcome.exitCode !== 0 && !outcome.stdout.includes('CONFLICT')) throw new GitError(args, outcome)
  }
  return {
    async save({ message, untracked = false, keepIndex = false, paths = [], signal } = {}) {
      const before = await top({ signal })
      const flags = [
        ...(untracked ? ['-u'] : []),
        ...(keepIndex ? ['-k'] : []),
        ...(message === undefined ? [] : ['-m', message]),
      ]
      await commands.ask(['stash', 'push', ...flags, '--', ...named(paths)], { signal })
      const after = await top({ signal })
      return after === before ? undefined : after
    },
    list: async options =>
      readStashes(await commands.ask(['stash', 'list', '--format=tformat:%gd%x00%H%x00%ct%x00%gs%x00'], options)),
    apply: (number = 0, options = {}) => bring('apply', number, options),
    pop: (number = 0, options = {}) => bring('pop', number, options),
    drop: async (number = 0, options = {}) => void (await commands.ask(['stash', 'drop', '-q', `stash@{${number}}`], options)),
  }
}

function transfers(commands: Commands): Pick<Git, 'clone' | 'fetch' | 'push'> {
  const references = (options: GitCallOptions): Promise<string> =>
    commands.ask(['for-each-ref', '--format=%(symref)%(objectname) %(refname)', 'refs/remotes', 'refs/tags'], {
      signal: options.signal,
    })
  return {
    async clone(url, { branch, depth, ...options } = {}) {
      const flags = [...(branch === undefined ? [] : ['-b', branch]), ...(depth === undefined ? [] : [`--depth=${depth}`])]
      await commands.ask(['clone', '-q', ...flags, '--', url, commands.dir], options)
    },
    async fetch({ remote, prune = false, depth, ...options } = {}) {
      const flags = [...(prune ? ['--prune'] : []), ...(depth === undefined ? [] : [`--depth=${depth}`])]
      const before = await references(options)
      await commands.ask(['fetch', '-q', ...flags, ...(remote === undefined ? [] : [remote])], options)
      return readMoves(before, await references(options))
    },
    async push({ remote, references: names = [], setUpstream = false, force = 'no', ...options } = {}) {
      const forced = { no: [], 'with-lease': ['--force-with-lease'], always: ['--force'] }[force]
      const target = remote === undefined && names.length > 0 ? 'origin' : remote
      const words = [...(target === undefined ? [] : [target]), ...names]
      const args = ['push', '--porcelain', ...forced, ...(setUpstream ? ['-u'] : []), ...words]
      const outcome = await commands.run(args, options)
      const rows = readPush(outcome.stdout)
      if (outcome.exitCode !== 0 && !rows.some(({ kind }) => kind === 'refused')) throw new GitError(args, outcome)
      return rows
    },
  }
}
