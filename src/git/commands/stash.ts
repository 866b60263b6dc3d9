// `git stash`.

import type { GitCall } from '../call.ts'
import { GitFailure } from '../errors.ts'
import { listTree } from '../diff/tree-diff.ts'
import { checkOutMerge } from '../merge/outcome.ts'
import { createStash, pushStash, type StashPushOptions } from '../merge/stash.ts'
import { applyStash } from '../merge/apply-stash.ts'
import { dropStash, findStash, listStashes, type Stash, storeStash } from '../merge/stash-list.ts'
import { treeWithChanges } from '../merge/tree-with-changes.ts'
import { type OptionRow, type Options, parseOptions } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import { resolveRevision } from '../revs/revision.ts'
import { emptyTreeId, type ObjectId } from '../store/object-format.ts'
import { checkedBranchName } from '../store/refs.ts'
import { parsePathspec } from '../work/pathspec.ts'
import { pathspecWords } from './pathspec-words.ts'
import type { GitCommand } from './command.ts'
import { tellConflicts } from './switch-branch.ts'

const usage =
  'git stash list [<log-options>]\n   or: git stash show [<diff-options>] [<stash>]\n   or: git stash drop [-q | --quiet] [<stash>]\n' +
  '   or: git stash pop [--index] [-q | --quiet] [<stash>]\n   or: git stash apply [--index] [-q | --quiet] [<stash>]\n' +
  '   or: git stash branch <branchname> [<stash>]\n' +
  '   or: git stash [push [-k | --[no-]keep-index] [-u | --include-untracked] [-a | --all] [-S | --staged] [-q | --quiet]\n' +
  '                [(-m | --message) <message>] [--] [<pathspec>...]]\n   or: git stash clear'

const pushRows: readonly OptionRow[] = [
  { names: ['k', 'keep-index'] },
  { names: ['S', 'staged'] },
  { names: ['p', 'patch'], refuses: 'choosing hunks by hand is not built into this git' },
  { names: ['q', 'quiet'] },
  { names: ['u', 'include-untracked'] },
  { names: ['a', 'all'] },
  { names: ['m', 'message'], argument: { name: 'message' } },
  { names: ['pathspec-from-file'], argument: { name: 'file' } },
  { names: ['pathspec-file-nul'] },
]
const quiet: OptionRow = { names: ['q', 'quiet'] }
const restoreIndex: OptionRow = { names: ['index'] }

export const stash: GitCommand = {
  name: 'stash',
  summary: 'Stash the changes in a dirty working directory away',
  options: { rows: pushRows, usage },
  isRaw: true,
  async run(call, _options, args) {
    const [name, ...rest] = args
    const repository = await call.repository()
    switch (name) {
      case 'push':
        return push(call, repository, parse(rest))
      case 'save': {
        const options = parse(rest)
        return pushStash(call, repository, {
          ...pushOptions(repository, options, []),
          message: options.all.join(' ') || undefined,
        })
      }
      case 'list':
        return list(call, repository, rest)
      case 'show':
        return show(call, repository, rest)
      case 'pop':
      case 'apply':
        return restore(call, repository, rest, name)
      case 'drop':
        return drop(call, repository, rest)
      case 'branch':
        return branch(call, repository, rest)
      case 'clear':
        return clear(repository)
      case 'create':
        return create(call, repository, rest)
      case 'store':
        return store(repository, rest)
      default: {
        const options = parse(args)
        const [token] = options.words
        if (token !== undefined) {
          throw new GitFailure(
            `fatal: subcommand wasn't specified; 'push' can't be assumed due to unexpected token '${token}'`,
            128,
          )
        }
        return push(call, repository, options)
      }
    }
  },
}

function parse(args: readonly string[], rows: readonly OptionRow[] = pushRows): Options {
  return parseOptions({ rows, usage }, args)
}

function pushOptions(repository: Repository, options: Options, paths: readonly string[]): StashPushOptions {
  return {
    message: options.value('message'),
    keepsIndex: options.has('keep-index'),
    untracked: options.has('all') ? 'all' : options.has('include-untracked') ? 'untracked' : 'none',
    isStagedOnly: options.has('staged'),
    isQuiet: options.has('quiet'),
    paths: paths.length === 0 ? undefined : parsePathspec(repository, paths),
  }
}

async function push(call: GitCall, repository: Repository, options: Options): Promise<number> {
  const words = await pathspecWords(call, options)
  const chosen = pushOptions(repository, options, words)
  const missing = await unknownPath(repository, words, chosen)
  if (missing !== undefined) {
    throw new GitFailure(`error: pathspec ':/${missing}' did not match any file(s) known to git\nDid you forget to 'git add'?`, 1)
  }
  return pushStash(call, repository, chosen)
}

