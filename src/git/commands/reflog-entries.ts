// `log --walk-reflogs`: the entries of the logs of references as commits to show.

import { fatal } from '../errors.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { formatDate } from '../revs/date.ts'
import type { ShownCommit } from '../revs/pretty.ts'
import { readRefOptions, type RevisionArguments } from '../revs/revision-arguments.ts'
import type { Commit } from '../store/object-format.ts'
import { commitFilter, timeLimits } from './revision-options.ts'
import type { TextFilterOptions } from './text-filter.ts'

interface ReflogContext extends TextFilterOptions {
  readonly now: number
  readonly isLeftOut: (commit: Commit) => Promise<boolean>
}

/** Follows the log of a reference instead of ancestors: newest first. */
export async function* reflogEntries(
  repository: Repository,
  options: Options,
  args: RevisionArguments,
  context: ReflogContext,
): AsyncGenerator<ShownCommit> {
  const { now, isLeftOut } = context
  if (options.has('reverse')) throw fatal("options '--reverse' and '--walk-reflogs' cannot be used together")
  const excluded = args.revisions.find(({ isExcluded }) => isExcluded)
  if (excluded !== undefined) throw fatal(`cannot walk reflogs for ${excluded.text}`)
  const isWhole = options.has('all') || options.has('glob')
  const named = [...args.revisions, ...(await readRefOptions(repository, options))].map(({ text }) =>
    isWhole ? text : text.replace(/^refs\/(?:heads|tags|remotes)\//, ''),
  )
  const names = named.length > 0 ? named : ['HEAD']
  if (names.some(name => /^(?:|HEAD|@)(?:@\{|$)/.test(name))) await repository.bornHead()
  const max = options.number('max-count') ?? Number.POSITIVE_INFINITY
  let skip = options.number('skip') ?? 0
  let count = 0
  const {
    oldest = Number.NEGATIVE_INFINITY,
    oldestShown = oldest,
    newest = Number.POSITIVE_INFINITY,
  } = await timeLimits(options, now)
  const isWanted = await commitFilter(repository, options, context)
  const dated = options.value('date')
  const texts = options.values('grep-reflog')
  const patterns = texts.length === 0 ? [] : (await import('./text-filter.ts')).patternsOf(repository, options, 'grep-reflog')
  const { walkReflogs } = await import('../revs/rare-walks.ts')
  for (const { entry, index, name, selector: kind } of await walkReflogs(repository, names, now)) {
    if (count >= max) break
    if (patterns.length > 0 && !patterns.some(pattern => pattern.test(entry.message))) continue
    const commit = await repository.objects.readCommit(entry.after)
    const { time } = entry.who
    if (time < Math.max(oldest, oldestShown) || time > newest) continue
    if (!isWanted({ oid: entry.after, commit, parents: commit.parents, side: undefined, isBoundary: false })) continue
    if (await isLeftOut(commit)) continue
    if (skip > 0) {
      skip--
      continue
    }
    count++
    const mode = kind === 'number' ? undefined : (dated ?? (kind === 'date' ? 'default' : undefined))
    const inside = mode === undefined ? String(index) : (formatDate(entry.who, mode, now) ?? String(index))
    const selector = `${name}@{${inside}}`
    yield {
      oid: entry.after,
      commit,
      parents: commit.parents,
      mark: '',
      reflog: { selector, shortSelector: selector.replace(/^refs\/(?:heads\/|tags\/|remotes\/)?/, ''), entry },
    }
  }
}
