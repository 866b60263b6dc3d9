// The long form of `git status`, which `commit` also prints when there is nothing to commit.

import { inColumns, outputWidth } from '../text-columns.ts'
import { quoteFor, relativePath } from '../quote.ts'
import type { Repository } from '../repository.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { trackingIn } from '../revs/tracking.ts'
import { trackingLines } from './tracking-lines.ts'
import { modes, type ObjectId } from '../store/object-format.ts'
import { detachedText, operationsOf, type Operation } from '../work/operation.ts'
import type { Status, StatusRow, UntrackedMode } from '../work/status.ts'

export interface LongStatusOptions {
  readonly branch: string | undefined
  readonly oid: ObjectId | undefined
  readonly untracked: UntrackedMode
  readonly showsIgnored: boolean
  /** Names are relative to this directory. */
  readonly prefix: string
  readonly isAmend?: boolean
  /** The status is part of a commit message. */
  readonly isForCommit?: boolean
  /** False: only report whether the upstream differs. */
  readonly countsAhead?: boolean
  /** The layout of untracked files, in the form of `--column`. */
  readonly column?: string | undefined
  /** Patches before the last line. */
  readonly patches?: (() => Promise<string>) | undefined
}

const words: Readonly<Record<string, string>> = {
  A: 'new file:',
  D: 'deleted:',
  M: 'modified:',
  R: 'renamed:',
  C: 'copied:',
  T: 'typechange:',
  U: 'unmerged:',
}
const conflictWords: Readonly<Record<string, string>> = {
  DD: 'both deleted:',
  AU: 'added by us:',
  UD: 'deleted by them:',
  UA: 'added by them:',
  DU: 'deleted by us:',
  AA: 'both added:',
  UU: 'both modified:',
}

export async function longStatus(repository: Repository, status: Status, options: LongStatusOptions): Promise<string> {
  const { branch, oid, untracked, showsIgnored, prefix, isAmend = false, isForCommit = isAmend } = options
  const quote = quoteFor(repository.config())
  const shown = (path: string): string => quote(relativePath(path, prefix))
  const operations = await operationsOf(repository)
  const staged = status.rows.filter(row => row.staged !== undefined)
  const unstaged = status.rows.filter(row => row.unstaged !== undefined)
  const conflicts = status.rows.filter(row => row.conflict !== undefined)
  const lines: string[] = [await headLine(repository, branch, oid, operations)]
  const hints = repository.config().bool('advice.statushints', true)
  if (branch !== undefined && oid !== undefined) {
    const tracking = trackingLines(await trackingIn(repository, branch, oid, options.countsAhead ?? true))
    lines.push(...tracking.filter(line => hints || !line.startsWith('  (')))
  }
  if (operations.length > 0) {
    const told = await operationLines(repository, operations, conflicts.length > 0, isAmend)
    lines.push(...told.filter(line => hints || !line.startsWith('  (')))
  }
  if (oid === undefined) lines.push('', isForCommit ? 'Initial commit' : 'No commits yet', '')
  const hint = (text: string): void => {
    if (hints) lines.push(`  (${text})`)
  }
  const isMerging = operations.some(({ kind, isStopped }) => kind === 'merge' || (kind === 'cherry-pick' && isStopped))
  const unstageHint =
    oid === undefined ? 'use "git rm --cached <file>..." to unstage' : 'use "git restore --staged <file>..." to unstage'
  if (staged.length > 0) {
    lines.push('Changes to be committed:')
    if (!isMerging) hint(unstageHint)
    for (const { staged: pair } of staged) {
      if (pair === undefined) continue
      const name =
        pair.status === 'R' || pair.status === 'C' ? `${shown(pair.beforePath)} -> ${shown(pair.path)}` : shown(pair.path)
      lines.push(`\t${(words[pair.status] ?? '').padEnd(12)}${name}`)
    }
    lines.push('')
  }
  if (conflicts.length > 0) lines.push(...conflictLines(conflicts, shown, { hints, isMerging, unstageHint }))
  if (unstaged.length > 0) {
    lines.push('Changes not staged for commit:')
    const hasDeleted = unstaged.some(row => row.unstaged?.status === 'D')
    hint(
      hasDeleted
        ? 'use "git add/rm <file>..." to update what will be committed'
        : 'use "git add <file>..." to update what will be committed',
    )
    hint('use "git restore <file>..." to discard changes in working directory')
    for (const { unstaged: pair } of unstaged) {
      if (pair === undefined) continue
      const name = pair.status === 'R' ? `${shown(pair.beforePath)} -> ${shown(pair.path)}` : shown(pair.path)
      const isMoved = pair.status === 'M' && pair.after?.mode === modes.submodule
      lines.push(`\t${(words[pair.status] ?? '').padEnd(12)}${name}${isMoved ? ' (new commits)' : ''}`)
    }
    lines.push('')
  }
  const list = (paths: readonly string[]): readonly string[] =>
    inColumns(paths.map(shown), options.column, { indent: '\t', padding: 1, width: outputWidth(repository.environment.env) })
  if (status.untracked.length > 0) {
    lines.push('Untracked files:')
    hint('use "git add <file>..." to include in what will be committed')
    lines.push(...list(status.untracked), '')
  }
  if (showsIgnored && status.ignored.length > 0) {
    lines.push('Ignored files:')
    hint('use "git add -f <file>..." to include in what will be committed')
    lines.push(...list(status.ignored), '')
  }
  if (untracked === 'no' && staged.length > 0)
    lines.push(`Untracked files not listed${hints ? ' (use -u option to show untracked files)' : ''}`)
  const patches = (await options.patches?.()) ?? ''
  if (patches !== '') lines.push(patches.replace(/\n$/, ''))
  if (staged.length === 0)
    lines.push(
      lastLine(status, {
        hints,
        isAmend,
        untracked,
        isInitial: oid === undefined,
        isChanged: unstaged.length + conflicts.length > 0,
      }),
    )
  return `${lines.join('\n')}\n`
}

