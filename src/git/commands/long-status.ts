// The long form of `git status`, which `commit` also prints when there is nothing to commit.

import { paletteOf } from '../color/load-palette.ts'
import type { ColorSlot } from '../color/palette.ts'
import { wantsColor } from '../color/wants-color.ts'
import { inColumns, outputWidth } from '../text-columns.ts'
import { quoteFor, relativePath } from '../quote.ts'
import type { Repository } from '../repository.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { trackingIn } from '../revs/tracking.ts'
import { trackingLines } from './tracking-lines.ts'
import type { FilePair } from '../diff/file-pair.ts'
import { modes, type ObjectId } from '../store/object-format.ts'
import { detachedText, operationsOf, type Operation } from '../work/operation.ts'
import type { Status, StatusRow, UntrackedMode } from '../work/status.ts'
import { pushAll } from '../../core/many.ts'

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
  /** False: also where `status.submoduleSummary` asks for it. */
  readonly summarizesSubmodules?: boolean
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
  const palette = wantsColor(undefined, repository.config(), ['color.status']) ? await paletteOf(repository) : undefined
  const paint: Paint = (slot, text) => palette?.paint(slot, text) ?? text
  const lines: string[] = [await headLine(repository, { branch, oid, operations, paint })]
  const hints = repository.config().bool('advice.statushints', true)
  if (branch !== undefined && oid !== undefined) {
    const tracking = trackingLines(await trackingIn(repository, branch, oid, options.countsAhead ?? true))
    pushAll(
      lines,
      tracking.filter(line => hints || !line.startsWith('  (')),
    )
  }
  if (operations.length > 0) {
    const { operationLines } = await import('./operation-lines.ts')
    const told = await operationLines(repository, operations, conflicts.length > 0, isAmend)
    pushAll(
      lines,
      told.filter(line => hints || !line.startsWith('  (')),
    )
  }
  if (repository.isSparse) {
    const { sparseLines } = await import('./operation-lines.ts')
    lines.push(...sparseLines(await repository.readIndex()))
  }
  if (oid === undefined) lines.push('', isForCommit ? 'Initial commit' : 'No commits yet', '')
  const hint = (text: string): void => {
    if (hints) lines.push(`  (${text})`)
  }
  const isMerging = operations.some(({ kind, isStopped }) => kind === 'merge' || (kind === 'cherry-pick' && isStopped))
  const unstageHint =
    oid === undefined
      ? 'use "git rm --cached <file>..." to unstage'
      : `use "git restore ${isAmend ? '--source=HEAD^1 ' : ''}--staged <file>..." to unstage`
  if (staged.length > 0) {
    lines.push('Changes to be committed:')
    if (!isMerging) hint(unstageHint)
    for (const { staged: pair } of staged) {
      if (pair === undefined) continue
      const name =
        pair.status === 'R' || pair.status === 'C' ? `${shown(pair.beforePath)} -> ${shown(pair.path)}` : shown(pair.path)
      lines.push(`\t${paint('status.added', `${(words[pair.status] ?? '').padEnd(12)}${name}`)}`)
    }
    lines.push('')
  }
  if (conflicts.length > 0) pushAll(lines, conflictLines(conflicts, shown, { hints, isMerging, unstageHint, paint }))
  if (unstaged.length > 0) {
    lines.push('Changes not staged for commit:')
    const hasDeleted = unstaged.some(row => row.unstaged?.status === 'D')
    hint(
      hasDeleted
        ? 'use "git add/rm <file>..." to update what will be committed'
        : 'use "git add <file>..." to update what will be committed',
    )
    hint('use "git restore <file>..." to discard changes in working directory')
    if (unstaged.some(row => row.unstaged?.after?.dirt !== undefined))
      hint('commit or discard the untracked or modified content in submodules')
    for (const { unstaged: pair } of unstaged) {
      if (pair === undefined) continue
      const name = pair.status === 'R' ? `${shown(pair.beforePath)} -> ${shown(pair.path)}` : shown(pair.path)
      const inside = pair.status === 'M' && pair.after?.mode === modes.submodule ? submoduleNote(pair) : ''
      lines.push(`\t${paint('status.changed', `${(words[pair.status] ?? '').padEnd(12)}${name}`)}${inside}`)
    }
    lines.push('')
  }
  if (options.summarizesSubmodules !== false && repository.config().has('status.submodulesummary')) {
    const { summaryLimit, submoduleSummary } = await import('./submodule-summary.ts')
    const limit = summaryLimit(repository)
    for (const [title, pairs] of [
      ['Submodule changes to be committed:', staged.flatMap(row => row.staged ?? [])],
      ['Submodules changed but not updated:', unstaged.flatMap(row => row.unstaged ?? [])],
    ] as const) {
      const text = limit === undefined ? '' : await submoduleSummary(repository, title, pairs, limit)
      if (text !== '') lines.push(text)
    }
  }
  const list = (paths: readonly string[]): readonly string[] =>
    inColumns(paths.map(shown), options.column, {
      indent: '\t',
      padding: 1,
      width: outputWidth(repository.environment.env),
    }).map(line => `\t${paint('status.untracked', line.slice(1))}`)
  if (status.untracked.length > 0) {
    lines.push('Untracked files:')
    hint('use "git add <file>..." to include in what will be committed')
    pushAll(lines, [...list(status.untracked), ''])
  }
  if (showsIgnored && status.ignored.length > 0) {
    lines.push('Ignored files:')
    hint('use "git add -f <file>..." to include in what will be committed')
    pushAll(lines, [...list(status.ignored), ''])
  }
  // A merge without conflicts can be committed, whatever was staged.
  const isCommittable = staged.length > 0 || (conflicts.length === 0 && operations.some(({ kind }) => kind === 'merge'))
  if (untracked === 'no' && isCommittable)
    lines.push(`Untracked files not listed${hints ? ' (use -u option to show untracked files)' : ''}`)
  const patches = (await options.patches?.()) ?? ''
  if (patches !== '') lines.push(patches.replace(/\n$/, ''))
  if (!isCommittable)
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

