// A random history: edits, commits, branches, merges, rebases, stashes and resets, each step the same in two repositories. One belongs to
// real git. In the other our commands run, or either at random, so that each reads what the other wrote.

import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { RepositoryCache } from '../git/repository-cache.ts'
import { GitTwins } from './git-twins.ts'
import type { Random } from './random.ts'
import { isThere, removeEmptyAbove, stateOf } from './git-walk-files.ts'

type WalkMode = 'ours' | 'mixed'

const names = ['a', 'b.txt', 'd/c', 'd/e/f', 'x', 'y z', 'd2/c', 'ü', 'n.c']
const branchNames = ['one', 'two', 'three', 'feature/x']
const beginning = `seq 1 30 > a && mkdir d && seq 40 60 > d/c && printf 'int f(void)\\n{\\n\\treturn 1;\\n}\\n' > n.c && git add . && git commit -qm base
  git checkout -q -b one && sed 's/^7$/seven/' a > t && mv t a && git commit -qam side && git checkout -q main && sed 's/^20$/twenty/' a > t && mv t a && git commit -qam main`
const maxShownSteps = 70
const maxShownRows = 24

export class GitWalk {
  readonly twins: GitTwins = new GitTwins()
  readonly steps: string[] = []
  readonly #random: Random
  readonly #mode: WalkMode
  #commits = 0

  constructor(random: Random, mode: WalkMode) {
    this.#random = random
    this.#mode = mode
    if (random.chance(0.5)) this.twins.cache = new RepositoryCache()
    this.twins.prepare('git init -q -b main . && git config core.quotePath false')
    // Most begin with something to work on.
    if (random.chance(0.8)) this.twins.prepare(beginning)
  }

  dispose(): void {
    this.twins.dispose()
  }

  /** Makes the steps and compares after each; throws with the whole story at the first difference. */
  async run(count: number): Promise<void> {
    for (let step = 0; step < count; step++) {
      await this.#step()
      this.#compare('the state', stateOf(join(this.twins.root, 'real')), stateOf(join(this.twins.root, 'ours')))
    }
    await this.#readBoth()
  }

