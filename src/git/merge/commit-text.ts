// The messages of commits by merge, cherry-pick, revert and rebase, and the lines that report such commits.

import { fatal } from '../errors.ts'
import { subjectOf } from '../revs/subject.ts'
import { formatDate } from '../revs/date.ts'
import { ShortIds } from '../revs/short-ids.ts'
import type { Repository } from '../repository.ts'
import { type Commit, compareText, type ObjectId } from '../store/object-format.ts'
import type { Config } from '../store/config.ts'
import { shortRefName } from '../store/refs.ts'

/** What a comment in a message begins with: `core.commentChar`. `auto` is `#`, because no editor adds comments to the text. */
export function commentMark(config: Config): string {
  const setting = config.get('core.commentchar') ?? 'auto'
  if (setting === 'auto') return '#'
  if (!/^[!-~]$/.test(setting)) throw fatal(`core.commentChar should only be one ASCII character, not '${setting}'`)
  return setting
}

/**
 * Without blank lines at both ends, repeated blank lines and trailing blanks; '' if empty, otherwise with a line feed at the end.
 * `mark`: lines that begin with it are removed.
 */
export function cleanMessage(text: string, mark?: string): string {
  const kept = text
    .split('\n')
    .filter(line => mark === undefined || !line.startsWith(mark))
    .map(line => line.replace(/[ \t\r\v\f]+$/, ''))
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .replace(/\n+$/, '')
  return kept === '' ? '' : `${kept}\n`
}

/** Each line as a comment; without a blank before a tab or an empty line. */
export function commented(text: string, mark: string): string {
  return text
    .replaceAll(/^(?=[^\n])\t?/gm, begin => (begin === '' ? `${mark} ` : mark + begin))
    .replaceAll(/^(?=\n)/gm, () => mark)
}

/** The text that is added to a prepared message while there are conflicts. */
export function conflictNote(paths: Iterable<string>, mark: string): string {
  return `\n${mark} Conflicts:\n${[...paths]
    .sort(compareText)
    .map(path => `${mark}\t${path}\n`)
    .join('')}`
}

/** `[main abc1234] subject`, and the author if it is not the committer. */
export async function commitTitle(
  repository: Repository,
  oid: ObjectId,
  { author, committer, message, parents }: Commit,
  branch: string | undefined,
): Promise<string> {
  const place = branch === undefined ? 'detached HEAD' : shortRefName(branch)
  const root = parents.length === 0 ? ' (root-commit)' : ''
  const title = `[${place}${root} ${await new ShortIds(repository).of(oid)}] ${subjectOf(message)}`
  const isOwn = author.name === committer.name && author.email === committer.email
  return isOwn ? title : `${title}\n Author: ${author.name} <${author.email}>`
}

/** Title, date and changes, as git prints them after a commit that it made without being asked for a message. */
export async function commitSummary(
  repository: Repository,
  oid: ObjectId,
  options: {
    readonly branch: string | undefined
    readonly before: ObjectId | undefined
    readonly now: number
    readonly hidesDate?: boolean
  },
): Promise<string> {
  const commit = await repository.objects.readCommit(oid)
  const title = await commitTitle(repository, oid, commit, options.branch)
  const date = options.hidesDate === true ? '' : ` Date: ${formatDate(commit.author, 'default', options.now) ?? ''}\n`
  if (commit.parents.length > 1) return `${title}\n${date}`
  const before = options.before === undefined ? undefined : await repository.treeOf(options.before)
  const { changeSummary } = await import('./change-summary.ts')
  return `${title}\n${date}${await changeSummary(repository, before, commit.tree, 'short')}`
}
