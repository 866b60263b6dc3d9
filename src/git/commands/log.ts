// `git log`, `git show`, `git reflog` and `git whatchanged`: commits one after the other, with what they changed.

import { decodeText } from '../../shell/byte-text.ts'
import { CallOutput, type GitCall } from '../call.ts'
import { combinedFiles, combinedPatch } from '../diff/combined-diff.ts'
import { type FilePair, pairOf } from '../diff/file-pair.ts'
import { DiffRenderer } from '../diff/render.ts'
import { asksForDiff, diffOptionRows, type DiffSettings, readDiffSettings } from '../diff/settings.ts'
import { diffTrees } from '../diff/tree-diff.ts'
import { fatal } from '../errors.ts'
import { collectOutput } from '../../shell/commands.ts'
import type { OptionRow, Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { Decorations } from '../revs/decorations.ts'
import type { Graph } from '../revs/graph.ts'
import { Pretty, type PrettyForm, readPretty, type ShownCommit } from '../revs/pretty.ts'
import { findRef } from '../revs/revision.ts'
import { readRevisions, type RevisionArguments } from '../revs/revision-arguments.ts'
import { ShortIds } from '../revs/short-ids.ts'
import type { WalkedCommit } from '../revs/walk.ts'
import { type Commit, type ObjectId, zeroId } from '../store/object-format.ts'
import { parsePathspec } from '../work/pathspec.ts'
import type { GitCommand } from './command.ts'
import { limitedWalk, revisionOptionRows } from './revision-options.ts'
import { formatDate } from '../revs/date.ts'

const optional = (name: string): { readonly name: string; readonly isOptional: true } => ({ name, isOptional: true })

export const prettyOptionRows: readonly OptionRow[] = [
  { names: ['oneline'], isNegatable: false },
  { names: ['pretty'], argument: optional('format') },
  { names: ['format'], argument: { name: 'format' } },
  { names: ['abbrev-commit'] },
  { names: ['date'], argument: { name: 'format' } },
  { names: ['relative-date'], key: 'date', value: 'relative', isNegatable: false },
  { names: ['decorate'], argument: optional('style') },
  { names: ['decorate-refs'], argument: { name: 'pattern' }, isIgnored: true },
  { names: ['decorate-refs-exclude'], argument: { name: 'pattern' }, isIgnored: true },
  { names: ['clear-decorations'], isIgnored: true },
  { names: ['source'] },
  { names: ['graph'] },
  { names: ['show-signature'], isIgnored: true },
  { names: ['notes'], argument: optional('ref'), isIgnored: true },
  { names: ['standard-notes', 'show-notes'], argument: optional('ref'), isIgnored: true },
  { names: ['encoding'], argument: { name: 'encoding' }, isIgnored: true },
  { names: ['expand-tabs'], argument: optional('n') },
  { names: ['log-size'], isIgnored: true },
  { names: ['mailmap', 'use-mailmap'], isIgnored: true },
  { names: ['follow'] },
  { names: ['full-diff'], isNegatable: false },
  { names: ['root'], isIgnored: true },
  { names: ['m'], key: 'merge-diff', value: 'separate', isNegatable: false },
  { names: ['c'], key: 'merge-diff', value: 'combined', isNegatable: false },
  { names: ['cc'], key: 'merge-diff', value: 'dense', isNegatable: false },
  { names: ['diff-merges'], argument: { name: 'format' }, key: 'merge-diff' },
  { names: ['g', 'walk-reflogs'], isNegatable: false },
  { names: ['q', 'quiet'], isIgnored: true },
  { names: ['L'], argument: { name: 'range' }, refuses: 'the history of a range of lines is not built into this git; use blame' },
  { names: ['merge'], refuses: 'commits of a conflict are not built into this git' },
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
  const args = await readRevisions(repository, options)
  const writer = new LogWriter(call, repository, options, args, kind, await graphOf(options))
  if (options.has('walk-reflogs')) return writer.reflog(args)
  const follow =
    options.has('follow') ||
    (args.paths.length === 1 && repository.config().has('log.follow') && repository.config().bool('log.follow', false))
  if (options.has('follow') && args.paths.length !== 1) throw fatal('--follow requires exactly one pathspec')
  const { commits } = await limitedWalk(repository, options, args, {
    isGraph: options.has('graph'),
    defaultsToHead: true,
    follow,
  })
  if (follow) writer.follow(parsePathspec(repository, args.paths).items[0]?.path ?? '')
  for await (const commit of commits) {
    call.check()
    await writer.write(commit)
  }
  return 0
}

async function runShow(call: GitCall, options: Options): Promise<number> {
  const repository = await call.repository()
  const args = await readRevisions(repository, options)
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

class LogWriter {
  readonly #call: GitCall
  readonly #repository: Repository
  readonly #options: Options
  readonly #form: PrettyForm
  readonly #pretty: Pretty
  readonly #renderer: DiffRenderer
  readonly #settings: DiffSettings
  readonly #ids: ShortIds
  readonly #isWanted: ((path: string, isDirectory: boolean) => boolean) | undefined
  readonly #showsDiff: boolean
  readonly #graph: Graph | undefined
  readonly #mergeDiff: string | undefined
  #isFirst = true
  #followed: string | undefined

  constructor(
    call: GitCall,
    repository: Repository,
    options: Options,
    args: RevisionArguments,
    kind: 'log' | 'show' | 'whatchanged',
    graph: Graph | undefined,
  ) {
    this.#call = call
    this.#repository = repository
    this.#options = options
    const config = repository.config()
    const format = options.given.findLast(({ key }) => key === 'oneline' || key === 'pretty' || key === 'format')
    const text =
      format === undefined
        ? (config.get('format.pretty') ?? 'medium')
        : format.key === 'oneline'
          ? 'oneline'
          : (format.value ?? 'medium')
    this.#form = readPretty(text, name => config.get(`pretty.${name}`))
    const abbrev = options.value('abbrev')
    const isAbbreviated =
      options.has('abbrev-commit') ||
      (format?.key === 'oneline' && !options.isNegated('abbrev-commit')) ||
      (config.has('log.abbrevcommit') && config.bool('log.abbrevcommit', false) && !options.isNegated('abbrev-commit'))
    this.#ids = new ShortIds(repository)
    const decorations = new Decorations(repository)
    const decorate = options.has('decorate')
      ? (options.value('decorate') ?? 'short')
      : options.isNegated('decorate')
        ? 'no'
        : (config.get('log.decorate') ?? 'no')
    this.#pretty = new Pretty({
      repository,
      ids: this.#ids,
      isAbbreviated,
      abbrev: abbrev === undefined ? undefined : Math.max(4, Number(abbrev)),
      dateMode: checkedDateMode(options.value('date') ?? config.get('log.date') ?? 'default'),
      now: call.now,
      decorations: (oid, form) => decorations.of(oid, form),
      showsDecorations:
        decorate === 'full' ? 'full' : decorate === 'no' || decorate === 'auto' || decorate === 'false' ? 'no' : 'short',
      tabWidth: options.isNegated('expand-tabs') ? 0 : Number(options.value('expand-tabs') ?? 8),
    })
    const usual = kind === 'show' ? 'patch' : kind === 'whatchanged' ? 'raw' : undefined
    this.#settings = readDiffSettings(options, { format: usual, config, prefix: repository.prefix })
    this.#renderer = new DiffRenderer(repository, this.#settings, this.#ids)
    const pathspec = parsePathspec(repository, args.paths)
    this.#isWanted = pathspec.isEmpty || options.has('full-diff') ? undefined : pathspec.filter
    this.#mergeDiff =
      options.has('first-parent') && options.value('merge-diff') === 'separate'
        ? 'first-parent'
        : (options.value('merge-diff') ?? (kind === 'show' ? 'dense' : options.has('first-parent') ? 'first-parent' : undefined))
    const asks = asksForDiff(options) || (options.value('merge-diff') !== undefined && options.value('merge-diff') !== 'separate')
    this.#showsDiff = (kind !== 'log' || asks) && (this.#settings.formats.size > 0 || asks) && !options.has('no-patch')
    this.#graph = graph
    if (this.#graph !== undefined && options.has('reverse'))
      throw fatal("options '--graph' and '--reverse' cannot be used together")
    if (this.#graph !== undefined && options.has('no-walk'))
      throw fatal("options '--no-walk' and '--graph' cannot be used together")
  }

  follow(path: string): void {
    this.#followed = path
  }

  /** `--follow`: the file as it was called then; other commits are left out. */
  async #followedPairs(commit: Commit): Promise<readonly FilePair[] | undefined> {
    const path = this.#followed
    if (path === undefined) return undefined
    const parent = commit.parents[0]
    const before = parent === undefined ? undefined : await this.#repository.treeOf(parent)
    const changes = await diffTrees(this.#repository, before, commit.tree)
    const own = changes.find(change => change.path === path)
    if (own === undefined || commit.parents.length > 1) return []
    if (own.before === undefined) {
      const { findRenames } = await import('../diff/renames.ts')
      const pairs = await findRenames(this.#repository, changes.map(pairOf), {
        minimumPercent: 50,
        copies: 'changed',
        limit: 1000,
      })
      const pair = pairs.find(candidate => candidate.path === path)
      if (pair?.status === 'R' || pair?.status === 'C') {
        this.#followed = pair.beforePath
        return [pair]
      }
    }
    return [pairOf(own)]
  }

  /** `-m`: a merge once for each parent, as compared with it. */
  async #writeSeparately(walked: WalkedCommit): Promise<void> {
    for (const parent of walked.commit.parents) {
      const before = await this.#repository.treeOf(parent)
      const changes = await diffTrees(this.#repository, before, walked.commit.tree, { isWanted: this.#isWanted })
      await this.#entry(
        { oid: walked.oid, commit: walked.commit, parents: walked.parents, mark: '', from: parent },
        await this.#renderer.pairs(changes),
        '',
      )
    }
  }

  async write(walked: WalkedCommit): Promise<void> {
    if (this.#showsDiff && walked.commit.parents.length > 1 && this.#mergeDiff === 'separate') {
      await this.#writeSeparately(walked)
      return
    }
    const followed = await this.#followedPairs(walked.commit)
    if (followed?.length === 0) return
    const isPicked = this.#settings.pickaxe !== undefined || this.#settings.filter !== undefined
    const pairs = this.#showsDiff || isPicked ? (followed ?? (await this.#pairs(walked.commit))) : undefined
    if (isPicked && (pairs === undefined || pairs.length === 0)) return
    const mark = walked.isBoundary
      ? '-'
      : this.#options.has('left-right') && walked.side !== undefined
        ? walked.side === 'left'
          ? '<'
          : '>'
        : ''
    await this.#entry(
      {
        oid: walked.oid,
        commit: walked.commit,
        parents: walked.parents,
        mark: mark === '' || this.#graph !== undefined ? '' : mark,
      },
      pairs,
      mark,
    )
  }

  async #pairs(commit: Commit): Promise<readonly FilePair[] | undefined> {
    const [first, ...rest] = commit.parents
    if (rest.length > 0 && this.#mergeDiff === undefined) return undefined
    const before = first === undefined ? undefined : await this.#repository.treeOf(first)
    if (
      rest.length > 0 &&
      (this.#mergeDiff === 'dense' || this.#mergeDiff === 'combined' || this.#mergeDiff === 'c' || this.#mergeDiff === 'cc') &&
      this.#isPatchOnly
    )
      return undefined
    const changes = await diffTrees(this.#repository, before, commit.tree, { isWanted: this.#isWanted })
    return this.#renderer.pairs(changes, async () =>
      (await diffTrees(this.#repository, undefined, before)).map(({ path, after }) => pairOf({ path, before: after, after })),
    )
  }

  get #isPatchOnly(): boolean {
    const { formats } = this.#settings
    return formats.has('patch') && formats.size === 1
  }

  /** What stands below the message. */
  async #diffText(shown: ShownCommit, pairs: readonly FilePair[] | undefined): Promise<Uint8Array> {
    const collected = collectOutput()
    const out = new CallOutput(collected)
    const { commit } = shown
    const isMerge = commit.parents.length > 1
    const style = this.#mergeDiff
    if (isMerge && (style === 'dense' || style === 'cc' || style === 'combined' || style === 'c')) {
      const files = await combinedFiles(this.#repository, commit, this.#isWanted)
      const { formats } = this.#settings
      if (formats.has('patch') && formats.size === 1) {
        for (const file of files)
          await out.write(await combinedPatch(this.#repository, file, this.#ids, style === 'dense' || style === 'cc'))
      } else if (formats.has('name-only') || formats.has('name-status') || formats.has('raw')) {
        const wanted = new Set(files.map(({ path }) => path))
        const kept = (pairs ?? []).filter(({ path }) => wanted.has(path))
        if (formats.has('name-only')) await this.#renderer.write(out, kept)
        else for (const file of files) await out.write(await this.#combinedRow(commit, file))
      } else if (pairs !== undefined) await this.#renderer.write(out, pairs)
    } else if (pairs !== undefined && pairs.length > 0) await this.#renderer.write(out, pairs)
    await out.flush()
    return collected.bytes()
  }

  async #combinedRow(
    commit: Commit,
    file: {
      readonly path: string
      readonly parents: readonly ({ readonly mode: number; readonly oid: string } | undefined)[]
      readonly result: { readonly mode: number; readonly oid: string } | undefined
    },
  ): Promise<string> {
    const letters = file.parents.map(side => (side === undefined ? 'A' : file.result === undefined ? 'D' : 'M')).join('')
    const { quoteFor } = await import('../quote.ts')
    const name = quoteFor(this.#repository.config())(file.path)
    if (!this.#settings.formats.has('raw')) return `${letters}\t${name}\n`
    const octal = (side: { readonly mode: number } | undefined): string => (side?.mode ?? 0).toString(8).padStart(6, '0')
    const ids: string[] = []
    for (const side of [...file.parents, file.result]) ids.push(await this.#ids.of(side?.oid ?? '0'.repeat(40)))
    return `${':'.repeat(commit.parents.length)}${[...file.parents, file.result].map(octal).join(' ')} ${ids.join(' ')} ${letters}\t${name}\n`
  }

  async #entry(shown: ShownCommit, pairs: readonly FilePair[] | undefined, mark: string): Promise<void> {
    const text = await this.#pretty.render(shown, this.#form)
    const diffBytes = this.#showsDiff ? await this.#diffText(shown, pairs) : new Uint8Array()
    if (this.#graph !== undefined) {
      await this.#graphEntry(this.#graph, shown, text, diffBytes, mark)
      return
    }
    const out = this.#call.out
    const { kind, format, isTerminated } = this.#form
    const isOneLine = kind === 'oneline' || kind === 'reference'
    const isSeparated = !isOneLine && !isTerminated
    if (isSeparated && !this.#isFirst) await out.write('\n')
    this.#isFirst = false
    const isSilent = kind === 'format' && format === ''
    if (!isSilent) await out.write(kind === 'format' ? text : `${text}\n`)
    if (kind === 'format' && !isSilent && (isTerminated || diffBytes.length > 0))
      await out.write(this.#options.has('z') ? '\0' : '\n')
    if (diffBytes.length === 0) {
      if (this.#showsDiff && this.#isCombined(shown) && !isSilent) await out.write('\n')
      return
    }
    const needsGap = !isSilent && (!isOneLine || this.#isCombined(shown))
    if (needsGap) await out.write(this.#startsWithDashes ? '---\n' : '\n')
    await out.write(diffBytes)
  }

  #isCombined({ commit }: ShownCommit): boolean {
    return commit.parents.length > 1 && this.#isPatchOnly && ['dense', 'cc', 'combined', 'c'].includes(this.#mergeDiff ?? '')
  }

  /** A patch behind sums begins with dashes in the usual forms. */
  get #startsWithDashes(): boolean {
    const { formats } = this.#settings
    const { kind } = this.#form
    return (
      formats.has('patch') &&
      (formats.has('stat') || formats.has('shortstat') || formats.has('numstat') || formats.has('summary')) &&
      kind !== 'oneline' &&
      kind !== 'format'
    )
  }

  async #graphEntry(graph: Graph, shown: ShownCommit, text: string, diffBytes: Uint8Array, mark: string): Promise<void> {
    const out = this.#call.out
    const { kind, isTerminated } = this.#form
    const isOneLine = kind === 'oneline' || kind === 'reference' || (kind === 'format' && isTerminated)
    graph.update({ oid: shown.oid, parents: shown.parents, mark: mark === '' ? '*' : mark === '-' ? 'o' : mark })
    if (!this.#isFirst && !isOneLine) await out.write(`${graph.padding()}\n`)
    this.#isFirst = false
    let lines = (kind === 'format' ? text : text.replace(/\n$/, '')).split('\n')
    for (;;) {
      const next = graph.next()
      if (next.isCommit) {
        await out.write(`${next.line}${lines[0] ?? ''}\n`)
        break
      }
      await out.write(`${next.line}\n`)
    }
    lines = lines.slice(1)
    for (const line of lines) await out.write(`${graph.next().line}${line}\n`)
    if (diffBytes.length > 0) {
      const body = decodeText(diffBytes).replace(/\n$/, '').split('\n')
      if (!isOneLine) await out.write(`${graph.next().line}\n`)
      for (const line of body) await out.write(`${graph.next().line}${line}\n`)
    }
    while (!graph.isFinished) await out.write(`${graph.next().line}\n`)
  }

  /** Anything that `show` can be asked for. */
  async object(oid: ObjectId, text: string): Promise<void> {
    const object = await this.#repository.objects.read(oid)
    if (object === undefined) throw fatal(`bad object ${text}`)
    const out = this.#call.out
    switch (object.type) {
      case 'blob':
        await out.write(object.bytes)
        return
      case 'tree': {
        if (!this.#isFirst) await out.write('\n')
        this.#isFirst = false
        await out.write(`tree ${text}\n\n`)
        for (const { name, mode } of await this.#repository.objects.readTree(oid))
          await out.write(`${name}${mode === 0o40000 ? '/' : ''}\n`)
        return
      }
      case 'tag': {
        if (!this.#isFirst) await out.write('\n')
        this.#isFirst = false
        const tag = await this.#repository.objects.readTag(oid)
        await out.write(`tag ${tag.name}\n`)
        if (tag.tagger !== undefined) {
          const date = formatDate(tag.tagger, this.#options.value('date') ?? 'default', this.#call.now) ?? ''
          await out.write(`Tagger: ${tag.tagger.name} <${tag.tagger.email}>\nDate:   ${date}\n`)
        }
        await out.write(`\n${tag.message}`)
        await this.object(tag.object, text)
        return
      }
      case 'commit': {
        const commit = await this.#repository.objects.readCommit(oid)
        await this.write({ oid, commit, parents: commit.parents, side: undefined, isBoundary: false })
      }
    }
  }

  /** The log of a reference instead of ancestors: newest first. */
  async reflog(args: RevisionArguments): Promise<number> {
    const repository = this.#repository
    const shownName = args.revisions[0]?.text ?? 'HEAD'
    const [, base = ''] = /^(.*?)(?:@\{[^}]*\})?$/.exec(shownName) ?? []
    const isHead = base === '' || base === 'HEAD' || base === '@'
    if (isHead) await bornHead(repository)
    const name = isHead ? 'HEAD' : ((await findRef(repository, base))?.name ?? base)
    const entries = (await repository.refs.readLog(name)).toReversed()
    const first = Number(/@\{(\d+)\}$/.exec(shownName)?.[1] ?? 0)
    const max = this.#options.number('max-count') ?? Number.POSITIVE_INFINITY
    let count = 0
    const dated = this.#options.value('date')
    for (const [index, entry] of entries.entries()) {
      // Between the two entries of a renamed branch there is no commit.
      if (index < first || count >= max || entry.after === zeroId) continue
      count++
      const commit = await repository.objects.readCommit(entry.after)
      const inside = dated === undefined ? String(index) : (formatDate(entry.who, dated, this.#call.now) ?? String(index))
      const short = base === '' ? 'HEAD' : base
      const selector = `${short}@{${inside}}`
      const shown: ShownCommit = {
        oid: entry.after,
        commit,
        parents: commit.parents,
        mark: '',
        reflog: { selector, shortSelector: selector.replace(/^refs\/(?:heads\/|tags\/|remotes\/)?/, ''), entry },
      }
      await this.#entry(shown, this.#showsDiff ? await this.#pairs(commit) : undefined, '')
    }
    return 0
  }
}

function checkedDateMode(mode: string): string {
  if (formatDate({ time: 0, zone: '+0000' }, mode, 0) === undefined) throw fatal(`unknown date format ${mode}`)
  return mode
}

/** The commit of `HEAD`. Rejects before the first one. */
async function bornHead(repository: Repository): Promise<ObjectId> {
  const { branch, oid } = await repository.head()
  if (oid !== undefined) return oid
  throw fatal(`your current branch '${(branch ?? '').replace('refs/heads/', '')}' does not have any commits yet`)
}
