// `git stash`.

import { ownValue } from '../../core/record.ts'
import type { GitCall } from '../call.ts'
import { listTree } from '../diff/tree-diff.ts'
import { failure, GitFailure } from '../errors.ts'
import { dropStash, findStash, listStashes, storeStash } from '../merge/stash-list.ts'
import { treeWithChanges } from '../merge/tree-with-changes.ts'
import { Changes, type Repository } from '../repository.ts'
import { resolveRevision } from '../revs/revision.ts'
import { emptyTreeId, type ObjectId } from '../store/object-format.ts'
import type { GitCommand } from './command.ts'
import { oneName, parse, pushRows, quiet, runCommand, tellDropped, usage, usages } from './stash-words.ts'

export const stash: GitCommand = {
  name: 'stash',
  summary: 'Stash the changes in a dirty working directory away',
  options: { rows: pushRows, usage },
  isRaw: true,
  async run(call, _options, args) {
    const [name, ...rest] = args
    const repository = await call.repository()
    const own = rest.length === 1 && rest[0] === '-h' ? ownValue<string>(usages, name ?? '') : undefined
    if (own !== undefined) {
      await call.print(`usage: ${own}\n`)
      return 129
    }
    switch (name) {
      case 'push':
        return (await import('./stash-push.ts')).push(call, repository, parse(rest, usages.push))
      case 'save':
        return (await import('./stash-push.ts')).save(call, repository, parse(rest, usages.save))
      case 'list':
        return list(call, repository, rest)
      case 'show':
        return show(call, repository, rest)
      case 'pop':
      case 'apply':
        return (await import('./stash-restore.ts')).restore(call, repository, rest, name)
      case 'drop':
        return drop(call, repository, rest)
      case 'branch':
        return (await import('./stash-restore.ts')).branch(call, repository, rest)
      case 'clear':
        if (rest.length > 0 && rest[0] !== '--') throw failure('git stash clear with arguments is unimplemented')
        return clear(repository)
      case 'create':
        return (await import('./stash-push.ts')).create(call, repository, rest)
      case 'store':
        return store(repository, rest)
      default: {
        const options = parse(args, usage)
        const [token] = options.words
        if (token !== undefined) {
          throw new GitFailure(
            `fatal: subcommand wasn't specified; 'push' can't be assumed due to unexpected token '${token}'`,
            128,
          )
        }
        return (await import('./stash-push.ts')).push(call, repository, options)
      }
    }
  },
}

async function list(call: GitCall, repository: Repository, args: readonly string[]): Promise<number> {
  const rows = await listStashes(repository)
  if (rows.length === 0) return 0
  let limit = rows.length
  for (const [position, arg] of args.entries()) {
    const count = /^(?:-n?|--max-count=)(\d+)$/.exec(arg)?.[1] ?? (args[position - 1] === '-n' ? arg : undefined)
    if (count !== undefined) limit = Number(count)
    else if (arg !== '-n') return log(call, args)
  }
  for (const row of rows.slice(0, limit)) await call.print(row)
  return 0
}

/** All other options of `git log`. */
async function log(call: GitCall, args: readonly string[]): Promise<number> {
  return runCommand(call, 'log', ['--format=%gd: %gs', '-g', '--first-parent', '-m', ...args, 'refs/stash', '--'])
}

async function show(call: GitCall, repository: Repository, args: readonly string[]): Promise<number> {
  const flags = args.filter(arg => arg.startsWith('-') && arg !== '--')
  const [name, ...more] = args.filter(arg => !arg.startsWith('-'))
  if (more.length > 0) throw new GitFailure(`Too many revisions specified: '${args.join("' '")}'`, 1)
  const { base, oid, untracked } = await findStash(repository, name)
  const config = repository.config()
  const isOwn = (flag: string): boolean => /^(?:-u|--(?:no-)?include-untracked|--only-untracked)$/.test(flag)
  const own = flags.findLast(isOwn)
  const forms = flags.filter(flag => !isOwn(flag))
  if (flags.length === 0) {
    if (config.bool('stash.showstat', true)) forms.push('--stat')
    if (config.has('stash.showpatch') && config.bool('stash.showpatch', false)) forms.push('-p')
    if (forms.length === 0) return 0
  } else if (forms.length === 0) forms.push('--stat')
  const includes =
    own === undefined
      ? config.has('stash.showincludeuntracked') && config.bool('stash.showincludeuntracked', false)
      : own !== '--no-include-untracked'
  if (own === '--only-untracked')
    return untracked === undefined ? 0 : runCommand(call, 'diff', [...forms, emptyTreeId, untracked])
  if (!includes || untracked === undefined) return runCommand(call, 'diff', [...forms, base, oid])
  return runCommand(call, 'diff', [...forms, base, await withUntracked(repository, oid, untracked)])
}

/** The tree of the stash combined with that of its untracked files, for this process only. */
async function withUntracked(repository: Repository, oid: ObjectId, untracked: ObjectId): Promise<ObjectId> {
  const tree = await repository.treeOf(oid)
  const known = new Set((await listTree(repository, tree)).map(({ path }) => path))
  const added = await listTree(repository, await repository.treeOf(untracked))
  const twice = added.find(({ path }) => known.has(path))
  if (twice !== undefined)
    throw new GitFailure(
      `error: worktree and untracked commit have duplicate entries: ${twice.path}\nfatal: failed to unpack trees`,
      128,
    )
  return treeWithChanges(repository, tree, new Map(added.map(({ path, mode, oid: blob }) => [path, { mode, oid: blob }])))
}

async function drop(call: GitCall, repository: Repository, args: readonly string[]): Promise<number> {
  const options = parse(args, usages.drop, [quiet])
  const name = oneName(options)
  const found = await findStash(repository, name)
  if (found.number === undefined) throw new GitFailure(`error: '${name ?? ''}' is not a stash reference`, 1)
  const changes = new Changes()
  await dropStash(repository, changes, found.number)
  await repository.commit(changes)
  if (!options.has('quiet')) await tellDropped(call, found, name)
  return 0
}

async function clear(repository: Repository): Promise<number> {
  const changes = new Changes()
  if ((await repository.refs.idOf('refs/stash')) !== undefined) {
    await repository.refs.update(changes, { name: 'refs/stash', oid: undefined, message: '' })
  }
  await repository.commit(changes)
  return 0
}

async function store(repository: Repository, args: readonly string[]): Promise<number> {
  const options = parse(args, usages.store, [quiet, { names: ['m', 'message'], argument: { name: 'message' } }])
  const [word] = options.all
  const oid = word === undefined ? undefined : (await resolveRevision(repository, word))?.oid
  if (oid === undefined) throw new GitFailure(options.has('quiet') ? '' : `Cannot update refs/stash with ${word ?? ''}`, 1)
  if (oid === (await repository.refs.idOf('refs/stash'))) return 0
  const changes = new Changes()
  await storeStash(repository, changes, oid, options.value('message') ?? 'Created via "git stash store".')

  await repository.commit(changes)
  return 0
}
