// `git log`, `git show` and `git whatchanged`: lists commits and their changes.

import type { GitCall } from '../call.ts'
import { paletteOf } from '../color/load-palette.ts'
import { wantsColor } from '../color/wants-color.ts'
import { diffOptionRows } from '../diff/option-rows.ts'
import { fatal, GitFailure } from '../errors.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import type { Graph } from '../revs/graph.ts'
import { chosenDecorations } from '../revs/decorations.ts'
import { readRefOptions, readRevisions, type RevisionArguments } from '../revs/revision-arguments.ts'
import type { WalkedCommit } from '../revs/walk.ts'
import { parsePathspec } from '../work/pathspec.ts'
import type { GitCommand } from './command.ts'
import { LogWriter } from './log-writer.ts'
import { keepsExplainedMerges } from './merge-diff.ts'
import { prettyOptionRows } from './pretty-options.ts'
import { asksForRefs, commitFilter, limitedWalk, revisionOptionRows, timeLimits } from './revision-options.ts'

export { LogWriter } from './log-writer.ts'

const rows = [
  ...prettyOptionRows,
  ...revisionOptionRows,
  ...diffOptionRows,
  { names: ['L'], argument: { name: 'range' }, key: 'lines', isNegatable: false },
]

function command(name: string, summary: string, run: (call: GitCall, options: Options) => Promise<number>): GitCommand {
  return {
    name,
    summary,
    options: {
      rows,
      numberKey: 'max-count',
      onUnknown: 'revision',
      usage: `git ${name} [<options>] [<revision-range>] [[--] <path>...]`,
    },
    run: (call, options) => run(call, options),
  }
}

export const log: GitCommand = command('log', 'Show commit logs', (call, options) => runLog(call, options, 'log'))
export const whatchanged: GitCommand = command(
  'whatchanged',
  'Show logs with differences each commit introduces',
  (call, options) => runLog(call, options, 'whatchanged'),
)
export const show: GitCommand = command('show', 'Show various types of objects', runShow)

async function graphOf(repository: Repository, options: Options, usual?: string): Promise<Graph | undefined> {
  if (!options.has('graph')) return undefined
  const { Graph, refuseBesideGraph } = await import('../revs/graph.ts')
  refuseBesideGraph(options, usual)
  return new Graph(wantsColor(options, repository.config(), ['color.diff']) ? (await paletteOf(repository)).graph() : [])
}

async function runLog(call: GitCall, options: Options, kind: 'log' | 'whatchanged'): Promise<number> {
  const repository = await call.repository()
  const args = await readLogArguments(call, repository, options)
  const writer = await LogWriter.open(
    call,
    repository,
    options,
    args,
    kind,
    await graphOf(repository, options, kind === 'log' ? undefined : 'raw'),
  )
  if (options.has('walk-reflogs')) return writer.reflog(args)
  const follow =
    options.has('follow') ||
    (args.paths.length === 1 && repository.config().has('log.follow') && repository.config().bool('log.follow', false))
  if (options.has('follow') && args.paths.length !== 1) throw fatal('--follow requires exactly one pathspec')
  const lines = options.has('lines')
    ? await (await import('./line-log.ts')).openLineLog(repository, options, args, options.has('graph'))
    : undefined
  if (lines !== undefined) writer.showLines(lines.text)
  // `--max-count` does not count commits that are left out because of their changes.
  const { commits } = await limitedWalk(repository, options, args, {
    isGraph: options.has('graph'),
    defaultsToHead: true,
    follow,
    needsSources: writer.needsSources,
    through: lines?.through,
    decorations: chosenDecorations(repository, options),
    // `whatchanged` never simplifies the history.
    showsMerges: kind === 'whatchanged' || keepsExplainedMerges(options, repository.config()),
    ...writer.searched,
    ...(writer.isSelective ? { isFull: () => writer.isFull } : {}),
  })
  if (follow) writer.follow(parsePathspec(repository, args.paths).items[0]?.path ?? '')
  for await (const commit of commits) {
    call.check()
    await writer.write(commit)
  }
  return options.has('exit-code') && writer.hasChanges ? 1 : 0
}

async function readLogArguments(call: GitCall, repository: Repository, options: Options): Promise<RevisionArguments> {
  const prefix = options.value('line-prefix')
  if (prefix !== undefined) await call.prefixLines(prefix)
  if (!options.has('stdin') && !options.has('merge')) return readRevisions(repository, options)
  const { ofConflict, withStdin } = await import('./rare-commands.ts')
  const args = await readRevisions(repository, options.has('stdin') ? withStdin(await call.input(), options) : options)
  return options.has('merge') ? ofConflict(repository, args) : args
}

async function runShow(call: GitCall, options: Options): Promise<number> {
  if (options.has('lines')) throw new GitFailure('error: -L: it is not built into git show; use git log', 129)
  const repository = await call.repository()
  const args = await readLogArguments(call, repository, options)
  const writer = await LogWriter.open(call, repository, options, args, 'show', await graphOf(repository, options))
  const isRange = args.revisions.some(({ isExcluded }) => isExcluded) || ['do-walk', 'max-count'].some(key => options.has(key))
  if (isRange) {
    const { commits } = await limitedWalk(repository, options, args, {
      defaultsToHead: true,
      ...writer.searched,
      ...(writer.isSelective ? { isFull: () => writer.isFull } : {}),
    })
    for await (const commit of commits) await writer.write(commit)
    return 0
  }
  let revisions = [...args.revisions, ...(await readRefOptions(repository, options))]
  if (revisions.length === 0 && !asksForRefs(options))
    revisions = [{ oid: await repository.bornHead(), text: 'HEAD', isExcluded: false }]
  const { oldest = 0, oldestShown = oldest, newest = Number.POSITIVE_INFINITY } = await timeLimits(options, call.now)
  const isWanted = await commitFilter(repository, options, writer.searched)
  const isShown = (walked: WalkedCommit): boolean => {
    const { time } = walked.commit.committer
    return time >= Math.max(oldest, oldestShown) && time <= newest && isWanted(walked)
  }
  const { ShownObjects } = await import('./shown-objects.ts')
  const objects = new ShownObjects(call, repository, options, writer, isShown)
  for (const { oid, text } of revisions) await objects.write(oid, text)
  return 0
}
