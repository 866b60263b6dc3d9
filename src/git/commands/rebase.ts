// `git rebase`. Of `-i` only what an editor that changes nothing makes of it.

import type { GitCall } from '../call.ts'
import { failure, fatal, GitFailure, notBuilt } from '../errors.ts'
import { keptAside, restoreAside, stashAside } from '../merge/autostash.ts'
import { commitRange } from '../merge/commit-range.ts'
import { commitsWithTwin } from '../merge/equal-patches.ts'
import { readState } from '../merge/merge-state.ts'
import { autosquashed, withCommands } from '../merge/rebase-steps.ts'
import { Rebaser } from '../merge/rebaser.ts'
import { conflictStyle, strategyOptions } from '../merge/replay.ts'
import { stagedPaths, unstagedPaths } from '../merge/update-work-tree.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { forkPoint } from '../revs/fork-point.ts'
import { mergeBases } from '../revs/merge-base.ts'
import { findRef, peel, resolveRevision, upstreamOf } from '../revs/revision.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { emptyTreeId, type ObjectId } from '../store/object-format.ts'
import { refuseCheckedOutElsewhere } from '../work/worktrees.ts'
import type { GitCommand } from './command.ts'
import { acceptsSteps, acceptsUnedited } from './message.ts'

const noSequence = 'choosing steps in an editor is not built into this git; GIT_SEQUENCE_EDITOR=: takes them as they are'

export { keepMergeStash, restoreMergeStash, withAutostash } from '../merge/autostash.ts'

export const rebase: GitCommand = {
  name: 'rebase',
  summary: 'Reapply commits on top of another base tip',
  options: {
    rows: [
      { names: ['onto'], argument: { name: 'revision' } },
      { names: ['keep-base'], refuses: 'keeping the base is not built into this git' },
      { names: ['no-verify'], isIgnored: true },
      { names: ['q', 'quiet'] },
      { names: ['v', 'verbose'], refuses: 'it is not built into this git; use --stat' },
      { names: ['n', 'no-stat'], isNegatable: false },
      { names: ['stat'], isNegatable: false },
      { names: ['signoff'], refuses: 'adding lines to messages is not built into this git' },
      { names: ['f', 'force-rebase'] },
      { names: ['no-ff'], key: 'force-rebase' },
      { names: ['continue'], isNegatable: false },
      { names: ['skip'], isNegatable: false },
      { names: ['abort'], isNegatable: false },
      { names: ['quit'], isNegatable: false },
      { names: ['edit-todo'], refuses: noSequence },
      {
        names: ['show-current-patch'],
        refuses: 'showing the current patch is not built into this git; run "git show REBASE_HEAD"',
      },
      { names: ['apply'], refuses: 'rebasing by patches is not built into this git; leave it out' },
      { names: ['m', 'merge'], isIgnored: true },
      { names: ['i', 'interactive'] },
      { names: ['rerere-autoupdate'], isIgnored: true },
      { names: ['empty'], argument: { name: 'mode' } },
      { names: ['autosquash'] },
      { names: ['autostash'] },
      { names: ['x', 'exec'], argument: { name: 'exec' } },
      {
        names: ['r', 'rebase-merges'],
        argument: { name: 'mode', isOptional: true },
        refuses: 'keeping merges is not built into this git',
      },
      {
        names: ['fork-point'],
        refuses: 'reading the fork point from a log is not built into this git; name the commit with --onto',
      },
      { names: ['s', 'strategy'], argument: { name: 'strategy' }, accepts: ['ort', 'recursive'], isIgnored: true },
      { names: ['X', 'strategy-option'], argument: { name: 'option' } },
      { names: ['root'] },
      { names: ['reapply-cherry-picks'] },
    ],
    usage: 'git rebase [<options>] [--onto <newbase>] [<upstream> [<branch>]]\n   or: git rebase --continue | --abort | --skip',
  },
  run: (call, options) => rebaseAs(call, options, 'rebase'),
}

