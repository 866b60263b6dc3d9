// `git checkout` and `git switch`, and `git restore`.

import { refuseCheckedOutElsewhere } from '../work/worktrees.ts'
import type { GitCall } from '../call.ts'
import { failure, fatal, GitFailure } from '../errors.ts'
import { type Options, parseOptions } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import { needTree, resolveRevision, peel } from '../revs/revision.ts'
import { checkNotBoth } from '../revs/revision-arguments.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { restorePaths } from '../work/file-restore.ts'
import { parsePathspec } from '../work/pathspec.ts'
import { emptyTreeId } from '../store/object-format.ts'
import { checkedBranchName } from '../store/refs.ts'
import { pathspecWords, refuseListedPatch } from './pathspec-words.ts'
import { type Operation, operationsOf } from '../work/operation.ts'
import type { GitCommand } from './command.ts'
import { conflictMaker, ignoredConflicts, refuseTwoWays } from './restored-sides.ts'
import { newBranchTarget, remoteBranch, startCommit, targetOf, trackMode } from './new-branch.ts'
import { listLocalChanges, type SwitchSettings, switchTo } from './switch-branch.ts'
import { switchTree } from '../work/switch-tree.ts'

export { switchTo } from './switch-branch.ts'
export { targetOf } from './new-branch.ts'

const patchRow = { names: ['p', 'patch'] }

export const checkout: GitCommand = {
  name: 'checkout',
  summary: 'Switch branches or restore working tree files',
  options: {
    rows: [
      { names: ['q', 'quiet'] },
      { names: ['progress'], isIgnored: true },
      { names: ['f', 'force'] },
      { names: ['2', 'ours'], key: 'stage', value: '2', isNegatable: false },
      { names: ['3', 'theirs'], key: 'stage', value: '3', isNegatable: false },
      { names: ['b'], argument: { name: 'branch' }, key: 'new' },
      { names: ['B'], argument: { name: 'branch' }, key: 'reset' },
      { names: ['l'], key: 'create-reflog' },
      { names: ['t', 'track'], argument: { name: 'mode', isOptional: true } },
      { names: ['guess'] },
      { names: ['orphan'], argument: { name: 'new-branch' } },
      { names: ['d', 'detach'] },
      { names: ['m', 'merge'] },
      { names: ['conflict'], argument: { name: 'style' } },
      { names: ['overlay'] },
      { names: ['ignore-other-worktrees'] },
      { names: ['ignore-skip-worktree-bits'] },
      { names: ['recurse-submodules'], isIgnored: true },
      { names: ['overwrite-ignore'] },
      { names: ['pathspec-from-file'], argument: { name: 'file' } },
      { names: ['pathspec-file-nul'] },
      patchRow,
    ],
    usage: 'git checkout [<options>] <branch>\n   or: git checkout [<options>] [<branch>] -- <file>...',
  },
  run: runCheckout,
}

async function runCheckout(call: GitCall, options: Options, args: readonly string[]): Promise<number> {
  const repository = await call.repository()
  if (repository.isBare) throw fatal('this operation must be run in a work tree')
  const settings = settingsOf(options, true)
  const created = options.value('new') ?? options.value('reset')
  const track = trackMode(options)
  const [first, ...rest] = options.words
  if (options.has('patch')) {
    refuseListedPatch(options)
    if (created !== undefined || options.has('force') || options.has('detach'))
      throw fatal(`'--patch' cannot be used with '${created === undefined ? (options.has('force') ? '-f' : '--detach') : '-b'}'`)
    const isTree = first !== undefined && (await treeish(repository, first))
    const paths = [...(isTree ? rest : options.words), ...(options.paths ?? [])]
    return choosePatch(call, repository, isTree ? first : undefined, paths, 'checkout')
  }
  if (options.value('new') !== undefined && options.value('reset') !== undefined)
    throw fatal("options '-b' and '-B' cannot be used together")
  if (created !== undefined) {
    refuseMerging(options)
    if (rest.length > 0 || (options.paths?.length ?? 0) > 0)
      throw fatal(`Cannot update paths and switch to branch '${created}' at the same time.`)
    return switchTo(
      call,
      repository,
      {
        ...(await newBranchTarget(repository, created, first, options.value('new') === undefined ? 'reset' : 'new', track)),
        makesLog: options.has('create-reflog'),
      },
      // Git takes these words, and no others, for `switch -c`.
      { ...settings, skipsList: args.length === 2 && args[0] === '-b' },
    )
  }
  const orphan = options.value('orphan')
  if (orphan !== undefined) return startOrphan(call, repository, orphan, first, options.has('quiet'), 'keep')
  const file = options.value('pathspec-from-file')
  if (options.paths !== undefined || file !== undefined) {
    const paths = file === undefined ? (options.paths ?? []) : await pathspecWords(call, options)
    if (paths.length === 0 && first !== undefined && rest.length === 0)
      return switchBranch(call, repository, first, options, settings, true)
    if (rest.length > 0) throw fatal(`only one reference expected, ${options.words.length} given.`)
    return restore_(call, repository, first, paths, options)
  }
  if (first === undefined) {
    return switchBranch(call, repository, 'HEAD', options, settings, true)
  }
  const isRevision = (await targetOf(repository, first, false)) !== undefined || (await treeish(repository, first))
  const exists =
    (await repository.files.lstat(first.startsWith('/') ? first : `${repository.environment.cwd}/${first}`)) !== undefined
  if (isRevision && rest.length === 0) return switchBranch(call, repository, first, options, settings, true)
  if (isRevision) await checkNotBoth(repository, first)
  if (isRevision) return restore_(call, repository, first, rest, options)
  if (options.has('detach')) throw fatal(`git checkout: --detach does not take a path argument '${first}'`)
  if (rest.length === 0 && !options.isNegated('guess')) {
    const remote = await remoteBranch(repository, first)
    if (remote !== undefined && exists) {
      throw fatal(
        `'${first}' could be both a local file and a tracking branch.\nPlease use -- (and optionally --no-guess) to disambiguate`,
      )
    }
    if (remote !== undefined) {
      refuseMerging(options)
      return switchTo(call, repository, await newBranchTarget(repository, first, remote, 'new', 'direct'), settings)
    }
  }
  return restore_(call, repository, undefined, options.words, options)
}