type Paint = (slot: ColorSlot, text: string) => string

interface HeadLine {
  readonly branch: string | undefined
  readonly oid: ObjectId | undefined
  readonly operations: readonly Operation[]
  readonly paint: Paint
}

async function headLine(repository: Repository, { branch, oid, operations, paint }: HeadLine): Promise<string> {
  const rebase = operations.find(({ kind }) => kind === 'rebase')
  const ids = new ShortIds(repository)
  if (rebase !== undefined && branch === undefined) {
    const onto = rebase.onto ?? ''
    const what = `${rebase.isInteractive ? 'interactive rebase' : 'rebase'} in progress; onto `
    return paint('status.nobranch', what) + paint('status.branch', onto === '' ? '' : await ids.of(onto))
  }
  if (branch !== undefined) return `On branch ${paint('status.branch', branch.replace('refs/heads/', ''))}`
  const detached = oid === undefined ? undefined : await detachedText(repository, oid)
  if (detached === undefined) return paint('status.nobranch', 'Not currently on any branch.')
  const [, what = '', name = ''] = /^(.* )(\S+)$/.exec(`HEAD ${detached}`) ?? []
  return paint('status.nobranch', what) + paint('status.branch', name)
}

interface ConflictHints {
  readonly hints: boolean
  readonly isMerging: boolean
  readonly unstageHint: string
  readonly paint: Paint
}

function conflictLines(
  rows: readonly StatusRow[],
  shown: (path: string) => string,
  { hints, isMerging, unstageHint, paint }: ConflictHints,
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
  for (const row of rows)
    lines.push(`\t${paint('status.unmerged', `${(conflictWords[row.conflict ?? ''] ?? '').padEnd(17)}${shown(row.path)}`)}`)
  return [...lines, '']
}

function submoduleNote({ before, after }: FilePair): string {
  const notes = [
    ...(before?.oid === after?.oid ? [] : ['new commits']),
    ...(after?.dirt?.isModified === true ? ['modified content'] : []),
    ...(after?.dirt?.hasUntracked === true ? ['untracked content'] : []),
  ]
  return ` (${notes.join(', ')})`
}