  /** What each git says of the other's repository. */
  async #readBoth(): Promise<void> {
    const { twins } = this
    const fsck = twins.runReal(['fsck', '--strict', '--no-dangling'], 'ours')
    this.#compare('fsck', '', fsck.exitCode === 0 ? '' : fsck.stdout + fsck.stderr)
    for (const args of [
      ['status', '--porcelain=v2', '--branch', '-uall'],
      ['ls-files', '-s'],
      ['for-each-ref'],
      ['log', '--all', '--format=%H %P %s', '--date-order'],
      ['log', '-g', '--format=%gd %gs %H'],
      ['stash', 'list'],
      ['diff', 'HEAD'],
      ['diff', '--cached', '--stat'],
    ]) {
      const real = twins.runReal(args)
      this.#compare(`git ${args.join(' ')}, read by real git`, real.stdout, twins.runReal(args, 'ours').stdout)
      this.#compare(`git ${args.join(' ')}, read by ours`, real.stdout, (await twins.runOurs(args)).stdout)
      this.#compare(
        `git ${args.join(' ')} of real git's repository, read by ours`,
        real.stdout,
        (await twins.runOursOnReal(args)).stdout,
      )
    }
  }

  #compare(what: string, real: string, ours: string): void {
    if (real === ours) return
    const [left, right] = [real.split('\n'), ours.split('\n')]
    const rowsOf = (rows: readonly string[], others: readonly string[], sign: string): readonly string[] =>
      rows.filter(row => !others.includes(row)).map(row => `${sign} ${row}`)
    const different = [...rowsOf(left, right, '-'), ...rowsOf(right, left, '+')].slice(0, maxShownRows)
    const story = this.steps.slice(-maxShownSteps).join('\n  ')
    throw new Error(
      `${what} differs after\n  ${story}\n- real git, + ours:\n${different.length > 0 ? different.join('\n') : `order of\n${real}\nand of\n${ours}`}`,
    )
  }

  async #git(...args: readonly string[]): Promise<void> {
    const { twins } = this
    twins.tick()
    const isReal = this.#mode === 'mixed' && this.#random.chance(0.5)
    // Ours writes other times of files into the index than the disk has; real git resets by them without a look at the files.
    if (isReal && args[0] === 'reset' && /^--(?:keep|merge)$/.test(args[1] ?? ''))
      twins.runReal(['update-index', '-q', '--refresh'], 'ours')
    // Real git empties a file of `add -N` that is restored; ours refuses.
    const restores = (args[0] === 'checkout' && args[1] === '--') || (args[0] === 'restore' && args.length === 2)
    if (restores && twins.runReal(['diff', '--name-only', '--diff-filter=A']).stdout !== '') return
    // Over staged changes real git refuses and unstages them; ours is done where both fit.
    if (args[0] === 'stash' && args.includes('--index') && twins.runReal(['diff', '--cached', '--quiet']).exitCode !== 0) return
    this.steps.push(
      `git ${args.map(word => (/[\s*]|^$/.test(word) ? `'${word}'` : word)).join(' ')}${isReal ? '   # real git in both' : ''}`,
    )
    const real = twins.runReal(args)
    const other = isReal ? twins.runReal(args, 'ours') : await twins.runOurs(args)
    if (args[0] === 'merge' && real.exitCode !== 0) this.#restoreRemoved()
    // Real git dates what is not committed by the clock of the machine.
    const told = ({ exitCode, stdout }: typeof real): string =>
      `exit ${exitCode}\n${stdout.replaceAll(/(Not Committed Yet) [-\d]+ [:\d]+/g, '$1 now')}`
    try {
      this.#compare('the output', told(real), told(other))
    } catch (error) {
      throw new Error(
        `${error instanceof Error ? error.message : ''}\nstderr of real git: ${real.stderr}\nof ours: ${other.stderr}`,
        { cause: error },
      )
    }
  }

  /** A merge that real git refuses puts back staged files that were removed from the work tree; ours changes nothing. */
  #restoreRemoved(): void {
    const { twins } = this
    const removed = twins.runReal(['ls-files', '-z', '-d'], 'ours').stdout.split('\0')
    const paths = removed
      .map(path => Buffer.from(path, 'latin1').toString())
      .filter(path => path !== '' && isThere(join(twins.root, 'real', path)))
    if (paths.length > 0) twins.runReal(['checkout-index', '-q', '--', ...paths], 'ours')
  }

  async #step(): Promise<void> {
    const random = this.#random
    if (random.chance(0.4)) {
      this.#edit()
      return
    }
    await random.pick(this.#choices())()
  }

  /** Several rows of one kind make it more likely. */
  #choices(): readonly (() => Promise<void>)[] {
    const random = this.#random
    const git =
      (...args: readonly string[]) =>
      (): Promise<void> =>
        this.#git(...args)
    const path = (): string => random.pick([...names, 'd', 'nosuch'])
    const branch = (): string => random.pick([...branchNames, 'main'])
    const commit = (...args: readonly string[]) => git('commit', ...args)
    const message = `commit ${++this.#commits}`
    return [
      git('add', '-A'),
      git('add', '-A'),
      git('add', '.'),
      git('add', '-u'),
      git('add', path()),
      git('add', '-N', path()),
      commit('-m', message),
      commit('-m', message),
      commit('-qam', message),
      commit('-am', message),
      commit('-q', '--amend', '--no-edit'),
      commit('--allow-empty', '-m', message),
      commit('--no-edit'),
      commit('-m', `${message}\n\nwith a body\n`, '--', path()),
      git('rm', '-q', path()),
      git('rm', '-r', '--cached', path()),
      git('rm', '-rf', path()),
      git('mv', path(), path()),
      git('reset', '-q'),
      git('reset', '--', path()),
      git('reset', '--hard'),
      git('reset', '--soft', 'HEAD~1'),
      git('reset', 'HEAD~1'),
      git('reset', '--hard', random.pick(['HEAD~1', 'HEAD^', branch(), 'ORIG_HEAD'])),
      git('reset', random.chance(0.5) ? '--keep' : '--merge', random.pick(['HEAD', 'HEAD~1', branch()])),
      git('restore', path()),
      git('restore', '--staged', path()),
      git('checkout', '--', path()),
      git('checkout', random.pick(['HEAD', branch()]), '--', path()),
      git('restore', `--source=${branch()}`, '--staged', '--worktree', path()),
      git('branch', branch()),
      git('branch', branch(), random.pick(['HEAD~1', branch()])),
      git('branch', '-D', branch()),
      git('branch', '-m', branch(), branch()),
      git('branch', '-v'),
      git('checkout', branch()),
      git('checkout', branch()),
      git('checkout', '-q', '-b', branch()),
      git('switch', branch()),
      git('switch', '-c', branch()),
      git('checkout', '-f', branch()),
      git('checkout', '--detach'),
      git('checkout', '-'),
      git('checkout', '-B', branch()),
      git('merge', branch()),
      git('merge', branch()),
      git('merge', '--no-ff', '--no-edit', branch()),
      git('merge', '--squash', branch()),
      git('merge', '--abort'),
      git('merge', '--no-commit', branch()),
      git('merge', '-X', random.pick(['ours', 'theirs']), branch()),
      git('merge', '--ff-only', branch()),
      git('cherry-pick', branch()),
      git('cherry-pick', `${branch()}~1`),
      git('cherry-pick', random.pick(['--abort', '--skip', '--quit'])),
      git('revert', '--no-edit', random.pick(['HEAD', 'HEAD~1', branch()])),
      git('revert', random.pick(['--abort', '--skip', '--quit'])),
      git('rebase', '-q', branch()),
      git('rebase', '-q', branch()),
      git('rebase', '--abort'),
      git('rebase', '--skip'),
      () => this.#resolve(['rebase', '--continue']),
      () => this.#resolve(['commit', '-q', '--no-edit']),
      () => this.#resolve(['merge', '--continue']),
      () => this.#resolve(['cherry-pick', '--continue']),
      () => this.#resolve(['revert', '--continue']),
      git('stash', '-q'),
      git('stash', 'push', '-m', message),
      git('stash', '-q', '-u'),
      git('stash', '-q', '-k'),
      git('stash', 'pop'),
      git('stash', 'pop', '-q', '--index'),
      git('stash', 'apply', '-q'),
      git('stash', 'drop'),
      git('stash', 'list'),
      git('clean', '-fd'),
      git('clean', '-n'),
      git('tag', random.pick(['v1', 'v2'])),
      git('tag', '-a', random.pick(['v3', 'v4']), '-m', message),
      git('tag', '-d', random.pick(['v1', 'v3'])),
      git('status'),
      git('status', '-s'),
      git('status', '--porcelain=v2', '--branch'),
      git('diff'),
      git('diff', '--cached', '-M'),
      git('diff', '--stat', 'HEAD'),
      git('diff', branch()),
      git('log', '--oneline', '--graph', '--all'),
      git('log', '-p', '-2'),
      git('show', '--stat'),
      git('log', '--oneline', '--', path()),
      git('blame', path()),
      git('rev-list', '--count', '--all'),
      git('merge-base', '--all', 'HEAD', branch()),
      git('reflog', '-3'),
      async () => this.#maintain(),
    ]
  }

  /** Ends an operation that stopped: all conflicts are taken as they stand. */
  async #resolve(args: readonly string[]): Promise<void> {
    await this.#git('add', '-A')
    await this.#git(...args)
  }

  /** What only real git does, in both repositories. */
  #maintain(): void {
    const args = this.#random.pick([
      ['gc', '-q'],
      ['pack-refs', '--all'],
      ['update-index', '--index-version', '4'],
      ['repack', '-adq'],
      ['read-tree', 'HEAD'],
    ])
    this.steps.push(`git ${args.join(' ')}   # real git in both`)
    for (const name of ['real', 'ours'] as const) this.twins.runReal(args, name)
  }

  #edit(): void {
    const random = this.#random
    const path = random.pick(names)
    const kind = random.pick(['lines', 'lines', 'lines', 'new', 'append', 'remove', 'rename', 'mode', 'link', 'binary', 'crlf'])
    const [seed, line, to] = [random.below(1000), random.below(20), random.pick(names)]
    const isLong = random.chance(0.5)
    this.steps.push(`${kind} ${path}${kind === 'rename' ? ` -> ${to}` : ` ${seed} ${line}`}`)
    for (const name of ['real', 'ours']) {
      const root = join(this.twins.root, name)
      const file = join(root, path)
      try {
        edit({ kind, file, to: join(root, to), seed, line, isLong })
      } catch (error) {
        // A directory where the edit needs a file, or the other way round: nothing happens, in both.
        if (!(error instanceof Error && 'code' in error)) throw error
      }
    }
  }
}