/** `action` is the command that began, for the logs of references. */
export async function rebaseAs(call: GitCall, options: Options, action: string): Promise<number> {
  const repository = await call.repository()
  const rebaser = new Rebaser(call, repository, {
    ...strategyOptions(options.values('strategy-option')),
    style: conflictStyle(repository),
    isQuiet: options.has('quiet'),
    action,
  })
  const isOpen = await rebaser.isInProgress()
  const aside = (await readState(repository, 'rebase-merge/autostash'))?.trim()
  for (const name of ['continue', 'skip', 'abort', 'quit'] as const) {
    if (!options.has(name)) continue
    if (!isOpen) throw fatal('No rebase in progress?')
    const exitCode = await rebaser[name]()
    if (aside !== undefined && name === 'quit') await call.warn(keptAside)
    else if (aside !== undefined && !(await rebaser.isInProgress())) await restoreAside(call, repository, aside)
    return exitCode
  }
  if (isOpen) {
    throw fatal(
      'It seems that there is already a rebase-merge directory, and\nI wonder if you are in the middle of another rebase.  If that is the\n' +
        'case, please try\n\tgit rebase (--continue | --abort | --skip)\nIf that is not the case, please\n' +
        `\trm -fr "${repository.gitDir}/rebase-merge"\nand run me again.  I am stopping in case you still have something\nvaluable there.\n`,
    )
  }
  return start(call, repository, options, rebaser)
}

async function start(call: GitCall, repository: Repository, options: Options, rebaser: Rebaser): Promise<number> {
  const words = options.all
  const isRoot = options.has('root')
  const commands = options.values('exec')
  if (commands.length > 0 && call.environment.exec === undefined) throw failure('--exec: no command can be run from here', 129)
  if (commands.some(command => command.trim() === '')) throw failure('empty exec command')
  const upstreamName = isRoot ? undefined : (words[0] ?? (await configuredUpstream(repository)))
  const upstream =
    upstreamName === undefined ? undefined : await commitNamed(repository, upstreamName, `invalid upstream '${upstreamName}'`)
  // Without --onto the root itself is made again, on a commit of nothing.
  const makesRoot = isRoot && options.value('onto') === undefined
  const nothing = makesRoot ? await emptyCommit(repository) : ''
  const ontoName = options.value('onto') ?? upstreamName ?? nothing
  const onto = makesRoot ? nothing : await ontoCommit(repository, ontoName)
  const branchWord = isRoot ? words[0] : words[1]
  const current = await repository.head()
  const target = branchWord === undefined ? current : await branchNamed(repository, branchWord)
  if (target.branch !== undefined && target.branch !== current.branch) await refuseCheckedOutElsewhere(repository, target.branch)
  if (target.oid === undefined || current.oid === undefined) throw fatal('your current branch does not have any commits yet')
  if (!options.isNegated('update-refs') && repository.config().bool('rebase.updaterefs', false))
    throw failure('rebase.updateRefs: it is not built into this git; run with -c rebase.updateRefs=false to leave it out', 129)
  if (options.has('interactive') && !acceptsSteps(call, repository.config())) throw failure(`-i: ${noSequence}`, 129)
  const branches = { current: current.branch, now: current.oid, target: target.branch, head: target.oid }
  const plan = { ...branches, upstream, upstreamName, onto, ontoName, isRoot, branchWord, isNamed: words.length > 0 }
  if (!stashesAside(repository, options)) {
    await refuseDirty(call, repository, current.oid)
    return replayAll(call, repository, options, rebaser, plan)
  }
  const aside = await stashAside(call, repository)
  try {
    await refuseDirty(call, repository, current.oid)
    return await replayAll(call, repository, options, rebaser, plan)
  } finally {
    if (aside !== undefined && !(await rebaser.isInProgress())) await restoreAside(call, repository, aside)
  }
}

/** What was named, and where it is. */
interface NamedRebase {
  readonly current: string | undefined
  readonly now: ObjectId
  readonly target: string | undefined
  readonly head: ObjectId
  readonly upstream: ObjectId | undefined
  readonly upstreamName: string | undefined
  readonly onto: ObjectId
  readonly ontoName: string
  readonly isRoot: boolean
  readonly branchWord: string | undefined
  readonly isNamed: boolean
}

