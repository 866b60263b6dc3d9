// `git log`, `git show`, `git reflog` and `git whatchanged`: commits one after the other, with what they changed.

import type { GitCall } from '../call.ts'
import { diffOptionRows } from '../diff/settings.ts'
import { fatal } from '../errors.ts'
import { type OptionRow, Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import type { Graph } from '../revs/graph.ts'
import { mergeBases } from '../revs/merge-base.ts'
import { readRevisions, type RevisionArguments } from '../revs/revision-arguments.ts'
import { parsePathspec } from '../work/pathspec.ts'
import type { GitCommand } from './command.ts'
import { bornHead, LogWriter } from './log-writer.ts'
import { limitedWalk, revisionOptionRows, withChildren } from './revision-options.ts'

const optional = (name: string): { readonly name: string; readonly isOptional: true } => ({ name, isOptional: true })

export const prettyOptionRows: readonly OptionRow[] = [
  { names: ['oneline'], isNegatable: false },
  { names: ['pretty'], argument: optional('format') },
  { names: ['format'], argument: { name: 'format' } },
  { names: ['abbrev-commit'] },
  { names: ['date'], argument: { name: 'format' } },
  { names: ['relative-date'], key: 'date', value: 'relative', isNegatable: false },
  { names: ['decorate'], argument: optional('style') },
  { names: ['decorate-refs'], argument: { name: 'pattern' } },
  { names: ['decorate-refs-exclude'], argument: { name: 'pattern' } },
  { names: ['clear-decorations'], isNegatable: false },
  { names: ['source'] },
  { names: ['graph'] },
  { names: ['show-signature'], isIgnored: true },
  { names: ['notes'], argument: optional('ref') },
  { names: ['standard-notes', 'show-notes'], argument: optional('ref'), key: 'notes' },
  { names: ['encoding'], argument: { name: 'encoding' }, accepts: ['UTF-8', 'utf-8', 'utf8', 'UTF8'], isIgnored: true },
  { names: ['expand-tabs'], argument: optional('n') },
  { names: ['log-size'], refuses: 'sizes of messages are not built into this git' },
  { names: ['mailmap', 'use-mailmap'] },
  { names: ['follow'] },
  { names: ['full-diff'], isNegatable: false },
  { names: ['root'] },
  { names: ['m'], key: 'merge-diff', value: 'separate', isNegatable: false },
  { names: ['c'], key: 'merge-diff', value: 'combined', isNegatable: false },
  { names: ['cc'], key: 'merge-diff', value: 'dense', isNegatable: false },
  { names: ['diff-merges'], argument: { name: 'format' }, key: 'merge-diff' },
  { names: ['g', 'walk-reflogs'], isNegatable: false },
  { names: ['q', 'quiet'] },
  { names: ['L'], argument: { name: 'range' }, refuses: 'the history of a range of lines is not built into this git; use blame' },
  { names: ['merge'], isNegatable: false },
  { names: ['no-diff-merges'], key: 'merge-diff', value: 'off', isNegatable: false },
  { names: ['remerge-diff'], refuses: 'merging again for a diff is not built into this git; use --cc' },
]

const rows = [...prettyOptionRows, ...revisionOptionRows, ...diffOptionRows]

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

async function graphOf(options: Options): Promise<Graph | undefined> {
  return options.has('graph') ? new (await import('../revs/graph.ts')).Graph() : undefined
}

async function runLog(call: GitCall, options: Options, kind: 'log' | 'whatchanged'): Promise<number> {
  const repository = await call.repository()
  const args = await readLogArguments(call, repository, options)
  const writer = new LogWriter(call, repository, options, args, kind, await graphOf(options))
  if (options.has('walk-reflogs')) return writer.reflog(args)
  const follow =
    options.has('follow') ||
    (args.paths.length === 1 && repository.config().has('log.follow') && repository.config().bool('log.follow', false))
  if (options.has('follow') && args.paths.length !== 1) throw fatal('--follow requires exactly one pathspec')
  // What is left out for its differences does not count for `--max-count`.
  const { commits } = await limitedWalk(repository, options, args, {
    isGraph: options.has('graph'),
    defaultsToHead: true,
    follow,
    needsSources: writer.needsSources,
    ...(writer.isSelective ? { uncounted: true } : {}),
  })
  if (follow) writer.follow(parsePathspec(repository, args.paths).items[0]?.path ?? '')
  for await (const commit of options.has('children') ? await withChildren(commits) : commits) {
    call.check()
    await writer.write(commit)
    if (writer.isFull) break
  }
  return options.has('exit-code') && writer.hasChanges ? 1 : 0
}

async function readLogArguments(call: GitCall, repository: Repository, options: Options): Promise<RevisionArguments> {
  const prefix = options.value('line-prefix')
  if (prefix !== undefined) await call.prefixLines(prefix)
  const given = options.has('stdin') ? (await call.input()).split('\n').filter(line => line !== '') : []
  const words = [...options.words, ...given]
  const args = await readRevisions(repository, new Options(options.given, words, options.paths))
  return options.has('merge') ? ofConflict(repository, args) : args
}

/** `--merge`: what either side did to the files in conflict. */
async function ofConflict(repository: Repository, args: RevisionArguments): Promise<RevisionArguments> {
  const [ours, theirs] = [await repository.refs.idOf('HEAD'), await repository.refs.idOf('MERGE_HEAD')]
  if (ours === undefined) throw fatal('--merge without HEAD?')
  if (theirs === undefined) throw fatal('--merge without MERGE_HEAD?')
  const bases = await mergeBases(repository, ours, [theirs])
  const conflicts = (await repository.readIndex()).conflicts()
  return {
    revisions: [
      ...args.revisions,
      { oid: ours, text: 'HEAD', isExcluded: false },
      { oid: theirs, text: 'MERGE_HEAD', isExcluded: false },
      ...bases.map(oid => ({ oid, text: oid, isExcluded: true })),
    ],
    symmetric: { left: ours, right: theirs, bases },
    paths: [...args.paths, ...conflicts.map(path => `:(top,literal)${path}`)],
  }
}

async function runShow(call: GitCall, options: Options): Promise<number> {
  const repository = await call.repository()
  const args = await readLogArguments(call, repository, options)
  const writer = new LogWriter(call, repository, options, args, 'show', await graphOf(options))
  const isRange =
    args.revisions.some(({ isExcluded }) => isExcluded) || options.has('all') || options.has('branches') || options.has('tags')
  if (isRange) {
    const { commits } = await limitedWalk(repository, options, args, { defaultsToHead: true })
    for await (const commit of commits) await writer.write(commit)
    return 0
  }
  let revisions = args.revisions
  if (revisions.length === 0) {
    revisions = [{ oid: await bornHead(repository), text: 'HEAD', isExcluded: false }]
  }
  for (const { oid, text } of revisions) await writer.object(oid, text)
  return 0
}
