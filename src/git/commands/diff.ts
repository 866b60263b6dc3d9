// `git diff`: compares work tree, index and commits.

import type { GitCall } from '../call.ts'
import { pairOf, type FilePair } from '../diff/file-pair.ts'
import { DiffRenderer } from '../diff/render.ts'
import { type DiffSettings, readDiffSettings } from '../diff/settings.ts'
import { diffOptionRows } from '../diff/option-rows.ts'
import { diffTrees, type FileChange, sortChanges } from '../diff/tree-diff.ts'
import { fatal, GitFailure } from '../errors.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import type { GitIndex, IndexEntry } from '../index/git-index.ts'
import { mergeBases } from '../revs/merge-base.ts'
import { needCommit, peel } from '../revs/revision.ts'
import { readRevisions, type RevisionArguments, type NamedRevision } from '../revs/revision-arguments.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { modes, type ObjectId, zeroId } from '../store/object-format.ts'
import { keepRefreshed } from '../work/keep-refreshed.ts'
import { isUnchangedInSeconds } from '../work/work-tree.ts'
import { type Pathspec, parsePathspec } from '../work/pathspec.ts'
import { diffIndexToTree, diffWorkTree, type WorkTreeDiff } from '../work/status.ts'
import { submoduleIgnore } from '../work/submodule-dirt.ts'
import type { GitCommand } from './command.ts'

export const diff: GitCommand = {
  name: 'diff',
  summary: 'Show changes between commits, commit and working tree, etc',
  options: {
    rows: [
      ...diffOptionRows,
      { names: ['cached', 'staged'], key: 'cached', isNegatable: false },
      { names: ['merge-base'], isNegatable: false },
      { names: ['no-index'], isNegatable: false },
      { names: ['q', 'quiet'], key: 'quiet' },
      { names: ['1', 'base'], key: 'stage', value: '1', isNegatable: false },
      { names: ['2', 'ours'], key: 'stage', value: '2', isNegatable: false },
      { names: ['3', 'theirs'], key: 'stage', value: '3', isNegatable: false },
      { names: ['c'], key: 'combined', value: 'all', isNegatable: false },
      { names: ['cc'], key: 'combined', value: 'dense', isNegatable: false },
      { names: ['diff-merges'], argument: { name: 'format' }, accepts: ['off', 'none', 'cc', 'dense-combined'], isIgnored: true },
    ],
    onUnknown: 'diff',
    usage: 'git diff [<options>] [<commit>] [--] [<path>...]',
  },
  async run(call, options) {
    const repository = await call.findRepository()
    if (options.has('no-index') || repository === undefined) {
      const { diffWithoutIndex } = await import('./rare-diffs.ts')
      return diffWithoutIndex(call, options)
    }
    const prefix = options.value('line-prefix')
    if (prefix !== undefined) await call.prefixLines(prefix)
    const args = await readRevisions(repository, options)
    const isQuiet = options.has('quiet')
    const mnemonics = mnemonicsOf(args, options.has('cached'))
    const read = await readDiffSettings(options, {
      format: 'patch',
      config: repository.config(),
      prefix: repository.prefix,
      mnemonics,
    })
    const settings: DiffSettings = isQuiet ? { ...read, formats: new Set() } : read
    if (args.revisions.length > 2 && args.symmetric === undefined && !options.has('cached')) {
      const { diffCombined } = await import('./rare-diffs.ts')
      return diffCombined(call, repository, options, args, settings)
    }
    const compared = await compare(call, repository, options, args)
    const renderer = new DiffRenderer(repository, settings, new ShortIds(repository))
    const pairs = await renderer.pairs(compared.changes, compared.unchanged)
    const config = repository.config()
    const hasPrograms =
      config.subsections('diff').length > 0 || config.has('diff.external') || call.environment.env['GIT_EXTERNAL_DIFF']
    if (hasPrograms && settings.formats.has('patch'))
      await (await import('../diff/rare-forms.ts')).tellSkippedPrograms(call, repository, options, pairs, true)
    const isDense = options.has('combined') ? options.value('combined') !== 'all' : undefined
    const { hasProblem, hasChanges } = await writeComparison(call, repository, renderer, pairs, compared, settings, isDense)
    if (settings.formats.has('check')) return hasProblem ? 2 : 0
    return (options.has('exit-code') || isQuiet) && hasChanges ? 1 : 0
  },
}

