// `git branch`.

import type { GitCall } from '../call.ts'
import { failure, fatal, GitFailure } from '../errors.ts'
import type { Options } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import { isAncestor } from '../revs/merge-base.ts'
import { findRef, previousBranch, resolveRevision, upstreamOf } from '../revs/revision.ts'
import { ShortIds } from '../revs/short-ids.ts'
import type { ObjectId } from '../store/object-format.ts'
import { checkedBranchName } from '../store/refs.ts'
import { copySection, editSection } from '../store/config-edit.ts'
import { encodeText } from '../../shell/byte-text.ts'
import type { GitCommand } from './command.ts'
import { colorOptionRow } from '../color/wants-color.ts'
import { newBranchTarget, startCommit, tellUpstream, trackMode } from './new-branch.ts'
import { changeConfig, keepUpstream, rebases, upstreamFor } from './upstream.ts'
import { checkedOutAt, listWorkTrees } from '../work/worktrees.ts'
import { listBranches } from './branch-list.ts'

export const branch: GitCommand = {
  name: 'branch',
  summary: 'List, create, or delete branches',
  options: {
    rows: [
      { names: ['v', 'verbose'] },
      { names: ['q', 'quiet'] },
      { names: ['t', 'track'], argument: { name: 'mode', isOptional: true } },
      { names: ['u', 'set-upstream-to'], argument: { name: 'upstream' } },
      { names: ['unset-upstream'] },
      colorOptionRow,
      { names: ['r', 'remotes'] },
      { names: ['contains'], argument: { name: 'commit', isOptionalAtEnd: true } },
      { names: ['no-contains'], argument: { name: 'commit', isOptionalAtEnd: true }, isNegatable: false },
      { names: ['abbrev'], argument: { name: 'n', isOptional: true } },
      { names: ['a', 'all'] },
      { names: ['d', 'delete'] },
      { names: ['D'], key: 'force-delete' },
      { names: ['m', 'move'] },
      { names: ['M'], key: 'force-move' },
      { names: ['c', 'copy'] },
      { names: ['C'], key: 'force-copy' },
      { names: ['l', 'list'] },
      { names: ['show-current'] },
      { names: ['create-reflog'] },
      { names: ['edit-description'], refuses: 'editors are never run by this git' },
      { names: ['f', 'force'] },
      { names: ['merged'], argument: { name: 'commit', isOptionalAtEnd: true } },
      { names: ['no-merged'], argument: { name: 'commit', isOptionalAtEnd: true }, isNegatable: false },
      { names: ['column'], argument: { name: 'style', isOptional: true } },
      { names: ['sort'], argument: { name: 'key' } },
      { names: ['points-at'], argument: { name: 'object' } },
      { names: ['i', 'ignore-case'] },
      { names: ['format'], argument: { name: 'format' } },
    ],
    usage: 'git branch [<options>] [-r | -a] [--merged] [--no-merged]',
  },
  async run(call, options) {
    const repository = await call.repository()
    if (options.has('show-current')) {
      const { branch: name } = await repository.head()
      if (name !== undefined) await call.print(name.replace('refs/heads/', ''))
      return 0
    }
    // Git reads this setting before it does anything.
    rebases(repository, true)
    const actions = [
      ['delete', 'force-delete'],
      ['move', 'force-move'],
      ['copy', 'force-copy'],
      ['set-upstream-to'],
      ['unset-upstream'],
      ['list'],
    ].filter(keys => keys.some(key => options.has(key)))
    const isFiltered = ['contains', 'no-contains', 'merged', 'no-merged', 'points-at'].some(key => options.has(key))
    if (actions.length + (isFiltered && !options.has('list') ? 1 : 0) > 1)
      throw new GitFailure(`usage: ${branch.options.usage}`, 129)
    if (options.has('delete') || options.has('force-delete')) return remove(call, repository, options)
    if (options.has('move') || options.has('force-move')) return move(repository, options)
    if (options.has('copy') || options.has('force-copy')) return copy(repository, options)
    if (options.value('set-upstream-to') !== undefined || options.has('unset-upstream'))
      return changeUpstream(call, repository, options)
    if (options.all.length === 0 || isFiltered || options.has('list')) return listBranches(call, repository, options)
    if (options.has('all') || options.has('remotes'))
      throw fatal(
        "The -a, and -r, options to 'git branch' do not take a branch name.\nDid you mean to use: -a|-r --list <pattern>?",
      )
    return create(call, repository, options)
  },
}