interface LastLine {
  readonly hints: boolean
  readonly isAmend: boolean
  readonly untracked: UntrackedMode
  readonly isInitial: boolean
  readonly isChanged: boolean
}

function lastLine(status: Status, { hints, isAmend, untracked, isInitial, isChanged }: LastLine): string {
  if (isAmend) return 'No changes'
  if (isChanged) return hints ? 'no changes added to commit (use "git add" and/or "git commit -a")' : 'no changes added to commit'
  if (status.untracked.length > 0) {
    return hints
      ? 'nothing added to commit but untracked files present (use "git add" to track)'
      : 'nothing added to commit but untracked files present'
  }
  if (isInitial) return hints ? 'nothing to commit (create/copy files and use "git add" to track)' : 'nothing to commit'
  if (untracked === 'no') return hints ? 'nothing to commit (use -u to show untracked files)' : 'nothing to commit'
  return 'nothing to commit, working tree clean'
}

async function headLine(
  repository: Repository,
  branch: string | undefined,
  oid: ObjectId | undefined,
  operations: readonly Operation[],
): Promise<string> {
  const rebase = operations.find(({ kind }) => kind === 'rebase')
  const ids = new ShortIds(repository)
  if (rebase !== undefined && branch === undefined) {
    const onto = rebase.onto ?? ''
    return `${rebase.isInteractive ? 'interactive rebase' : 'rebase'} in progress; onto ${onto === '' ? '' : await ids.of(onto)}`
  }
  if (branch !== undefined) return `On branch ${branch.replace('refs/heads/', '')}`
  const detached = oid === undefined ? undefined : await detachedText(repository, oid)
  return detached === undefined ? 'Not currently on any branch.' : `HEAD ${detached}`
}

const shownSteps = 2

/** The last steps of a rebase that were done, and the next ones. */
async function stepLines(repository: Repository): Promise<readonly string[]> {
  const ids = new ShortIds(repository)
  const stepsOf = async (name: string): Promise<readonly string[]> => {
    const rows = ((await repository.readState(`rebase-merge/${name}`)) ?? '').split('\n')
    const steps: string[] = []
    for (const row of rows) {
      if (row.trim() === '' || row.startsWith('#')) continue
      const [, before = '', oid = ''] = /^(\S+ )([0-9a-f]{40})(?![0-9a-f])/.exec(row) ?? []
      steps.push(oid === '' ? row : `${before}${await ids.of(oid)}${row.slice(before.length + oid.length)}`)
    }
    return steps
  }
  const root = `${repository.root}/`
  const shownGitDir = repository.gitDir.startsWith(root) ? repository.gitDir.slice(root.length) : repository.gitDir
  const [done, todo] = [await stepsOf('done'), await stepsOf('git-rebase-todo')]
  const lines: string[] = []
  if (done.length === 0) lines.push('No commands done.')
  else {
    lines.push(
      done.length === 1 ? 'Last command done (1 command done):' : `Last commands done (${done.length} commands done):`,
      ...done.slice(-shownSteps).map(step => `   ${step}`),
    )
    if (done.length > shownSteps) lines.push(`  (see more in file ${shownGitDir}/rebase-merge/done)`)
  }
  if (todo.length === 0) lines.push('No commands remaining.')
  else
    lines.push(
      todo.length === 1
        ? 'Next command to do (1 remaining command):'
        : `Next commands to do (${todo.length} remaining commands):`,
      ...todo.slice(0, shownSteps).map(step => `   ${step}`),
      '  (use "git rebase --edit-todo" to view and edit)',
    )
  return lines
}