/** The prefixes of `diff.mnemonicPrefix`: commit, index, work tree. */
function mnemonicsOf(
  { revisions, symmetric }: RevisionArguments,
  isCached: boolean,
): readonly [before: string, after: string] | undefined {
  if (isCached) return ['c/', 'i/']
  if (symmetric !== undefined || revisions.length > 1) return undefined
  return [revisions.length === 0 ? 'i/' : 'c/', 'w/']
}

export interface Compared {
  readonly changes: readonly FileChange[]
  readonly unchanged?: () => Promise<readonly FilePair[]>
  /** Conflicts are shown as combined diffs of ours and theirs. */
  readonly isAgainstIndex?: boolean
}

async function compare(call: GitCall, repository: Repository, options: Options, args: RevisionArguments): Promise<Compared> {
  const pathspec = parsePathspec(repository, args.paths)
  const isWanted = pathspec.isEmpty ? undefined : pathspec.filter
  const { revisions, symmetric } = args
  const blobs = await blobSides(repository, revisions, args.paths)
  if (blobs !== undefined) return { changes: blobs }
  if (symmetric !== undefined) {
    const [base] = symmetric.bases
    if (base === undefined) throw fatal(`${revisions[0]?.text ?? ''}...${revisions[1]?.text ?? ''}: no merge base`)
    if (symmetric.bases.length > 1)
      await call.warn(`warning: ${revisions[0]?.text ?? ''}...${revisions[1]?.text ?? ''}: multiple merge bases, using ${base}`)
    return betweenTrees(repository, await repository.treeOf(base), await repository.treeOf(symmetric.right), isWanted)
  }
  if (options.has('cached')) return indexAgainst(repository, revisions, options, isWanted)
  const [one, two] = revisions
  if (one === undefined) return workTree(repository, options, pathspec)
  if (two === undefined) {
    const base = options.has('merge-base') ? await baseWithHead(repository, one) : one.oid
    return workTreeAgainst(repository, options, await needTreeOf(repository, { ...one, oid: base }), isWanted)
  }
  // In `A..B`, B is the first shown revision and A is an excluded one.
  const [from, to] = two.isExcluded && !one.isExcluded ? [two, one] : [one, two]
  const base = options.has('merge-base')
    ? (await mergeBases(repository, await needCommit(repository, from.oid), [await needCommit(repository, to.oid)]))[0]
    : undefined
  const fromTree = base === undefined ? await needTreeOf(repository, from) : await repository.treeOf(base)
  return betweenTrees(repository, fromTree, await needTreeOf(repository, to), isWanted)
}

async function baseWithHead(repository: Repository, { oid, text }: NamedRevision): Promise<ObjectId> {
  const head = (await repository.head()).oid
  if (head === undefined) throw fatal('unable to get HEAD')
  const [base] = await mergeBases(repository, head, [await needCommit(repository, oid, `${text}: not a commit`)])
  if (base === undefined) throw fatal('no merge base found')
  return base
}

export async function needTreeOf(repository: Repository, { oid, text }: NamedRevision): Promise<ObjectId> {
  const tree = await peel(repository, oid, 'tree')
  if (tree === undefined) throw fatal(`bad object ${text}`)
  return tree
}

export async function betweenTrees(
  repository: Repository,
  from: ObjectId,
  to: ObjectId,
  isWanted: Pathspec['filter'],
): Promise<Compared> {
  return {
    changes: await diffTrees(repository, from, to, { isWanted }),
    unchanged: async () =>
      (await diffTrees(repository, undefined, from)).map(({ path, after }) => pairOf({ path, before: after, after })),
  }
}

/** `git diff HEAD:a HEAD:b`, and `git diff HEAD:a b` with a file of the work tree. */
async function blobSides(
  repository: Repository,
  revisions: readonly NamedRevision[],
  paths: readonly string[],
): Promise<readonly FileChange[] | undefined> {
  const [one, two] = revisions
  if (one === undefined || (await repository.objects.read(one.oid))?.type !== 'blob') return undefined
  const mode = (revision: NamedRevision): number => revision.mode ?? modes.file
  const [file, ...more] = paths
  if (two === undefined) {
    if (file === undefined || more.length > 0) throw new GitFailure(`usage: ${diff.options.usage}\n`, 129)
    const tree = await repository.workTree()
    const path = repository.prefix + file
    const stat = await tree.lstat(path)
    if (stat === undefined) throw fatal(`failed to stat '${file}': No such file or directory`)
    if (stat.kind === 'directory') throw fatal(`'${file}': not a regular file or symlink`)
    const oid = (await tree.hash(path, stat, undefined)) ?? zeroId
    const before = { mode: mode(one), oid: one.oid }
    return [{ path, beforePath: one.path ?? path, before, after: { mode: tree.modeOf(stat), oid, isWorkTree: true } }]
  }
  const [from, to] = two.isExcluded ? [two, one] : [one, two]
  if (from.oid === to.oid) return []
  const before = { mode: mode(from), oid: from.oid }
  return [{ path: to.path ?? to.oid, beforePath: from.path ?? from.oid, before, after: { mode: mode(to), oid: to.oid } }]
}