async function create(call: GitCall, repository: Repository, options: Options): Promise<number> {
  const [name = '', start, ...rest] = options.all
  if (rest.length > 0) throw new GitFailure('usage: git branch [<options>] [-f] <branch-name> [<start-point>]', 129)
  const track = trackMode(options)
  const head = await repository.head()
  if (start === undefined && head.oid === undefined)
    throw fatal(`not a valid object name: '${(head.branch ?? 'HEAD').replace('refs/heads/', '')}'`)
  if (start !== undefined) {
    if ((await repository.refs.idOf(`refs/tags/${start}`)) && (await repository.refs.idOf(`refs/heads/${start}`)))
      throw new GitFailure(`warning: refname '${start}' is ambiguous.\nfatal: ambiguous object name: '${start}'`, 128)
    await startCommit(repository, start, `not a valid object name: '${start}'`)
  }
  const target = await newBranchTarget(repository, name, start, options.has('force') ? 'reset' : 'new', track)
  if (options.has('force')) await refuseCheckedOut(repository, target.branch ?? '')
  const changes = new Changes()
  const shown = start ?? (head.branch === undefined ? (head.oid ?? '') : head.branch.replace('refs/heads/', ''))
  const word = target.creates === 'reset' ? 'Reset to' : 'Created from'
  await repository.refs.update(changes, {
    name: `refs/heads/${name}`,
    oid: target.oid,
    message: `branch: ${word} ${shown}`,
    makesLog: options.has('create-reflog'),
  })
  if (target.upstream !== undefined) await keepUpstream(repository, changes, name, target.upstream)
  await repository.commit(changes)
  if (target.upstream !== undefined && !options.has('quiet'))
    await call.print(tellUpstream(name, target.upstream, rebases(repository, target.upstream.remote === '.')))
  return 0
}

/** A branch that is checked out anywhere cannot be moved. */
async function refuseCheckedOut(repository: Repository, branch: string): Promise<void> {
  const place = await checkedOutAt(repository, branch)
  if (place !== undefined)
    throw fatal(`cannot force update the branch '${branch.replace('refs/heads/', '')}' checked out at '${place.path}'`)
}

async function remove(call: GitCall, repository: Repository, options: Options): Promise<number> {
  if (options.all.length === 0) throw fatal('branch name required')
  const isRemote = options.has('remotes')
  const isForced = options.has('force-delete') || options.has('force')
  const { branch: current, oid: head } = await repository.head()
  const currentPlace = { path: repository.isBare ? repository.gitDir : repository.root }
  const ids = new ShortIds(repository)
  let exitCode = 0
  for (const given of options.all) {
    const name =
      given === '-' || /^@\{-\d+\}$/.test(given)
        ? ((await previousBranch(repository, Number(/\d+/.exec(given)?.[0] ?? 1))) ?? given)
        : given
    const full = `refs/${isRemote ? 'remotes' : 'heads'}/${name}`
    const kind = isRemote ? 'remote-tracking branch' : 'branch'
    const value = await repository.refs.read(full)
    const oid = await repository.refs.idOf(full)
    if (value === undefined) {
      await call.warn(`error: ${kind} '${name}' not found.`)
      exitCode = 1
      continue
    }
    const place = isRemote ? undefined : full === current ? currentPlace : await checkedOutAt(repository, full)
    if (place !== undefined) {
      await call.warn(`error: Cannot delete branch '${name}' checked out at '${place.path}'`)
      exitCode = 1
      continue
    }
    if (!isForced && !isRemote && oid !== undefined) {
      const followed = upstreamOf(repository, full)
      const upstream = followed === undefined ? undefined : await repository.refs.idOf(followed)
      const base = upstream ?? head
      const isMerged = base !== undefined && (await isAncestor(repository, oid, base))
      if (upstream !== undefined && head !== undefined && isMerged !== (await isAncestor(repository, oid, head)))
        await call.warn(
          isMerged
            ? `warning: deleting branch '${name}' that has been merged to\n         '${followed ?? ''}', but not yet merged to HEAD.`
            : `warning: not deleting branch '${name}' that is not yet merged to\n         '${followed ?? ''}', even though it is merged to HEAD.`,
        )
      if (!isMerged) {
        await call.warn(
          `error: The branch '${name}' is not fully merged.\nIf you are sure you want to delete it, run 'git branch -D ${name}'.`,
        )
        exitCode = 1
        continue
      }
    }
    const changes = new Changes()
    await repository.refs.update(changes, { name: full, oid: undefined, message: '', noDeref: true })
    await dropSection(repository, changes, name, undefined, isRemote)
    await repository.commit(changes)
    const shown = value.kind === 'symbolic' ? value.target : oid === undefined ? '' : await ids.of(oid)
    if (!options.has('quiet')) await call.print(`Deleted ${kind} ${name} (was ${shown}).`)
  }
  return exitCode
}

