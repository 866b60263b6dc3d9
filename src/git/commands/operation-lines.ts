// The lines of `git status` about a merge, rebase or other operation that is not finished. Loaded only while there is one.

import type { GitIndex } from '../index/git-index.ts'
import type { Repository } from '../repository.ts'
import { ShortIds } from '../revs/short-ids.ts'
import type { Operation } from '../work/operation.ts'
import { pushAll } from '../../core/many.ts'

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

export async function operationLines(
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
        if (operation.isInteractive) pushAll(lines, await stepLines(repository))
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

/** How much of a sparse work tree there is. */
export function sparseLines(index: GitIndex): readonly string[] {
  const entries = index.sorted()
  if (entries.length === 0) return []
  const percentage = 100 - Math.floor((100 * entries.filter(({ isSkipped }) => isSkipped).length) / entries.length)
  return [`You are in a sparse checkout with ${percentage}% of tracked files present.`, '']
}