export async function indexAgainst(
  repository: Repository,
  revisions: readonly NamedRevision[],
  options: Options,
  isWanted: Pathspec['filter'],
): Promise<Compared> {
  const [one, ...rest] = revisions
  if (rest.length > 0) throw new GitFailure('usage: git diff [<options>] [<commit>] [--] [<path>...]', 129)
  const head = (await repository.head()).oid
  const base = one === undefined ? undefined : options.has('merge-base') ? await baseWithHead(repository, one) : one.oid
  const tree =
    one === undefined || base === undefined
      ? head === undefined
        ? undefined
        : await repository.treeOf(head)
      : await needTreeOf(repository, { ...one, oid: base })
  const index = await repository.readIndex()
  const changes = await diffIndexToTree(repository, index, tree, isWanted)
  return tree === undefined ? { changes } : { ...(await betweenTrees(repository, tree, tree, isWanted)), changes }
}

/** `isPlumbing`: includes a conflict whose file equals one side, and files whose stats alone differ, and leaves the index as it is. */
export async function workTree(
  repository: Repository,
  options: Options,
  pathspec: Pathspec,
  isPlumbing: boolean = false,
): Promise<Compared> {
  const index = await repository.readIndex()
  const filter = pathspec.isEmpty ? undefined : pathspec.filter
  const found = await diffWorkTree(
    repository,
    index,
    filter === undefined ? undefined : path => filter(path, false),
    submoduleIgnore(options, 'untracked'),
  )
  const leavesStats = isPlumbing || !repository.config().bool('diff.autorefreshindex', true)
  if (!leavesStats) await keepRefreshed(repository, index, found)
  const stage = options.value('stage')
  const tree = await repository.workTree()
  const changes: FileChange[] = []
  for (const change of found.changes) {
    const entry = index.stages(change.path)?.[Number(stage ?? 2) - 1]
    const stat = await tree.lstat(change.path)
    const oid = await tree.hash(change.path, stat, index)
    const isConflict = change.before === undefined && change.after === undefined
    const file = stat === undefined ? undefined : { mode: tree.modeOf(stat), oid: zeroId }
    changes.push(isConflict ? { ...change, unmerged: { before: undefined, after: file } } : change)
    if (entry === undefined || change.before !== undefined) continue
    if (entry.oid === oid && !isPlumbing) continue
    changes.push({
      path: change.path,
      before: { mode: entry.mode, oid: entry.oid },
      after: stat === undefined || oid === undefined ? undefined : { mode: tree.modeOf(stat), oid, isWorkTree: true },
    })
  }
  for (const { path, mode, oid } of leavesStats ? touchedOf(index, found) : [])
    changes.push({ path, before: { mode, oid }, after: { mode, oid, isWorkTree: true } })
  return { changes: leavesStats ? sortChanges(changes) : changes, isAgainstIndex: stage === undefined }
}

/** Entries whose file has another time or size than the index says, and the same content. */
function touchedOf(index: GitIndex, { refreshed }: WorkTreeDiff): readonly IndexEntry[] {
  return refreshed.filter(({ path, stat }) => {
    const known = index.get(path)?.stat
    return known !== undefined && !isUnchangedInSeconds(known, stat)
  })
}