async function dropSection(
  repository: Repository,
  changes: Changes,
  name: string,
  to: string | undefined,
  isRemote: boolean,
): Promise<void> {
  if (isRemote) return
  const path = `${repository.commonDir}/config`
  const edited = editSection(
    await repository.files.read(path),
    path,
    `branch.${name}`,
    to === undefined ? undefined : `branch.${to}`,
  )
  if (edited !== undefined) changes.write(path, edited)
}

async function move(repository: Repository, options: Options): Promise<number> {
  const names = options.all
  const head = await repository.head()
  const isForced = options.has('force-move') || options.has('force')
  if (names.length === 0 || names.length > 2) throw fatal('branch name required')
  const [from, to] =
    names.length === 2 ? [names[0] ?? '', names[1] ?? ''] : [(head.branch ?? '').replace('refs/heads/', ''), names[0] ?? '']
  if (from === '') throw fatal('cannot rename the current branch while not on any.')
  const source = `refs/heads/${from}`
  const oid = await repository.refs.idOf(source)
  if (oid === undefined && head.branch !== source) throw fatal(`no branch named '${from}'`)
  const target = checkedBranchName(to)
  await refuseTarget(repository, source, target, isForced)
  if ((await repository.refs.read(source))?.kind === 'symbolic')
    throw failure(`refname ${source} is a symbolic ref, renaming it is not supported\nfatal: Branch rename failed`, 128)
  if (await repository.refs.isLogLinked(source))
    throw failure(`reflog for ${source} is a symlink\nfatal: Branch rename failed`, 128)
  const changes = new Changes()
  const message = `Branch: renamed ${source} to ${target}`
  if (oid === undefined) await repository.refs.setSymbolic(changes, 'HEAD', target)
  else {
    const log = await repository.refs.readLog(source)
    const who = await repository.identity('committer', false)
    if (source !== target) await move(oid)
    if (log.length > 0) repository.refs.writeLog(changes, target, [...log, { before: oid, after: oid, who, message }])
    for (const tree of await listWorkTrees(repository)) {
      if (tree.branch === source && tree.gitDir !== repository.gitDir)
        changes.write(`${tree.gitDir}/HEAD`, encodeText(`ref: ${target}\n`))
    }
    if (head.branch === source) {
      changes.write(repository.refs.pathOf('HEAD'), encodeText(`ref: ${target}\n`))
      await repository.refs.log(changes, 'HEAD', oid, '0'.repeat(40), message)
      await repository.refs.log(changes, 'HEAD', '0'.repeat(40), oid, message)
    }
  }
  if (source !== target) await dropSection(repository, changes, from, to, false)
  await repository.commit(changes)
  return 0

  async function move(commit: ObjectId): Promise<void> {
    await repository.refs.update(changes, { name: source, oid: undefined, message: '', noDeref: true })
    changes.removeEmptyDirectories(repository.refs.pathOf(source).replace(/\/[^/]*$/, ''), `${repository.commonDir}/refs/heads`)
    await repository.refs.update(changes, { name: target, oid: commit, message, noDeref: true })
  }
}