/** `-p` of `checkout`, and of `restore` for files alone. */
async function choosePatch(
  call: GitCall,
  repository: Repository,
  revision: string | undefined,
  paths: readonly string[],
  scope: 'checkout' | 'worktree',
): Promise<number> {
  const { runPatchMode } = await import('../patch/choosing.ts')
  return runPatchMode(call, repository, {
    mode: revision === undefined ? 'checkout-index' : `${scope}-${revision === 'HEAD' ? 'head' : 'other'}`,
    pathspec: parsePathspec(repository, paths),
    tree: revision === undefined ? undefined : await needTree(repository, revision, `could not resolve ${revision}`),
  })
}

function settingsOf(options: Options, showsAdvice: boolean): SwitchSettings {
  return {
    isQuiet: options.has('quiet'),
    force: options.has('force') ? 'all' : options.has('discard-changes') ? 'tracked' : 'none',
    keepsIgnored: options.isNegated('overwrite-ignore'),
    showsAdvice,
  }
}

async function treeish(repository: Repository, word: string): Promise<boolean> {
  const revision = await resolveRevision(repository, word).catch(() => undefined)
  return revision !== undefined && (await peel(repository, revision.oid, 'tree')) !== undefined
}

/** Of a switch; beside paths the options make a conflict again. */
function refuseMerging(options: Options): void {
  if (!options.has('merge') && !options.has('conflict')) return
  throw new GitFailure(`error: -m: ${mergingRefusal}`, 129)
}