interface Edit {
  readonly kind: string
  readonly file: string
  readonly to: string
  readonly seed: number
  readonly line: number
  readonly isLong: boolean
}

function edit({ kind, file, to, seed, line, isLong }: Edit): void {
  const text = (): string => {
    const stat = lstatSync(file, { throwIfNoEntry: false })
    return stat?.isFile() === true ? readFileSync(file, 'utf8') : ''
  }
  const write = (content: string | Uint8Array): void => {
    mkdirSync(dirname(file), { recursive: true })
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) rmSync(file)
    writeFileSync(file, content)
  }
  switch (kind) {
    case 'lines': {
      const lines = text().split('\n')
      lines.splice(line % lines.length, seed % 3, ...(isLong ? [`line ${seed}`, `  more ${seed}`] : [`line ${seed}`]))
      return write(lines.join('\n'))
    }
    case 'new':
      return write(Array.from({ length: 12 + (seed % 9) }, (_, index) => `${seed % 4} line ${index}\n`).join(''))
    case 'append':
      return write(text() + `end ${seed}${isLong ? '\n' : ''}`)
    case 'crlf':
      return write(text().replaceAll('\n', '\r\n'))
    case 'binary':
      return write(Uint8Array.of(0, seed % 256, 10, 255, line))
    case 'remove':
      rmSync(file, { recursive: true })
      return removeEmptyAbove(file)
    case 'rename':
      mkdirSync(dirname(to), { recursive: true })
      renameSync(file, to)
      return removeEmptyAbove(file)
    case 'mode':
      return chmodSync(file, isLong ? 0o755 : 0o644)
    case 'link':
      mkdirSync(dirname(file), { recursive: true })
      rmSync(file, { force: true })
      return symlinkSync(`target ${seed % 3}`, file)
    default:
      throw new Error(`unknown edit ${kind}`)
  }
}