/** Compares the work tree with a commit: files that differ from the index are read, all others are compared by the index. `isPlumbing`: includes conflicts whose file is as in the commit, and files whose stats alone differ. */
export async function workTreeAgainst(
  repository: Repository,
  options: Options,
  tree: ObjectId,
  isWanted: Pathspec['filter'],
  isPlumbing: boolean = false,
): Promise<Compared> {
  const index = await repository.readIndex()
  const found = await diffWorkTree(
    repository,
    index,
    isWanted === undefined ? undefined : path => isWanted(path, false),
    submoduleIgnore(options, 'untracked'),
  )
  const staged = await diffIndexToTree(repository, index, tree, isWanted)
  const byPath = new Map(staged.map(change => [change.path, change]))
  for (const { path, after } of found.changes) {
    const known = byPath.get(path)
    const entry = index.get(path)
    // A path from `add -N` is in no commit; otherwise it is among `staged`.
    const before = known === undefined ? (entry?.isIntentToAdd ? undefined : entry) : known.before
    const base = before === undefined ? undefined : { mode: before.mode, oid: before.oid }
    if (after === undefined && base === undefined) byPath.delete(path)
    else if (after !== undefined && base?.oid === after.oid && base.mode === after.mode && after.dirt === undefined)
      byPath.delete(path)
    else byPath.set(path, { path, before: base, after })
  }
  const leavesStats = isPlumbing || !repository.config().bool('diff.autorefreshindex', true)
  for (const { path, mode, oid } of leavesStats ? touchedOf(index, found) : []) {
    const known = byPath.get(path)
    byPath.set(path, { path, before: known === undefined ? { mode, oid } : known.before, after: { mode, oid, isWorkTree: true } })
  }
  const work = await repository.workTree()
  for (const path of index.conflicts()) {
    if (isWanted !== undefined && !isWanted(path, false)) continue
    const stat = await work.lstat(path)
    const oid = await work.hash(path, stat, index)
    const before = (
      await diffTrees(repository, undefined, tree, {
        isWanted: (own, isDirectory) => (isDirectory ? path.startsWith(`${own}/`) : own === path),
      })
    )[0]?.after
    const after = stat === undefined || oid === undefined ? undefined : { mode: work.modeOf(stat), oid, isWorkTree: true }
    const isEqual = before !== undefined && before.oid === after?.oid && before.mode === after.mode
    if ((isEqual && !isPlumbing) || (before === undefined && after === undefined)) byPath.delete(path)
    else byPath.set(path, { path, before, after })
  }
  return { changes: sortChanges([...byPath.values()]) }
}

/** A conflict that is shown as a combined diff is no change for the exit code. `isDense`: a combined diff was asked for. */
export async function writeComparison(
  call: GitCall,
  repository: Repository,
  renderer: DiffRenderer,
  pairs: readonly FilePair[],
  { isAgainstIndex = false }: Compared,
  settings: DiffSettings,
  isDense?: boolean,
): Promise<{ readonly hasProblem: boolean; readonly hasChanges: boolean }> {
  const written = async (own: readonly FilePair[]) => ({
    hasProblem: await renderer.write(call.out, own),
    hasChanges: own.length > 0,
  })
  const isCombined = isAgainstIndex && (settings.formats.has('patch') || isDense !== undefined)
  if (!isCombined || !pairs.some(({ status }) => status === 'U')) return written(pairs)
  const formats: ReadonlySet<string> = settings.formats
  const index = await repository.readIndex()
  const tree = await repository.workTree()
  const ids = new ShortIds(repository)
  // Conflicts with two sides come first, as combined diffs; the rest follows.
  const rest: FilePair[] = []
  const combined = new Set<string>()
  for (const pair of pairs) {
    if (combined.has(pair.path)) continue
    const stages = pair.status === 'U' ? index.stages(pair.path) : undefined
    const [, ours, theirs] = stages ?? []
    if (ours === undefined || theirs === undefined) {
      rest.push(pair)
      continue
    }
    const stat = await tree.lstat(pair.path)
    combined.add(pair.path)
    const side = (entry: { readonly mode: number; readonly oid: ObjectId }) => ({ mode: entry.mode, oid: entry.oid })
    const oid = (await tree.hash(pair.path, stat, index)) ?? ''
    const result =
      stat === undefined || stat.kind === 'directory' ? undefined : { mode: tree.modeOf(stat), oid, isWorkTree: true }
    const { combinedPatch, combinedRow } = await import('../diff/combined-diff.ts')
    const file = { path: pair.path, parents: [side(ours), side(theirs)], letters: 'MM', result, isMissing: stat === undefined }
    if (['raw', 'name-status', 'name-only'].some(format => formats.has(format)))
      await call.out.write(await combinedRow(repository, file, settings, ids))
    else if (formats.has('patch')) await call.out.write(await combinedPatch(repository, file, ids, isDense ?? true, settings))
  }
  return written(rest)
}
