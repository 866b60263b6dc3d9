// Shared by `checkout` and `switch`: moving HEAD to another branch or commit.

import { subjectOf } from '../revs/subject.ts'
import type { GitCall } from '../call.ts'
import { GitFailure } from '../errors.ts'
import { statusOf } from '../diff/file-pair.ts'
import type { GitIndex } from '../index/git-index.ts'
import { quoteFor } from '../quote.ts'
import { Changes, type Repository } from '../repository.ts'
import { peel } from '../revs/revision.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { countBetween, trackingOf } from '../revs/tracking.ts'
import type { ObjectId } from '../store/object-format.ts'
import { refreshStats } from '../work/keep-refreshed.ts'
import { diffIndexToTree, diffWorkTree } from '../work/status.ts'
import { checkoutWords, forceTree, switchTree } from '../work/switch-tree.ts'
import { endAutostash } from '../merge/end-autostash.ts'
import { mergeStateFiles } from '../merge/state-files.ts'
import { type SwitchTarget, tellUpstream } from './new-branch.ts'
import { trackingLines } from './tracking-lines.ts'
import { keepUpstream, rebases } from './upstream.ts'

export interface SwitchSettings {
  readonly isQuiet: boolean
  /** A new branch at HEAD changes nothing, so git does not list edited files. */
  readonly skipsList?: boolean
  readonly force: Force
  /** Do not overwrite ignored files. */
  readonly keepsIgnored: boolean
  readonly showsAdvice: boolean
}

/** What a switch may discard: nothing, edits of tracked files, or also untracked files in the way. */
export type Force = 'none' | 'tracked' | 'all'

export async function switchTo(
  call: GitCall,
  repository: Repository,
  target: SwitchTarget,
  settings: SwitchSettings,
): Promise<number> {
  const { isQuiet, force, keepsIgnored } = settings
  const isForced = force !== 'none'
  const before = await repository.head()
  const index = await repository.readIndex()
  const staysHere = settings.skipsList === true && target.oid === before.oid
  if (index.hasConflicts && !isForced && !staysHere) throw await tellConflicts(call, index)
  const changes = new Changes()
  const { oid } = target
  if (oid !== undefined) {
    const to = await repository.treeOf(oid)
    if (isForced) await forceTree(repository, changes, index, to, force === 'all' ? undefined : { keepsIgnored })
    else if (!staysHere) {
      await refreshStats(repository, index)
      const from = before.oid === undefined ? undefined : await repository.treeOf(before.oid)
      if (oid !== before.oid) await switchTree(repository, changes, index, from, to, { ...checkoutWords, keepsIgnored })
    }
  }
  await moveHead(repository, changes, before, target)
  await repository.removeState(changes, ...mergeStateFiles, 'MERGE_RR', 'SQUASH_MSG')
  await repository.commit(changes, index)
  await endAutostash(call, repository, 'keepMergeStash')
  if (!isQuiet && oid !== undefined && !isForced && settings.skipsList !== true)
    await listLocalChanges(call, repository, index, oid)
  if (!isQuiet) await tell(call, repository, before, target, settings)
  return 0
}

/** Throws the failure of moving `HEAD`, after a line for each conflict. */
export async function tellConflicts(call: GitCall, index: GitIndex): Promise<GitFailure> {
  for (const path of index.conflicts()) await call.print(`${path}: needs merge`)
  return new GitFailure('error: you need to resolve your current index first', 1)
}

type Head = Awaited<ReturnType<Repository['head']>>