async function switchBranch(
  call: GitCall,
  repository: Repository,
  word: string,
  options: Options,
  settings: SwitchSettings,
  mayDetach: boolean,
): Promise<number> {
  refuseMerging(options)
  if (word === 'HEAD' && !options.has('detach') && mayDetach)
    return (await import('./stay-on-head.ts')).stayOnHead(call, repository, settings)
  const target = await targetOf(repository, word, options.has('detach'))
  if (target === undefined && options.all.length === 0) throw fatal('You are on a branch yet to be born')
  if (target === undefined) throw failure(`pathspec '${word}' did not match any file(s) known to git`)
  const track = options.has('track')
  if (track && target.branch === undefined) {
    const name = word
      .replace(/^refs\/remotes\//, '')
      .replace(/^remotes\//, '')
      .replace(/^[^/]+\//, '')
    return switchTo(call, repository, await newBranchTarget(repository, name, word, 'new', 'direct'), settings)
  }
  if (target.branch === undefined && !mayDetach && !options.has('detach')) {
    const what = (await resolveRevision(repository, `refs/tags/${word}`)) === undefined ? 'commit' : 'tag'
    throw fatal(
      `a branch is expected, got ${what} '${word}'\nhint: If you want to detach HEAD at the commit, try again with the --detach option.`,
    )
  }
  if (target.branch !== undefined && !options.has('ignore-other-worktrees'))
    await refuseCheckedOutElsewhere(repository, target.branch)
  return switchTo(call, repository, target, { ...settings, showsAdvice: !options.has('detach') })
}

async function startOrphan(
  call: GitCall,
  repository: Repository,
  name: string,
  start: string | undefined,
  isQuiet: boolean,
  tracked: 'keep' | 'remove',
): Promise<number> {
  const branch = checkedBranchName(name)
  if ((await repository.refs.read(branch)) !== undefined) throw fatal(`a branch named '${name}' already exists`)
  if (start !== undefined) throw fatal('an orphan branch with a start point is not built into this git; switch to it first')
  const changes = new Changes()
  const [{ oid }, index] = [await repository.head(), await repository.readIndex()]
  if (tracked === 'remove' && oid !== undefined)
    await switchTree(repository, changes, index, await repository.treeOf(oid), emptyTreeId)
  await repository.refs.setSymbolic(changes, 'HEAD', branch)
  await repository.commit(changes, index)
  if (!isQuiet && tracked === 'keep' && oid !== undefined) await listLocalChanges(call, repository, index, oid)
  if (!isQuiet) await call.warn(`Switched to a new branch '${name}'`)
  return 0
}

async function restore_(
  call: GitCall,
  repository: Repository,
  revision: string | undefined,
  paths: readonly string[],
  options: Options,
): Promise<number> {
  const stage = options.value('stage')
  if (revision !== undefined && stage !== undefined)
    throw fatal("'--merge', '--ours', or '--theirs' cannot be used when checking out of a tree")
  refuseTwoWays(options)
  const source = revision === undefined ? undefined : await needTree(repository, revision, `reference is not a tree: ${revision}`)
  const index = await repository.readIndex()
  const changes = new Changes()
  const pathspec = parsePathspec(repository, paths)
  const count = await restorePaths(repository, changes, index, pathspec, {
    source,
    toIndex: source !== undefined,
    toWorkTree: true,
    removesMissing: options.isNegated('overlay'),
    stage: stage === '2' ? 2 : stage === '3' ? 3 : undefined,
    remake: await conflictMaker(repository, changes, options, source !== undefined),
    ignoresSkipped: options.has('ignore-skip-worktree-bits'),
    ignoreConflict: ignoredConflicts(call, options, 'force'),
  })
  await repository.commit(changes, index)
  // After `--`, git prints no number of updated paths.
  if (options.has('quiet') || options.paths !== undefined || options.value('pathspec-from-file') !== undefined) return 0
  const from = source === undefined ? 'the index' : await new ShortIds(repository).of(source)
  await call.warn(`Updated ${count} path${count === 1 ? '' : 's'} from ${from}`)
  return 0
}

const mergingRefusal = 'merging local changes while switching is not built into this git; commit or stash them first'

const underWay: Readonly<Record<Operation['kind'], string>> = {
  merge: 'while merging',
  am: 'in the middle of an am session',
  rebase: 'while rebasing',
  'cherry-pick': 'while cherry-picking',
  revert: 'while reverting',
  bisect: 'while bisecting',
}

export const switchCommand: GitCommand = {
  name: 'switch',
  summary: 'Switch branches',
  options: {
    rows: [
      { names: ['c', 'create'], argument: { name: 'branch' } },
      { names: ['C', 'force-create'], argument: { name: 'branch' } },
      { names: ['d', 'detach'] },
      { names: ['guess'] },
      { names: ['discard-changes'] },
      { names: ['f', 'force'], key: 'force' },
      { names: ['q', 'quiet'] },
      { names: ['progress'], isIgnored: true },
      { names: ['t', 'track'], argument: { name: 'mode', isOptional: true } },
      { names: ['orphan'], argument: { name: 'new-branch' } },
      {
        names: ['m', 'merge'],
        refuses: mergingRefusal,
      },
      {
        names: ['conflict'],
        argument: { name: 'style' },
        refuses: mergingRefusal,
      },
      { names: ['ignore-other-worktrees'] },
      { names: ['recurse-submodules'], isIgnored: true },
      { names: ['overwrite-ignore'] },
    ],
    usage: 'git switch [<options>] [<branch>]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const [operation] = await operationsOf(repository)
    if (operation !== undefined) throw fatal(`cannot switch branch ${underWay[operation.kind]}`)
    if (repository.isBare) throw fatal('this operation must be run in a work tree')
    const settings = settingsOf(options, !options.has('detach'))
    const created = options.value('create') ?? options.value('force-create')
    const track = trackMode(options)
    const [first, second] = options.all
    if (second !== undefined) throw fatal('only one reference expected')
    if (created !== undefined && first !== undefined && (await resolveRevision(repository, first)) === undefined)
      throw fatal(`invalid reference: ${first}`)
    if (created !== undefined) {
      return switchTo(
        call,
        repository,
        await newBranchTarget(repository, created, first, options.value('create') === undefined ? 'reset' : 'new', track),
        { ...settings, skipsList: first === undefined },
      )
    }
    const orphan = options.value('orphan')
    if (orphan !== undefined) return startOrphan(call, repository, orphan, first, options.has('quiet'), 'remove')
    if (first === undefined && options.has('detach'))
      return switchBranch(call, repository, 'HEAD', options, { ...settings, skipsList: true }, true)
    if (first === undefined) throw fatal('missing branch or commit argument')
    const target = await targetOf(repository, first, options.has('detach'))
    if (target !== undefined) return switchBranch(call, repository, first, options, settings, false)
    const remote = options.isNegated('guess') ? undefined : await remoteBranch(repository, first)
    if (remote === undefined) throw fatal(`invalid reference: ${first === '-' ? '@{-1}' : first}`)
    return switchTo(call, repository, await newBranchTarget(repository, first, remote, 'new', 'direct'), settings)
  },
}

export const restore: GitCommand = {
  name: 'restore',
  summary: 'Restore working tree files',
  options: {
    rows: [
      { names: ['s', 'source'], argument: { name: 'tree-ish' } },
      { names: ['S', 'staged'] },
      { names: ['W', 'worktree'] },
      { names: ['q', 'quiet'], isIgnored: true },
      { names: ['progress'], isIgnored: true },
      { names: ['2', 'ours'], key: 'stage', value: '2', isNegatable: false },
      { names: ['3', 'theirs'], key: 'stage', value: '3', isNegatable: false },
      { names: ['ignore-unmerged'] },
      { names: ['overlay'] },
      { names: ['m', 'merge'] },
      { names: ['conflict'], argument: { name: 'style' } },
      { names: ['ignore-skip-worktree-bits'] },
      { names: ['recurse-submodules'], isIgnored: true },
      { names: ['pathspec-from-file'], argument: { name: 'file' } },
      { names: ['pathspec-file-nul'] },
      patchRow,
    ],
    usage: 'git restore [<options>] [--source=<branch>] <file>...',
  },
  async run(call, options) {
    const repository = await call.repository()
    if (repository.isBare) throw fatal('this operation must be run in a work tree')
    refuseListedPatch(options)
    const words = await pathspecWords(call, options)
    const toIndex = options.has('staged')
    const toWorkTree = options.has('worktree') || !toIndex
    if (options.has('patch')) {
      const revision = options.value('source') ?? (toIndex ? 'HEAD' : undefined)
      if (!toIndex || toWorkTree) return choosePatch(call, repository, revision, words, toIndex ? 'checkout' : 'worktree')
      const { reset } = await import('./reset.ts')
      const given = ['-p', revision ?? 'HEAD', '--', ...words]
      return reset.run(call, parseOptions(reset.options, given), given)
    }
    if (words.length === 0) throw fatal('you must specify path(s) to restore')
    const stage = options.value('stage')
    const named = options.value('source')
    if (stage !== undefined && toIndex)
      throw new GitFailure(`fatal: '${stage === '2' ? '--ours' : '--theirs'}' or '--theirs' cannot be used with --staged`, 128)
    if ((options.has('merge') || options.has('conflict')) && toIndex)
      throw fatal("'--merge' or '--conflict' cannot be used with --staged")
    refuseTwoWays(options)
    const head = named === undefined && toIndex ? (await repository.head()).oid : undefined
    if (named === undefined && toIndex && head === undefined) throw fatal('could not resolve HEAD')
    const source =
      named !== undefined
        ? named.includes('...')
          ? await repository.treeOf(await startCommit(repository, named, `could not resolve ${named}`))
          : await needTree(repository, named, `could not resolve ${named}`)
        : toIndex
          ? await repository.treeOf(head)
          : undefined
    const index = await repository.readIndex()
    const changes = new Changes()
    await restorePaths(repository, changes, index, parsePathspec(repository, words), {
      source,
      toIndex,
      toWorkTree,
      removesMissing: !options.has('overlay'),
      // Only conflicts of the index have sides.
      stage: source !== undefined || stage === undefined ? undefined : stage === '2' ? 2 : 3,
      remake: source === undefined ? await conflictMaker(repository, changes, options, false) : undefined,
      ignoresSkipped: options.has('ignore-skip-worktree-bits'),
      ignoreConflict: ignoredConflicts(call, options, 'ignore-unmerged'),
    })
    await repository.commit(changes, index)
    return 0
  },
}