async function copy(repository: Repository, options: Options): Promise<number> {
  const names = options.all
  const head = await repository.head()
  if (names.length === 0 || names.length > 2) throw fatal('branch name required')
  const [from, to] =
    names.length === 2 ? [names[0] ?? '', names[1] ?? ''] : [(head.branch ?? '').replace('refs/heads/', ''), names[0] ?? '']
  if (from === '') throw fatal('cannot copy the current branch while not on any.')
  const source = `refs/heads/${from}`
  const oid = await repository.refs.idOf(source)
  if (oid === undefined) throw fatal(`no branch named '${from}'`)
  const target = checkedBranchName(to)
  await refuseTarget(repository, source, target, options.has('force-copy') || options.has('force'))
  if (source === target) return 0
  const changes = new Changes()
  const log = await repository.refs.readLog(source)
  const who = await repository.identity('committer', false)
  const message = `Branch: copied ${source} to ${target}`
  await repository.refs.update(changes, { name: target, oid, message })
  repository.refs.writeLog(changes, target, [...log, { before: oid, after: oid, who, message }])
  const path = `${repository.commonDir}/config`
  const bytes = await repository.files.read(path)
  const copied = copySection(editSection(bytes, path, `branch.${to}`, undefined) ?? bytes, path, `branch.${from}`, `branch.${to}`)
  if (copied !== undefined) changes.write(path, copied)
  await repository.commit(changes)
  return 0
}

/** The new name of a branch: unused, or with force not checked out. */
async function refuseTarget(repository: Repository, source: string, target: string, isForced: boolean): Promise<void> {
  if (source === target || (await repository.refs.idOf(target)) === undefined) return
  if (!isForced) throw fatal(`a branch named '${target.replace('refs/heads/', '')}' already exists`)
  await refuseCheckedOut(repository, target)
}

async function changeUpstream(call: GitCall, repository: Repository, options: Options): Promise<number> {
  const head = await repository.head()
  const isUnset = options.has('unset-upstream')
  if (options.all.length > 1) throw fatal(`too many arguments to ${isUnset ? 'unset' : 'set new'} upstream`)
  const name = options.all[0] ?? (head.branch ?? '').replace('refs/heads/', '')
  const changes = new Changes()
  if (isUnset) {
    if (name === '') throw fatal('could not unset upstream of HEAD when it does not point to any branch.')
    if (repository.config().get(`branch.${name}.merge`) === undefined) throw fatal(`Branch '${name}' has no upstream information`)
    await changeConfig(repository, changes, [
      [`branch.${name}.remote`, undefined],
      [`branch.${name}.merge`, undefined],
    ])
    await repository.commit(changes)
    return 0
  }
  const wanted = options.value('set-upstream-to') ?? ''
  if (name === '') throw fatal(`could not set upstream of HEAD to ${wanted} when it does not point to any branch.`)
  if ((await repository.refs.read(`refs/heads/${name}`)) === undefined) {
    if (head.branch !== `refs/heads/${name}`) throw fatal(`branch '${name}' does not exist`)
    throw fatal(`no commit on branch '${name}' yet`)
  }
  const ref = await findRef(repository, wanted)
  if (ref === undefined && (await resolveRevision(repository, wanted)) !== undefined)
    throw fatal(`cannot set up tracking information; starting point '${wanted}' is not a branch`)
  if (ref === undefined) throw fatal(`the requested upstream branch '${wanted}' does not exist`)
  if (ref.name === `refs/heads/${name}`) {
    await call.warn(`warning: not setting branch '${name}' as its own upstream`)
    return 0
  }
  const upstream = upstreamFor(repository, { name, start: wanted, ref: ref.name, track: 'direct' })
  if (upstream === undefined) return 0
  await keepUpstream(repository, changes, name, upstream)
  await repository.commit(changes)
  if (!options.has('quiet')) await call.print(tellUpstream(name, upstream, rebases(repository, upstream.remote === '.')))
  return 0
}
