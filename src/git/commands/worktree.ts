// `git worktree`: additional work trees of a repository.

import { subjectOf } from '../revs/subject.ts'
import { encodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { failure, fatal, GitFailure } from '../errors.ts'
import { GitIndex } from '../index/git-index.ts'
import { type Options, type OptionTable, parseOptions } from '../options.ts'
import { Changes, Repository } from '../repository.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { type ObjectId, zeroId } from '../store/object-format.ts'
import { findUntracked, diffIndexToTree, diffWorkTree } from '../work/status.ts'
import { switchTree } from '../work/switch-tree.ts'
import { checkedOutAt, type LinkedWorkTree, listWorkTrees } from '../work/worktrees.ts'
import type { GitCommand } from './command.ts'
import { newBranchTarget, remoteBranch, type SwitchTarget, targetOf, tellUpstream, trackMode } from './new-branch.ts'
import { keepUpstream, rebases } from './upstream.ts'

const usage =
  'git worktree add [-f] [--detach] [--checkout] [--lock [--reason <string>]] [-b <new-branch>] <path> [<commit-ish>]\n' +
  '   or: git worktree list [-v | --porcelain [-z]]\n   or: git worktree lock [--reason <string>] <worktree>\n   or: git worktree prune [-n] [-v] [--expire <expire>]\n' +
  '   or: git worktree remove [-f] <worktree>\n   or: git worktree unlock <worktree>'

const verbRows: OptionTable = {
  rows: [
    { names: ['f', 'force'] },
    { names: ['b'], argument: { name: 'branch' }, key: 'new' },
    { names: ['B'], argument: { name: 'branch' }, key: 'reset' },
    { names: ['d', 'detach'] },
    { names: ['checkout'] },
    { names: ['lock'] },
    { names: ['reason'], argument: { name: 'string' } },
    { names: ['track'], argument: { name: 'mode', isOptional: true } },
    { names: ['guess-remote'] },
    { names: ['q', 'quiet'] },
    { names: ['porcelain'] },
    { names: ['z'] },
    { names: ['n', 'dry-run'] },
    { names: ['v', 'verbose'] },
    { names: ['expire'], argument: { name: 'time' }, accepts: ['now', 'all'], isIgnored: true },
  ],
  usage,
}

export const worktree: GitCommand = {
  name: 'worktree',
  summary: 'Manage multiple working trees',
  options: { rows: [], usage },
  isRaw: true,
  async run(call, _options, args) {
    const [verb, ...rest] = args
    const repository = await call.repository()
    const options = parseOptions(verbRows, rest)
    switch (verb) {
      case 'list':
        return list(call, repository, options)
      case 'add':
        return add(call, repository, options)
      case 'remove':
        return remove(call, repository, options)
      case 'prune':
        return prune(call, repository, options)
      case 'lock':
      case 'unlock':
        return lock(call, repository, options, verb === 'lock')
      case 'move':
      case 'repair':
        throw new GitFailure(`error: git worktree ${verb} is not built into this git`, 129)
      default:
        throw new GitFailure(
          `${verb === undefined ? 'error: need a subcommand' : `error: unknown subcommand: \`${verb}'`}\nusage: ${usage}\n`,
          129,
        )
    }
  },
}

async function idOf(repository: Repository, tree: LinkedWorkTree): Promise<ObjectId | undefined> {
  return tree.oid ?? (tree.branch === undefined ? undefined : repository.refs.idOf(tree.branch))
}

/** The main one, then the others by path. */
async function sorted(repository: Repository): Promise<readonly LinkedWorkTree[]> {
  const [first, ...others] = await listWorkTrees(repository)
  return [...(first === undefined ? [] : [first]), ...others.toSorted((a, b) => (a.path < b.path ? -1 : 1))]
}

async function list(call: GitCall, repository: Repository, options: Options): Promise<number> {
  const trees = await sorted(repository)
  const isVerbose = options.has('verbose')
  if (options.has('porcelain')) {
    if (isVerbose) throw fatal("options '--verbose' and '--porcelain' cannot be used together")
    const end = options.has('z') ? '\0' : '\n'
    for (const tree of trees) {
      const lines = [`worktree ${tree.path}`]
      if (tree.isBare) lines.push('bare')
      else {
        lines.push(`HEAD ${(await idOf(repository, tree)) ?? zeroId}`)
        lines.push(tree.branch === undefined ? 'detached' : `branch ${tree.branch}`)
      }
      if (tree.locked !== undefined) lines.push(tree.locked === '' ? 'locked' : `locked ${tree.locked}`)
      if (tree.prunable !== undefined) lines.push(`prunable ${tree.prunable}`)
      await call.out.write(`${lines.join(end)}${end}${end}`)
    }
    return 0
  }
  if (options.has('z')) throw fatal("the option '-z' requires '--porcelain'")
  const width = Math.max(...trees.map(({ path }) => path.length))
  const ids = new ShortIds(repository)
  for (const tree of trees) {
    const oid = await idOf(repository, tree)
    const id = oid === undefined ? '0000000' : await ids.of(oid)
    const state = tree.branch === undefined ? '(detached HEAD)' : `[${tree.branch.replace('refs/heads/', '')}]`
    let line = `${tree.path.padEnd(width)}  ${tree.isBare ? '(bare)' : `${id} ${state}`}`
    const reason = (name: string, text: string): string => (isVerbose && text !== '' ? `\n\t${name}: ${text}` : ` ${name}`)
    if (tree.locked !== undefined) line += reason('locked', tree.locked)
    if (tree.prunable !== undefined) line += reason('prunable', tree.prunable)
    await call.print(line)
  }
  return 0
}

async function add(call: GitCall, repository: Repository, options: Options): Promise<number> {
  const [given, commitish, more] = options.all
  if (given === undefined || more !== undefined) throw new GitFailure(`usage: ${usage}\n`, 129)
  const created = options.value('new') ?? options.value('reset')
  if ([options.has('new'), options.has('reset'), options.has('detach')].filter(Boolean).length > 1)
    throw fatal("options '-b', '-B', and '--detach' cannot be used together")
  const path = absolute(given, call.environment.cwd)
  const { files } = repository
  const isForced = options.has('force')
  const stat = await files.lstat(path)
  if (stat !== undefined && (stat.kind !== 'directory' || (await files.list(path)).length > 0))
    throw fatal(`'${given}' already exists`)
  const known = (await listWorkTrees(repository)).find(tree => tree.path === path)
  if (known !== undefined && !isForced)
    throw fatal(
      `'${given}' is a missing but already registered worktree;\nuse 'add -f' to override, or 'prune' or 'remove' to clear`,
    )
  const target = await targetFor(repository, options, path, created, commitish)
  const oid = target.oid ?? (await repository.head()).oid
  if (oid === undefined) throw fatal(`invalid reference: ${commitish ?? 'HEAD'}`)
  const place = target.branch === undefined ? undefined : await checkedOutAt(repository, target.branch)
  if (!options.has('quiet') && (place === undefined || target.creates !== 'reset'))
    await call.warn(await preparing(repository, target, oid))
  if (place !== undefined && (!isForced || target.creates === 'reset'))
    throw fatal(
      target.creates === 'reset'
        ? `cannot force update the branch '${short(target.branch)}' checked out at '${place.path}'`
        : `'${short(target.branch)}' is already checked out at '${place.path}'`,
    )
  const gitDir = known?.gitDir ?? `${repository.commonDir}/worktrees/${await freeName(repository, path)}`
  const changes = new Changes()
  changes.write(`${gitDir}/gitdir`, encodeText(`${path}/.git\n`))
  changes.write(`${gitDir}/commondir`, encodeText('../..\n'))
  changes.write(`${gitDir}/HEAD`, encodeText(target.branch === undefined ? `${oid}\n` : `ref: ${target.branch}\n`))
  changes.write(`${gitDir}/ORIG_HEAD`, encodeText(`${oid}\n`))
  if (options.has('lock')) changes.write(`${gitDir}/locked`, encodeText(`${options.value('reason') ?? 'added with --lock'}\n`))
  changes.makeDirectory(`${gitDir}/refs`)
  changes.write(`${path}/.git`, encodeText(`gitdir: ${gitDir}\n`))
  if (target.branch !== undefined && target.creates !== 'no') {
    const word = target.creates === 'reset' ? 'Reset to' : 'Created from'
    const message = `branch: ${word} ${commitish ?? 'HEAD'}`
    await repository.refs.update(changes, { name: target.branch, oid, message })
    if (target.upstream !== undefined) await keepUpstream(repository, changes, short(target.branch), target.upstream)
  }
  await repository.commit(changes)
  await checkOut(repository, { gitDir, path, oid, isEmpty: options.isNegated('checkout') })
  if (!options.has('quiet') && target.upstream !== undefined && target.branch !== undefined)
    await call.print(tellUpstream(short(target.branch), target.upstream, rebases(repository, target.upstream.remote === '.')))
  if (!options.has('quiet') && !options.isNegated('checkout')) {
    const { message } = await repository.objects.readCommit(oid)
    await call.print(`HEAD is now at ${await new ShortIds(repository).of(oid)} ${subjectOf(message)}`)
  }
  return 0
}

async function targetFor(
  repository: Repository,
  options: Options,
  path: string,
  created: string | undefined,
  commitish: string | undefined,
): Promise<SwitchTarget> {
  const track = trackMode(options)
  if (created !== undefined) return newBranchTarget(repository, created, commitish, options.has('new') ? 'new' : 'reset', track)
  if (commitish !== undefined) {
    const target = await targetOf(repository, commitish, options.has('detach'))
    if (target !== undefined) return target
    const remote = await remoteBranch(repository, commitish)
    if (remote !== undefined) return newBranchTarget(repository, commitish, remote, 'new', track ?? 'direct')
    throw fatal(`invalid reference: ${commitish}`)
  }
  if (options.has('detach')) {
    const { oid } = await repository.head()
    return { branch: undefined, oid, text: 'HEAD', creates: 'no' }
  }
  const name = path.slice(path.lastIndexOf('/') + 1)
  const known = await repository.refs.idOf(`refs/heads/${name}`)
  if (known !== undefined) return { branch: `refs/heads/${name}`, oid: known, text: name, creates: 'no' }
  if (options.has('guess-remote')) {
    const remote = await remoteBranch(repository, name)
    if (remote !== undefined) return newBranchTarget(repository, name, remote, 'new', track ?? 'direct')
  }
  return newBranchTarget(repository, name, undefined, 'new', track)
}

async function preparing(repository: Repository, target: SwitchTarget, oid: ObjectId): Promise<string> {
  const ids = new ShortIds(repository)
  if (target.branch === undefined) return `Preparing worktree (detached HEAD ${await ids.of(oid)})`
  if (target.creates === 'new') return `Preparing worktree (new branch '${short(target.branch)}')`
  if (target.creates === 'no') return `Preparing worktree (checking out '${short(target.branch)}')`
  const before = await repository.refs.idOf(target.branch)
  return `Preparing worktree (resetting branch '${short(target.branch)}'; was at ${before === undefined ? '' : await ids.of(before)})`
}

function short(branch: string | undefined): string {
  return (branch ?? '').replace('refs/heads/', '')
}

/** The name of its last directory, with a number appended if that is taken. */
async function freeName(repository: Repository, path: string): Promise<string> {
  const base = path.slice(path.lastIndexOf('/') + 1).replaceAll(/[^A-Za-z0-9._-]/g, '-')
  for (let number = 0; ; number++) {
    const name = number === 0 ? base : `${base}${number}`
    if ((await repository.files.lstat(`${repository.commonDir}/worktrees/${name}`)) === undefined) return name
  }
}

async function checkOut(
  repository: Repository,
  {
    gitDir,
    path,
    oid,
    isEmpty,
  }: { readonly gitDir: string; readonly path: string; readonly oid: ObjectId; readonly isEmpty: boolean },
): Promise<void> {
  const place = { gitDir, commonDir: repository.commonDir, workTree: path }
  const linked = await Repository.openAt({ ...repository.environment, cwd: path }, place)
  const changes = new Changes()
  const index = new GitIndex()
  if (isEmpty) return
  await switchTree(linked, changes, index, undefined, await linked.treeOf(oid))
  await linked.refs.log(changes, 'HEAD', zeroId, oid, '')
  await linked.refs.log(changes, 'HEAD', oid, oid, 'reset: moving to HEAD')
  await linked.commit(changes, index)
}

async function named(repository: Repository, word: string, cwd: string): Promise<LinkedWorkTree> {
  const trees = await listWorkTrees(repository)
  const path = absolute(word, cwd)
  const found =
    trees.find(tree => tree.path === path) ??
    (() => {
      const bySuffix = trees.filter(tree => tree.path.endsWith(`/${word}`))
      return bySuffix.length === 1 ? bySuffix[0] : undefined
    })()
  if (found === undefined) throw fatal(`'${word}' is not a working tree`)
  return found
}

async function remove(call: GitCall, repository: Repository, options: Options): Promise<number> {
  const [word, more] = options.all
  if (word === undefined || more !== undefined) throw new GitFailure(`usage: ${usage}\n`, 129)
  const tree = await named(repository, word, call.environment.cwd)
  if (tree.id === undefined) throw fatal(`'${word}' is a main working tree`)
  const force = options.count('force')
  if (tree.locked !== undefined && force < 2)
    throw fatal(
      `cannot remove a locked working tree${tree.locked === '' ? ';' : `, lock reason: ${tree.locked}`}\nuse 'remove -f -f' to override or unlock first`,
    )
  const exists = (await repository.files.lstat(tree.path)) !== undefined
  if (exists && force === 0 && !(await isClean(repository, tree)))
    throw fatal(`'${word}' contains modified or untracked files, use --force to delete it`)
  const changes = new Changes()
  if (exists) changes.removeTree(tree.path)
  await drop(repository, changes, tree)
  await repository.commit(changes)
  return 0
}

async function isClean(repository: Repository, tree: LinkedWorkTree): Promise<boolean> {
  const place = { gitDir: tree.gitDir, commonDir: repository.commonDir, workTree: tree.path }
  const linked = await Repository.openAt({ ...repository.environment, cwd: tree.path }, place)
  const index = await linked.readIndex()
  const { oid } = await linked.head()
  if ((await diffIndexToTree(linked, index, oid === undefined ? undefined : await linked.treeOf(oid))).length > 0) return false
  if ((await diffWorkTree(linked, index)).changes.length > 0) return false
  const { untracked } = await findUntracked(linked, index, {
    mode: 'normal',
    ignored: 'no',
    pathspec: undefined,
    ignore: linked.ignore(),
  })
  return untracked.length === 0
}

async function drop(repository: Repository, changes: Changes, tree: LinkedWorkTree): Promise<void> {
  changes.removeTree(tree.gitDir)
  const others = (await repository.files.list(`${repository.commonDir}/worktrees`)).filter(({ name }) => name !== tree.id)
  if (others.length === 0) changes.removeEmptyDirectories(`${repository.commonDir}/worktrees`, repository.commonDir)
}

async function prune(call: GitCall, repository: Repository, options: Options): Promise<number> {
  const gone = (await listWorkTrees(repository)).filter(({ prunable }) => prunable !== undefined)
  for (const tree of gone) {
    if (options.has('verbose') || options.has('dry-run'))
      await call.warn(`Removing worktrees/${tree.id ?? ''}: ${tree.prunable ?? ''}`)
    if (options.has('dry-run')) continue
    const changes = new Changes()
    await drop(repository, changes, tree)
    await repository.commit(changes)
  }
  return 0
}

async function lock(call: GitCall, repository: Repository, options: Options, locks: boolean): Promise<number> {
  const [word, more] = options.all
  if (word === undefined || more !== undefined) throw new GitFailure(`usage: ${usage}\n`, 129)
  const tree = await named(repository, word, call.environment.cwd)
  if (tree.id === undefined) throw fatal('The main working tree cannot be locked or unlocked')
  if (locks && tree.locked !== undefined)
    throw fatal(`'${word}' is already locked${tree.locked === '' ? '' : `, reason: ${tree.locked}`}`)
  if (!locks && tree.locked === undefined) throw fatal(`'${word}' is not locked`)
  const changes = new Changes()
  const reason = options.value('reason') ?? ''
  if (locks) changes.write(`${tree.gitDir}/locked`, encodeText(reason === '' ? '' : `${reason}\n`))
  else changes.remove(`${tree.gitDir}/locked`)
  await repository.commit(changes)
  return 0
}

function absolute(path: string, cwd: string): string {
  const kept: string[] = []
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') kept.pop()
    else if (part !== '' && part !== '.') kept.push(part)
  }
  if (kept.length === 0) throw failure('a work tree cannot be the root of all files')
  return `/${kept.join('/')}`
}