/** A path that matches nothing in the index or the stash. */
async function unknownPath(
  repository: Repository,
  words: readonly string[],
  { untracked }: StashPushOptions,
): Promise<string | undefined> {
  if (untracked !== 'none') return undefined
  const paths = (await repository.readIndex()).paths()
  return words.find(word => {
    const one = parsePathspec(repository, [word])
    return !paths.some(path => one.matches(path))
  })
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

async function runCommand(call: GitCall, name: string, args: readonly string[]): Promise<number> {
  const { commandTable } = await import('./table.ts')
  const command = await commandTable[name]?.()
  if (command === undefined) throw new GitFailure(`error: git ${name} is not built into this git`, 129)
  return command.run(call, parseOptions(command.options, command.isRaw ? [] : args), args)
}

async function show(call: GitCall, repository: Repository, args: readonly string[]): Promise<number> {
  const flags = args.filter(arg => arg.startsWith('-'))
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

async function restore(call: GitCall, repository: Repository, args: readonly string[], kind: 'pop' | 'apply'): Promise<number> {
  const options = parse(args, [quiet, restoreIndex])
  const found = await findStash(repository, oneName(options))
  if (kind === 'pop' && found.number === undefined) throw new GitFailure(`error: '${options.all[0]}' is not a stash reference`, 1)
  const restoresIndex = options.has('index')
  let isClean = false
  try {
    isClean = await applyStash(call, repository, found, { restoresIndex, isDropped: kind === 'pop' })
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    if (error.message !== '') await call.warn(error.message)
    if (!options.has('quiet') && error.message.includes('would be overwritten')) await runCommand(call, 'status', [])
    if (kind === 'pop') await call.print('The stash entry is kept in case you need it again.')
    return 1
  }
  if (!options.has('quiet')) await runCommand(call, 'status', [])
  if (!isClean) {
    if (kind === 'pop') await call.print('The stash entry is kept in case you need it again.')
    return 1
  }
  if (kind === 'pop' && !options.has('quiet')) await tellDropped(call, found, options.all[0])
  return 0
}

function oneName(options: Options): string | undefined {
  const [name, ...more] = options.all
  if (more.length > 0) throw new GitFailure(`Too many revisions specified: ${options.all.map(word => `'${word}'`).join(' ')}`, 1)
  return name
}

async function tellDropped(call: GitCall, { oid, number = 0 }: Stash, name = ''): Promise<void> {
  await call.print(`Dropped ${/^\d*$/.test(name) ? `refs/stash@{${number}}` : name} (${oid})`)
}

async function drop(call: GitCall, repository: Repository, args: readonly string[]): Promise<number> {
  const options = parse(args, [quiet])
  const name = oneName(options)
  const found = await findStash(repository, name)
  if (found.number === undefined) throw new GitFailure(`error: '${name ?? ''}' is not a stash reference`, 1)
  const changes = new Changes()
  await dropStash(repository, changes, found.number)
  await repository.commit(changes)
  if (!options.has('quiet')) await tellDropped(call, found, name)
  return 0
}

async function branch(call: GitCall, repository: Repository, args: readonly string[]): Promise<number> {
  const [name, ...rest] = args
  if (name === undefined) throw new GitFailure('No branch name specified', 1)
  const found = await findStash(repository, rest[0])
  const full = checkedBranchName(name)
  if ((await repository.refs.read(full)) !== undefined)
    throw new GitFailure(`fatal: a branch named '${name}' already exists`, 128)
  const { oid: head, branch: from } = await repository.head()
  const index = await repository.readIndex()
  if (index.hasConflicts) throw await tellConflicts(call, index)
  const changes = new Changes()
  await checkOutMerge(repository, index, changes, {
    from: head === undefined ? undefined : await repository.treeOf(head),
    into: await repository.treeOf(found.base),
    operation: 'checkout',
  })
  await repository.refs.update(changes, { name: full, oid: found.base, message: `branch: Created from ${found.base}` })
  const old = from === undefined ? (head ?? '') : from.replace(/^refs\/heads\//, '')
  await repository.refs.setSymbolic(changes, 'HEAD', full)
  await repository.refs.log(changes, 'HEAD', head ?? found.base, found.base, `checkout: moving from ${old} to ${name}`)
  await repository.commit(changes, index)
  await call.warn(`Switched to a new branch '${name}'`)
  const isClean = await applyStash(call, repository, found, { restoresIndex: true, isDropped: true })
  await runCommand(call, 'status', [])
  if (!isClean) return 1
  if (found.number !== undefined) await tellDropped(call, found, rest[0])
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

async function create(call: GitCall, repository: Repository, words: readonly string[]): Promise<number> {
  const options = { ...pushOptions(repository, parse([]), []), message: words.join(' ') || undefined }
  const saved = await createStash(call, repository, await repository.readIndex(), options)
  if (saved === undefined) return 0
  await repository.objects.flush()
  await call.print(saved.oid)
  return 0
}

async function store(repository: Repository, args: readonly string[]): Promise<number> {
  const options = parse(args, [quiet, { names: ['m', 'message'], argument: { name: 'message' } }])
  const [word] = options.all
  const oid = word === undefined ? undefined : (await resolveRevision(repository, word))?.oid
  if (oid === undefined) throw new GitFailure(`Cannot update refs/stash with ${word ?? ''}`, 1)
  if (oid === (await repository.refs.idOf('refs/stash'))) return 0
  const changes = new Changes()
  await storeStash(repository, changes, oid, options.value('message') ?? 'Created via "git stash store".')

  await repository.commit(changes)
  return 0
}