async function operationLines(
  repository: Repository,
  operations: readonly Operation[],
  hasConflicts: boolean,
  isAmend: boolean,
): Promise<readonly string[]> {
  const lines: string[] = []
  const ids = new ShortIds(repository)
  for (const operation of operations) {
    const { kind, name = '', onto = '', isEmpty = false } = operation
    switch (kind) {
      case 'merge':
        if (hasConflicts)
          lines.push(
            'You have unmerged paths.',
            '  (fix conflicts and run "git commit")',
            '  (use "git merge --abort" to abort the merge)',
            '',
          )
        else lines.push('All conflicts fixed but you are still merging.', '  (use "git commit" to conclude merge)', '')
        break
      case 'rebase': {
        if (operation.isInteractive) lines.push(...(await stepLines(repository)))
        const branch =
          name === '' || name === 'detached HEAD' ? '' : ` branch '${name}' on '${onto === '' ? '' : await ids.of(onto)}'`
        const isResolved = !operation.isInteractive || (await repository.readState('MERGE_MSG')) !== undefined
        if (hasConflicts)
          lines.push(
            `You are currently rebasing${branch}.`,
            '  (fix conflicts and then run "git rebase --continue")',
            '  (use "git rebase --skip" to skip this patch)',
            '  (use "git rebase --abort" to check out the original branch)',
          )
        else if (isResolved)
          lines.push(`You are currently rebasing${branch}.`, '  (all conflicts fixed: run "git rebase --continue")')
        else
          lines.push(
            `You are currently editing a commit${branch === '' ? ' during a rebase' : ` while rebasing${branch}`}.`,
            ...(isAmend ? [] : ['  (use "git commit --amend" to amend the current commit)']),
            '  (use "git rebase --continue" once you are satisfied with your changes)',
          )
        lines.push('')
        break
      }
      case 'cherry-pick':
      case 'revert': {
        const ing = kind === 'revert' ? 'reverting' : 'cherry-picking'
        const what = kind === 'revert' ? 'revert' : 'cherry-pick'
        lines.push(
          name === ''
            ? `${ing === 'reverting' ? 'Revert' : 'Cherry-pick'} currently in progress.`
            : `You are currently ${ing} commit ${await ids.of(name)}.`,
        )
        lines.push(
          hasConflicts
            ? `  (fix conflicts and run "git ${what} --continue")`
            : name === ''
              ? `  (run "git ${what} --continue" to continue)`
              : `  (all conflicts fixed: run "git ${what} --continue")`,
        )
        lines.push(
          `  (use "git ${what} --skip" to skip this patch)`,
          `  (use "git ${what} --abort" to cancel the ${what} operation)`,
          '',
        )
        break
      }
      case 'am':
        lines.push(
          'You are in the middle of an am session.',
          isEmpty ? 'The current patch is empty.' : '  (fix conflicts and then run "git am --continue")',
          '  (use "git am --skip" to skip this patch)',
          ...(isEmpty ? ['  (use "git am --allow-empty" to record this patch as an empty commit)'] : []),
          '  (use "git am --abort" to restore the original branch)',
          '',
        )
        break
      case 'bisect':
        lines.push(
          `You are currently bisecting, started from branch '${name}'.`,
          '  (use "git bisect reset" to get back to the original branch)',
          '',
        )
        break
    }
  }
  return lines
}

interface ConflictHints {
  readonly hints: boolean
  readonly isMerging: boolean
  readonly unstageHint: string
}

function conflictLines(
  rows: readonly StatusRow[],
  shown: (path: string) => string,
  { hints, isMerging, unstageHint }: ConflictHints,
): readonly string[] {
  const lines = ['Unmerged paths:']
  const codes = rows.map(({ conflict }) => conflict ?? '')
  if (hints) {
    if (!isMerging) lines.push(`  (${unstageHint})`)
    const hasDeletion = codes.some(code => code === 'DU' || code === 'UD')
    const isBothDeleted = codes.includes('DD')
    if (codes.every(code => code === 'DD')) lines.push('  (use "git rm <file>..." to mark resolution)')
    else if (hasDeletion || isBothDeleted) lines.push('  (use "git add/rm <file>..." as appropriate to mark resolution)')
    else lines.push('  (use "git add <file>..." to mark resolution)')
  }
  for (const row of rows) lines.push(`\t${(conflictWords[row.conflict ?? ''] ?? '').padEnd(17)}${shown(row.path)}`)
  return [...lines, '']
}
