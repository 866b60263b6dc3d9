// `git diff-tree`, `git diff-index` and `git diff-files`: the comparisons of `git diff`, for programs. They ignore the configuration, and
// print the raw format by default.

import type { GitCall } from '../call.ts'
import { DiffRenderer } from '../diff/render.ts'
import { type DiffSettings, readDiffSettings } from '../diff/settings.ts'
import { diffOptionRows } from '../diff/option-rows.ts'
import { diffTrees, type TreeDiffOptions } from '../diff/tree-diff.ts'
import { fatal, GitFailure } from '../errors.ts'
import { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { mergeBases } from '../revs/merge-base.ts'
import { needCommit, peel, resolveRevision } from '../revs/revision.ts'
import { readRevisions, type RevisionArguments } from '../revs/revision-arguments.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { isObjectId, type ObjectId } from '../store/object-format.ts'
import { parsePathspec } from '../work/pathspec.ts'
import type { GitCommand } from './command.ts'
import { betweenTrees, type Compared, indexAgainst, needTreeOf, workTree, workTreeAgainst, writeComparison } from './diff.ts'
import type { LogWriter } from './log-writer.ts'
import { prettyOptionRows } from './pretty-options.ts'

const ownLetters: ReadonlySet<string> = new Set(['r', 't'])
const plumbingRows = diffOptionRows.filter(({ names }) => !names.some(name => ownLetters.has(name)))

async function settingsOf(call: GitCall, repository: Repository, options: Options): Promise<DiffSettings> {
  const linePrefix = options.value('line-prefix')
  if (linePrefix !== undefined) await call.prefixLines(linePrefix)
  const { prefix } = repository
  const format = ['--cc', 'cc', 'dense-combined'].includes(options.value('merge-diff') ?? '') ? 'patch' : 'raw'
  return readDiffSettings(options, { format, config: repository.config(), prefix, isPlumbing: true, fullIds: true })
}

async function show(call: GitCall, repository: Repository, options: Options, compared: Compared): Promise<number> {
  const read = await settingsOf(call, repository, options)
  const settings: DiffSettings = options.has('quiet') ? { ...read, formats: new Set() } : read
  const renderer = new DiffRenderer(repository, settings, new ShortIds(repository))
  const pairs = await renderer.pairs(compared.changes, compared.unchanged)
  const { hasProblem, hasChanges } = await writeComparison(call, repository, renderer, pairs, compared, settings)
  if (settings.formats.has('check')) return hasProblem ? 2 : 0
  return (options.has('exit-code') || options.has('quiet')) && hasChanges ? 1 : 0
}

export const diffIndex: GitCommand = {
  name: 'diff-index',
  summary: 'Compare a tree to the working tree or index',
  options: {
    rows: [
      ...plumbingRows,
      { names: ['cached'], isNegatable: false },
      { names: ['merge-base'], isNegatable: false },
      { names: ['quiet'] },
      { names: ['m'], key: 'ignores-missing' },
      { names: ['r', 't', 'q', 'v', 'c', 'cc'], isIgnored: true },
    ],
    onUnknown: 'revision',
    usage: 'git diff-index [-m] [--cached] [--merge-base] [<common-diff-options>] <tree-ish> [<path>...]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const args = await readRevisions(repository, options)
    const [revision, ...rest] = args.revisions
    if (revision === undefined || rest.length > 0) throw new GitFailure(`usage: ${diffIndex.options.usage}`, 129)
    const pathspec = parsePathspec(repository, args.paths)
    const isWanted = pathspec.isEmpty ? undefined : pathspec.filter
    if (options.has('cached'))
      return show(call, repository, options, await indexAgainst(repository, [revision], options, isWanted))
    const compared = await workTreeAgainst(repository, options, await needTreeOf(repository, revision), isWanted, true)
    if (!options.has('ignores-missing')) return show(call, repository, options, compared)
    const index = await repository.readIndex()
    const changes = compared.changes.filter(({ path, after }) => after !== undefined || !index.has(path))
    return show(call, repository, options, { ...compared, changes })
  },
}

export const diffFiles: GitCommand = {
  name: 'diff-files',
  summary: 'Compares files in the working tree and the index',
  options: {
    rows: [
      ...plumbingRows,
      { names: ['quiet'] },
      { names: ['1', 'base'], key: 'stage', value: '1', isNegatable: false },
      { names: ['2', 'ours'], key: 'stage', value: '2', isNegatable: false },
      { names: ['3', 'theirs'], key: 'stage', value: '3', isNegatable: false },
      { names: ['0', 'c', 'cc'], refuses: 'it is not built into this git' },
      { names: ['q', 'r', 't', 'v', 'm'], isIgnored: true },
    ],
    onUnknown: 'revision',
    usage: 'git diff-files [-q] [-0 | -1 | -2 | -3 | -c | --cc] [<common-diff-options>] [<path>...]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const pathspec = parsePathspec(repository, options.all)
    return show(call, repository, options, await workTree(repository, options, pathspec, true))
  },
}

export const diffTree: GitCommand = {
  name: 'diff-tree',
  summary: 'Compares the content and mode of blobs found via two tree objects',
  options: {
    rows: [
      { names: ['r'], key: 'recursive' },
      { names: ['t'], key: 'show-trees' },
      ...plumbingRows,
      ...prettyOptionRows.filter(({ names }) => !names.some(name => ['root', 'quiet'].includes(name))),
      { names: ['root'] },
      { names: ['v'], key: 'verbose' },
      { names: ['stdin'] },
      { names: ['always'] },
      { names: ['no-commit-id'], isNegatable: false },
      { names: ['merge-base'], isNegatable: false },
      { names: ['quiet'] },
    ],
    onUnknown: 'revision',
    usage:
      'git diff-tree [--stdin] [-m] [-s] [-v] [--no-commit-id] [--pretty] [-t] [-r] [-c | --cc] [--root] [--merge-base] [<common-diff-options>] <tree-ish> [<tree-ish>] [<path>...]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const args = await readRevisions(repository, options)
    const shower = new TreeShower(call, repository, options, args, await settingsOf(call, repository, options))
    const [one, two, ...rest] = args.revisions
    if (options.has('stdin')) {
      for (const line of (await call.input()).split('\n')) if (line !== '') await shower.line(line)
      return 0
    }
    if (one === undefined || rest.length > 0) throw new GitFailure(`usage: ${diffTree.options.usage}`, 129)
    if (two === undefined) {
      const commit = await peel(repository, one.oid, 'commit')
      if (commit === undefined) throw fatal(`${one.text}: not a commit`)
      const hasChanges = await shower.commit(commit)
      return (options.has('exit-code') || options.has('quiet')) && hasChanges ? 1 : 0
    }
    const [from, to] = two.isExcluded && !one.isExcluded ? [two, one] : [one, two]
    let fromTree = await needTreeOf(repository, from)
    if (options.has('merge-base')) {
      const [base] = await mergeBases(repository, await needCommit(repository, from.oid), [await needCommit(repository, to.oid)])
      if (base === undefined) throw fatal('no merge base found')
      fromTree = await repository.treeOf(base)
    }
    const hasChanges = await shower.trees(fromTree, await needTreeOf(repository, to))
    return (options.has('exit-code') || options.has('quiet')) && hasChanges ? 1 : 0
  },
}

function isCombinedStyle(style: string | undefined): boolean {
  return ['-c', '--cc', 'c', 'combined', 'cc', 'dense-combined'].includes(style ?? '')
}

class TreeShower {
  readonly #call: GitCall
  readonly #repository: Repository
  readonly #options: Options
  readonly #args: RevisionArguments
  readonly #renderer: DiffRenderer
  readonly #tree: TreeDiffOptions
  #writer: LogWriter | undefined

  constructor(call: GitCall, repository: Repository, options: Options, args: RevisionArguments, settings: DiffSettings) {
    this.#call = call
    this.#repository = repository
    this.#options = options
    this.#args = args
    this.#renderer = new DiffRenderer(repository, settings, new ShortIds(repository))
    const lists = new Set<string>(['raw', 'name-only', 'name-status'])
    const opensTrees = [...settings.formats].some(format => !lists.has(format)) || settings.pickaxe !== undefined
    const showTrees = options.has('show-trees')
    const recursive = options.has('recursive') || showTrees || opensTrees || isCombinedStyle(options.value('merge-diff'))
    const pathspec = parsePathspec(repository, args.paths)
    this.#tree = { recursive, showTrees, ...(pathspec.isEmpty ? {} : { isWanted: pathspec.filter }) }
  }

  /** A line of stdin: a commit, with replacement parents after its own, or two trees. */
  async line(line: string): Promise<void> {
    const [first = '', second] = line.trim().split(' ')
    const isId = isObjectId(first) && (second === undefined || isObjectId(second))
    const revision = isId ? await resolveRevision(this.#repository, first) : undefined
    const commit = revision === undefined ? undefined : await peel(this.#repository, revision.oid, 'commit')
    if (commit !== undefined) {
      await this.commit(commit)
      return
    }
    const other = second === undefined ? undefined : await resolveRevision(this.#repository, second)
    if (revision === undefined || other === undefined) {
      await this.#call.print(line)
      return
    }
    await this.#call.print(`${revision.oid} ${other.oid}`)
    await this.trees(revision.oid, other.oid)
  }

  /** Returns whether anything differs. */
  async trees(from: ObjectId | undefined, to: ObjectId): Promise<boolean> {
    const isWanted = this.#tree.isWanted
    const { unchanged } =
      from === undefined ? { unchanged: undefined } : await betweenTrees(this.#repository, from, from, isWanted)
    const pairs = await this.#renderer.pairs(await diffTrees(this.#repository, from, to, this.#tree), unchanged)
    if (!this.#options.has('quiet')) await this.#renderer.write(this.#call.out, pairs)
    return pairs.length > 0
  }

  async commit(oid: ObjectId): Promise<boolean> {
    const options = this.#options
    const commit = await this.#repository.objects.readCommit(oid)
    const style = options.value('merge-diff')
    const isMerge = commit.parents.length > 1
    if (commit.parents.length === 0 && !options.has('root') && !options.has('always')) return false
    if (isMerge && (style === undefined || style === 'off' || style === 'none')) {
      if (options.has('always')) await this.#id(oid)
      return false
    }
    const hasForm = options.has('pretty') || options.has('format') || options.has('oneline') || options.has('verbose')
    const isCombined = isMerge && isCombinedStyle(style)
    if (hasForm || isCombined) return this.#withHeader(oid, { hasForm, isCombined })
    let hasChanges = false
    const isFirstOnly = style === '1' || style === 'first-parent'
    for (const parent of commit.parents.length === 0 ? [undefined] : isFirstOnly ? commit.parents.slice(0, 1) : commit.parents) {
      const before = parent === undefined ? undefined : await this.#repository.treeOf(parent)
      const changes = await diffTrees(this.#repository, before, commit.tree, this.#tree)
      const pairs = await this.#renderer.pairs(changes)
      if (pairs.length === 0 && !options.has('always')) continue
      hasChanges = true
      if (options.has('quiet')) continue
      await this.#id(oid)
      await this.#renderer.write(this.#call.out, pairs)
    }
    return hasChanges
  }

  async #id(oid: ObjectId): Promise<void> {
    if (!this.#options.has('no-commit-id')) await this.#call.out.write(oid + (this.#options.has('z') ? '\0' : '\n'))
  }

  async #withHeader(
    oid: ObjectId,
    { hasForm, isCombined }: { readonly hasForm: boolean; readonly isCombined: boolean },
  ): Promise<boolean> {
    const commit = await this.#repository.objects.readCommit(oid)
    const { combinedFiles } = await import('../diff/combined-diff.ts')
    const isEmpty = isCombined
      ? (await combinedFiles(this.#repository, commit, this.#tree.isWanted)).length === 0
      : (await this.#isSameAsFirst(commit)) && commit.parents.length < 2
    if (isEmpty && !isCombined && !this.#options.has('always')) return false
    if (!hasForm) await this.#id(oid)
    const form = { key: 'pretty', value: hasForm ? 'medium' : 'tformat:', isNegated: false }
    const given = this.#options.given
    const hasOwn = given.some(({ key }) => key === 'pretty' || key === 'format' || key === 'oneline')
    const options = new Options(hasOwn ? given : [...given, form], this.#options.words, this.#options.paths)
    if (this.#writer === undefined) {
      const { LogWriter: Writer } = await import('./log.ts')
      this.#writer = await Writer.open(this.#call, this.#repository, options, this.#args, 'diff-tree', undefined, this.#tree)
    }
    await this.#writer.write({ oid, commit, parents: commit.parents, side: undefined, isBoundary: false })
    return true
  }

  async #isSameAsFirst({ parents, tree }: { readonly parents: readonly ObjectId[]; readonly tree: ObjectId }): Promise<boolean> {
    const [first] = parents
    const before = first === undefined ? undefined : await this.#repository.treeOf(first)
    return (await diffTrees(this.#repository, before, tree, this.#tree)).length === 0
  }
}