async function moveHead(repository: Repository, changes: Changes, before: Head, target: SwitchTarget): Promise<void> {
  const from = before.branch === undefined ? (before.oid ?? '') : before.branch.replace('refs/heads/', '')
  const { branch, oid, text, creates } = target
  const message = `checkout: moving from ${from} to ${branch === undefined ? text : branch.replace('refs/heads/', '')}`
  if (branch === undefined) {
    if (oid !== undefined) await repository.refs.detach(changes, oid, message)
    return
  }
  if (creates !== 'no' && oid !== undefined) {
    const start = creates === 'new' ? 'Created from' : 'Reset to'
    const shown = (target.start ?? 'HEAD').replace(/^refs\/(remotes|heads)\//, '')
    const makesLog = target.makesLog ?? false
    await repository.refs.update(changes, { name: branch, oid, message: `branch: ${start} ${shown}`, makesLog })
  }
  changes.write(repository.refs.pathOf('HEAD'), new TextEncoder().encode(`ref: ${branch}\n`))
  changes.lock(`${repository.refs.pathOf('HEAD')}.lock`)
  if (before.oid !== undefined && oid !== undefined) await repository.refs.log(changes, 'HEAD', before.oid, oid, message)
  if (target.upstream !== undefined) await keepUpstream(repository, changes, branch.replace('refs/heads/', ''), target.upstream)
}

/** Lists edited files as rows of letter and path. */
export async function listLocalChanges(call: GitCall, repository: Repository, index: GitIndex, oid: ObjectId): Promise<void> {
  const quote = quoteFor(repository.config())
  const rows = new Map<string, string>()
  const staged = new Map((await diffIndexToTree(repository, index, await repository.treeOf(oid))).map(row => [row.path, row]))
  const edited = new Map((await diffWorkTree(repository, index)).changes.map(row => [row.path, row]))
  for (const path of new Set([...staged.keys(), ...edited.keys()])) {
    const [inIndex, inWork] = [staged.get(path), edited.get(path)]
    const isAnnounced = index.get(path)?.isIntentToAdd === true
    const before = inIndex === undefined ? (isAnnounced ? undefined : inWork?.before) : inIndex.before
    const after = inWork === undefined ? inIndex?.after : inWork.after
    // New in the index, and missing in the work tree.
    if (before !== undefined || after !== undefined) rows.set(path, statusOf(before, after))
  }
  for (const [path, letter] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1))) await call.print(`${letter}\t${quote(path)}`)
}

async function tell(
  call: GitCall,
  repository: Repository,
  before: Head,
  target: SwitchTarget,
  { showsAdvice }: SwitchSettings,
): Promise<void> {
  const ids = new ShortIds(repository)
  const { branch, oid } = target
  if (before.branch === undefined && before.oid !== undefined && oid !== undefined && before.oid !== oid) {
    const lost = await orphaned(repository, before.oid)
    if (lost > 0)
      await call.warn(
        `Warning: you are leaving ${lost} commit${lost === 1 ? '' : 's'} behind, not connected to\nany of your branches:\n\n  ${await ids.of(before.oid)} ${subjectOf((await repository.objects.readCommit(before.oid)).message)}\n`,
      )
    else
      await call.warn(
        `Previous HEAD position was ${await ids.of(before.oid)} ${subjectOf((await repository.objects.readCommit(before.oid)).message)}`,
      )
  }
  if (branch === undefined) {
    if (oid === undefined) return
    if (showsAdvice && before.branch !== undefined && repository.config().bool('advice.detachedhead', true))
      await call.warn(detachedAdvice(target.text))
    await call.warn(`HEAD is now at ${await ids.of(oid)} ${subjectOf((await repository.objects.readCommit(oid)).message)}`)
    return
  }
  const name = branch.replace('refs/heads/', '')
  const creates = target.creates
  if (creates === 'no' && before.branch === branch) await call.warn(`Already on '${name}'`)
  else if (creates === 'new') await call.warn(`Switched to a new branch '${name}'`)
  else if (creates === 'reset')
    await call.warn(before.branch === branch ? `Reset branch '${name}'` : `Switched to and reset branch '${name}'`)
  else await call.warn(`Switched to branch '${name}'`)
  if (target.upstream !== undefined)
    await call.print(tellUpstream(name, target.upstream, rebases(repository, target.upstream.remote === '.')))
  if (creates === 'no' || target.upstream === undefined) {
    const lines = trackingLines(await trackingOf(repository, branch, oid))
    if (lines.length > 0) await call.print(lines.join('\n').replace(/\n$/, ''))
  }
}

async function orphaned(repository: Repository, oid: ObjectId): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY
  for (const ref of await repository.refs.list()) {
    const commit = await peel(repository, ref.oid, 'commit')
    if (commit === undefined) continue
    const [ahead] = await countBetween(repository, oid, commit)
    fewest = Math.min(fewest, ahead)
    if (fewest === 0) return 0
  }
  return Number.isFinite(fewest) ? fewest : 0
}

function detachedAdvice(name: string): string {
  return (
    `Note: switching to '${name}'.\n\nYou are in 'detached HEAD' state. You can look around, make experimental\nchanges and commit them, and you can discard any commits you make in this\n` +
    `state without impacting any branches by switching back to a branch.\n\nIf you want to create a new branch to retain commits you create, you may\ndo so (now or later) by using -c with the switch command. Example:\n\n` +
    `  git switch -c <new-branch-name>\n\nOr undo this operation with:\n\n  git switch -\n\nTurn off this advice by setting config variable advice.detachedHead to false\n`
  )
}
