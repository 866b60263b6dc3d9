// Two directories that start alike. In one real git runs, in the other ours; after each command what both said and left behind is compared.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { node } from '../backends/node/index.ts'
import { GitFiles } from '../git/files.ts'
import type { GitNetworkOptions } from '../git/network/options.ts'
import { runGit } from '../git/program.ts'
import { RepositoryCache } from '../git/repository-cache.ts'
import { createVfs } from '../vfs/create-vfs.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { gitEnvironment } from './git-environment.ts'

export const hasGit: boolean = spawnSync('git', ['--version']).status === 0
if (!hasGit) console.warn('skipped: the comparison with git, because there is no `git` on PATH')

/** What a command said and what the repository is after it. */
export interface TwinState {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** One row for each thing that is compared: references, logs, index, files. */
  readonly rows: readonly string[]
}

const stateFiles = [
  'MERGE_HEAD',
  'MERGE_MODE',
  'MERGE_MSG',
  'SQUASH_MSG',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'ORIG_HEAD',
  'REBASE_HEAD',
  'rebase-merge/head-name',
  'rebase-merge/onto',
  'rebase-merge/orig-head',
  'rebase-merge/git-rebase-todo',
  'sequencer/todo',
  'sequencer/head',
]

export class GitTwins {
  readonly root: string = mkdtempSync(join(tmpdir(), 'git-twins-'))
  readonly #vfs = createVfs(node(join(this.root, 'ours'), { durability: 'flush' }))
  #seconds = 1_600_000_000
  /** For ours; real git may reach everything. */
  network: GitNetworkOptions | undefined
  /** Given to all commands of ours; without it each begins with an empty one. */
  cache: RepositoryCache | undefined

  constructor() {
    for (const name of ['real', 'ours', 'home']) mkdirSync(join(this.root, name), { recursive: true })
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true })
  }

  /** The variables that both run with. */
  environment(): Record<string, string> {
    return {
      ...gitEnvironment(join(this.root, 'home'), this.#seconds),
      GIT_EDITOR: 'true',
      GIT_MERGE_AUTOEDIT: 'no',
      // Real git would wait for the disk after each object.
      GIT_TEST_FSYNC: '0',
      TZ: 'UTC',
    }
  }

  /** Runs a script of the shell in both directories, with real git. */
  prepare(script: string): void {
    this.tick()
    for (const name of ['real', 'ours']) {
      const { status, stderr } = spawnSync('sh', ['-c', script], { cwd: join(this.root, name), env: this.environment() })
      if (status !== 0) throw new Error(`${script}: ${stderr.toString()}`)
    }
  }

  /** A minute later. */
  tick(): void {
    this.#seconds += 60
  }

  /** Runs one command by real git, in one of the two directories. */
  runReal(args: readonly string[], name: 'real' | 'ours' = 'real'): Omit<TwinState, 'rows'> {
    const env = this.environment()
    const { status, stdout, stderr } = spawnSync('git', [...args], { cwd: join(this.root, name), env })
    return { exitCode: status ?? -1, stdout: stdout.toString('latin1'), stderr: stderr.toString('latin1') }
  }

  /** Runs one command of git by real git and by ours. */
  async run(args: readonly string[]): Promise<{ readonly real: TwinState; readonly ours: TwinState }> {
    this.tick()
    const real = this.runReal(args)
    const ours = await this.runOurs(args)
    return { real: { ...real, rows: this.#rows('real') }, ours: { ...ours, rows: this.#rows('ours') } }
  }

  /** Runs one command by ours in real git's directory. */
  runOursOnReal(args: readonly string[]): Promise<Omit<TwinState, 'rows'>> {
    const vfs = createVfs(node(join(this.root, 'real'), { durability: 'flush' }))
    return this.#runOurs(args, '/', vfs, new RepositoryCache())
  }

  /** Runs one command by ours only. `cwd` is a path inside of its directory. */
  runOurs(args: readonly string[], cwd = '/'): Promise<Omit<TwinState, 'rows'>> {
    return this.#runOurs(args, cwd, this.#vfs, this.cache ?? new RepositoryCache())
  }

  async #runOurs(args: readonly string[], cwd: string, vfs: Vfs, cache: RepositoryCache): Promise<Omit<TwinState, 'rows'>> {
    const env = this.environment()
    const said = { out: '', err: '' }
    const sink = (name: 'out' | 'err') => ({
      write: (data: Uint8Array | string): void => {
        said[name] += Buffer.from(typeof data === 'string' ? Buffer.from(data) : data).toString('latin1')
      },
    })
    const exitCode = await runGit(
      args,
      {
        files: new GitFiles(vfs),
        cwd,
        env: { ...env, HOME: '/.no-home' },
        clock: () => this.#seconds * 1000,
        signal: new AbortController().signal,
        settings: [],
        cache,
        network: this.network,
      },
      { stdin: { isGiven: false, read: () => undefined }, stdout: sink('out'), stderr: sink('err') },
    )
    return { exitCode, stdout: said.out, stderr: said.err }
  }

  /** Also proves that real git takes the repository for sound. */
  #rows(name: 'real' | 'ours'): readonly string[] {
    const cwd = join(this.root, name)
    const git = (...args: string[]): string => {
      const { stdout, stderr } = spawnSync('git', args, { cwd, env: this.environment() })
      return (stdout.toString('latin1') + stderr.toString('latin1')).trimEnd()
    }
    const rows = [`HEAD ${read(join(cwd, '.git/HEAD'))}`, git('for-each-ref', '--format=%(refname) %(objectname)')]
    rows.push(git('ls-files', '-s'), `status ${git('status', '--porcelain', '-uall')}`)
    for (const log of filesBelow(join(cwd, '.git/logs'))) rows.push(`log ${log} ${read(join(cwd, '.git/logs', log))}`)
    rows.push(`config ${git('config', '--local', '--list')}`)
    for (const file of stateFiles) rows.push(`${file} ${read(join(cwd, '.git', file))}`)
    for (const file of filesBelow(cwd)) if (!file.startsWith('.git/')) rows.push(`file ${file} ${read(join(cwd, file))}`)
    if (name === 'ours') {
      const { status, stdout, stderr } = spawnSync('git', ['fsck', '--strict', '--no-dangling'], { cwd, env: this.environment() })
      if (status !== 0) rows.push(`fsck ${stdout.toString()}${stderr.toString()}`)
    }
    return rows.flatMap(row => row.split('\n'))
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    return error.code === 'EISDIR' ? 'directory' : error.code === 'ENOENT' ? 'missing' : String(error.code)
  }
}

function filesBelow(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter(entry => !entry.isDirectory())
      .map(entry => {
        const path = join(entry.parentPath, entry.name)
        return path.slice(directory.length + 1) + (entry.isSymbolicLink() ? ` -> ${readlinkSync(path)}` : '')
      })
      .sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** The words of a line, with double quotes around what has blanks. */
export function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}