async function replayAll(
  call: GitCall,
  repository: Repository,
  options: Options,
  rebaser: Rebaser,
  plan: NamedRebase,
): Promise<number> {
  const { upstream, upstreamName, onto, ontoName, isRoot, head, target, branchWord } = plan
  const bases = upstream === undefined ? [] : await mergeBases(repository, head, [onto])
  const isForced = options.has('force-rebase')
  const fork = isRoot || plan.isNamed ? undefined : await configuredFork(repository, options, upstreamName ?? '', head)
  const all = await commitRange(
    repository,
    [isRoot ? onto : upstream, fork].filter(oid => oid !== undefined),
    [head],
    true,
  )
  const isLinear = await isLinearFrom(repository, onto, all)
  const isUpToDate =
    upstream !== undefined &&
    bases[0] === onto &&
    (fork === undefined || fork === onto) &&
    isLinear &&
    (upstream === onto || (await containsOnly(repository, onto, upstream)))
  if (isUpToDate && !options.has('interactive') && !options.has('exec')) {
    const name = target?.replace(/^refs\/heads\//, '')
    const told = name === undefined ? 'HEAD is up to date' : `Current branch ${name} is up to date`
    if (!isForced && branchWord !== undefined && target !== plan.current) throw notBuilt('a rebase that only switches branches')
    if (!options.has('quiet')) await call.print(isForced ? `${told}, rebase forced.` : `${told}.`)
    if (!isForced) return 0
  }
  const commits: ObjectId[] = []
  const left = upstream === undefined ? [] : await commitRange(repository, [head], [upstream])
  const twins = options.has('reapply-cherry-picks') ? new Set<ObjectId>() : await commitsWithTwin(repository, all, left)
  for (const oid of all) {
    if ((await repository.objects.readCommit(oid)).parents.length > 1) continue
    if (!twins.has(oid)) commits.push(oid)
    else if (!options.has('quiet'))
      await call.warn(`warning: skipped previously applied commit ${await new ShortIds(repository).of(oid)}`)
  }
  if (twins.size > 0 && !options.has('quiet')) {
    await call.warn(
      'hint: use --reapply-cherry-picks to include skipped commits\n' +
        'hint: Disable this message with "git config advice.skippedCherryPicks false"',
    )
  }
  if (showsChanges(repository, options)) {
    const base = (await mergeBases(repository, upstream ?? onto, [head]))[0]
    const { changeSummary } = await import('../merge/change-summary.ts')
    await call.out.write(await changeSummary(repository, await repository.treeOf(base), await repository.treeOf(onto), 'long'))
  }
  const squashes =
    options.has('interactive') &&
    (options.has('autosquash') || (!options.isNegated('autosquash') && repository.config().bool('rebase.autosquash', false)))
  const steps = squashes ? await autosquashed(repository, commits) : commits.map(oid => ({ verb: 'pick' as const, oid }))
  if (steps.some(({ verb }) => verb === 'squash') && !acceptsUnedited(call, repository.config()))
    throw failure('an editor is never run by this git; GIT_EDITOR=: takes the joined messages as they are', 129)
  return rebaser.start({
    onto,
    ontoName,
    head,
    branch: target,
    from: { head: plan.now },
    steps: withCommands(steps, options.values('exec')),
    isForced,
    isRoot: isRoot && options.value('onto') === undefined,
  })
}

async function emptyCommit(repository: Repository): Promise<ObjectId> {
  const [author, committer] = [await repository.identity('author'), await repository.identity('committer')]
  return repository.writeCommit({ tree: emptyTreeId, parents: [], author, committer, message: '' })
}

/** Whether local changes are put aside meanwhile. */
export function stashesAside(repository: Repository, options: Options): boolean {
  return options.has('autostash') || (!options.isNegated('autostash') && repository.config().bool('rebase.autostash', false))
}

/** The last of `--stat` and `--no-stat` wins; without them the configuration decides. */
function showsChanges(repository: Repository, options: Options): boolean {
  const last = options.given.findLast(({ key }) => key === 'stat' || key === 'no-stat')
  if (last !== undefined) return last.key !== 'no-stat'
  return !options.has('quiet') && repository.config().has('rebase.stat') && repository.config().bool('rebase.stat', false)
}

/** Whether the commits are one line without merges that starts at `onto`. */
async function isLinearFrom(repository: Repository, onto: ObjectId, commits: readonly ObjectId[]): Promise<boolean> {
  let at = onto
  for (const oid of commits) {
    const { parents } = await repository.objects.readCommit(oid)
    if (parents.length !== 1 || parents[0] !== at) return false
    at = oid
  }
  return true
}

async function containsOnly(repository: Repository, onto: ObjectId, upstream: ObjectId): Promise<boolean> {
  return (await mergeBases(repository, onto, [upstream]))[0] === onto
}

async function configuredUpstream(repository: Repository): Promise<string> {
  const { branch } = await repository.head()
  const found = branch === undefined ? undefined : upstreamOf(repository, branch)
  if (found !== undefined) return found
  throw new GitFailure(
    branch === undefined
      ? "You are not currently on a branch.\nPlease specify which branch you want to rebase against.\nSee git-rebase(1) for details.\n\n    git rebase '<branch>'\n"
      : 'There is no tracking information for the current branch.\nPlease specify which branch you want to rebase against.\n' +
          "See git-rebase(1) for details.\n\n    git rebase '<branch>'\n\nIf you wish to set tracking information for this branch you can do so with:\n\n" +
          `    git branch --set-upstream-to=<remote>/<branch> ${branch.replace(/^refs\/heads\//, '')}\n`,
    1,
  )
}

/** Without an upstream in the arguments, commits that the upstream once had and dropped are not replayed. */
async function configuredFork(
  repository: Repository,
  options: Options,
  upstream: string,
  head: ObjectId,
): Promise<ObjectId | undefined> {
  const isOff = options.isNegated('fork-point') || !repository.config().bool('rebase.forkpoint', true)
  return isOff ? undefined : forkPoint(repository, (await findRef(repository, upstream))?.name ?? upstream, head)
}

async function commitNamed(repository: Repository, name: string, message: string): Promise<ObjectId> {
  const revision = await resolveRevision(repository, name)
  const oid = revision === undefined ? undefined : await peel(repository, revision.oid, 'commit')
  if (oid === undefined) throw fatal(message)
  return oid
}

async function ontoCommit(repository: Repository, name: string): Promise<ObjectId> {
  const [, left, right] = /^(.*)\.\.\.(.*)$/.exec(name) ?? []
  if (left === undefined || right === undefined)
    return commitNamed(repository, name, `Does not point to a valid commit '${name}'`)
  const one = await commitNamed(repository, left || 'HEAD', `'${name}': need exactly one merge base`)
  const other = await commitNamed(repository, right || 'HEAD', `'${name}': need exactly one merge base`)
  const [base, ...more] = await mergeBases(repository, one, [other])
  if (base === undefined || more.length > 0) throw fatal(`'${name}': need exactly one merge base`)
  return base
}

async function branchNamed(
  repository: Repository,
  name: string,
): Promise<{ readonly branch: string | undefined; readonly oid: ObjectId | undefined }> {
  const found = await findRef(repository, name)
  if (found?.name.startsWith('refs/heads/')) return { branch: found.name, oid: found.oid }
  return { branch: undefined, oid: await commitNamed(repository, name, `no such branch/commit '${name}'`) }
}

/** Rejects while files or index differ from the last commit. `doing` is what cannot be done. */
export async function refuseDirty(
  call: GitCall,
  repository: Repository,
  head: ObjectId,
  doing: 'rebase' | 'pull with rebase' = 'rebase',
): Promise<void> {
  const index = await repository.readIndex()
  for (const path of index.conflicts()) await call.print(`${path}: needs merge`)
  const hasUnstaged = (await unstagedPaths(repository, index)).length > 0
  const hasStaged = (await stagedPaths(repository, index, await repository.treeOf(head))).length > 0
  if (!hasUnstaged && !hasStaged) return
  const isPull = doing !== 'rebase'
  const first = hasUnstaged ? 'You have unstaged changes.' : 'Your index contains uncommitted changes.'
  const second = hasUnstaged && hasStaged ? '\nerror: additionally, your index contains uncommitted changes.' : ''
  throw new GitFailure(
    `error: cannot ${doing}: ${first}${second}\nerror: ${isPull ? 'please' : 'Please'} commit or stash them.`,
    isPull ? 128 : 1,
  )
}
