// `git log -L`: follows ranges of lines from a commit to its parents. A commit is shown if it changed lines in the ranges; a merge only if
// each of its parents has other lines there.

import { diffLines, type LineEdit } from '../../text/git-diff/diff-lines.ts'
import { type FilePair, pairOf } from '../diff/file-pair.ts'
import { findRenames } from '../diff/renames.ts'
import { diffTrees } from '../diff/tree-diff.ts'
import type { Repository } from '../repository.ts'
import { modes, type ObjectId } from '../store/object-format.ts'
import { differenceOf, type LineRange, unionOf } from './line-sets.ts'
import type { WalkedCommit } from './walk.ts'

type Ranges = ReadonlyMap<string, readonly LineRange[]>

/** The changes of one file that touch its ranges, which are those of the newer side. */
export interface LineChange {
  readonly pair: FilePair
  readonly before: Uint8Array
  readonly after: Uint8Array
  readonly ranges: readonly LineRange[]
  readonly edits: readonly LineEdit[]
}

interface Traced {
  readonly ranges: Ranges
  readonly changes: readonly LineChange[]
}

export interface LineLogOptions {
  readonly findsRenames: boolean
  readonly minimumPercent: number
  readonly firstParentOnly: boolean
  /** The parents become the nearest shown commits, as a graph needs them. */
  readonly rewritesParents: boolean
}

export class LineLog {
  readonly #repository: Repository
  readonly #options: LineLogOptions
  readonly #ranges: Map<ObjectId, Ranges>
  readonly #changes = new Map<ObjectId, readonly LineChange[]>()
  /** The parents that a hidden commit leads to. */
  readonly #leadsTo = new Map<ObjectId, readonly ObjectId[]>()

  constructor(repository: Repository, start: ObjectId, ranges: Ranges, options: LineLogOptions) {
    this.#repository = repository
    this.#options = options
    this.#ranges = new Map([[start, ranges]])
  }

  /** What a commit of the filtered walk changed. */
  changesOf(oid: ObjectId): readonly LineChange[] {
    return this.#changes.get(oid) ?? []
  }

  /** The commits that change the ranges. They must come before their parents. */
  async *filter(commits: AsyncIterable<WalkedCommit>): AsyncGenerator<WalkedCommit> {
    if (!this.#options.rewritesParents) {
      for await (const walked of commits) if (walked.isBoundary || (await this.#isShown(walked))) yield walked
      return
    }
    const shown: WalkedCommit[] = []
    for await (const walked of commits) if (walked.isBoundary || (await this.#isShown(walked))) shown.push(walked)
    const ids = new Set(shown.map(({ oid }) => oid))
    const nearest = (oid: ObjectId): ObjectId | undefined => {
      let at: ObjectId | undefined = oid
      while (at !== undefined && !ids.has(at)) at = this.#leadsTo.get(at)?.[0]
      return at
    }
    for (const walked of shown)
      yield { ...walked, parents: [...new Set(walked.parents.flatMap(parent => nearest(parent) ?? []))] }
  }

  async #isShown({ oid, commit }: WalkedCommit): Promise<boolean> {
    const ranges = this.#ranges.get(oid)
    this.#leadsTo.set(oid, commit.parents)
    if (ranges === undefined) return false
    const parents = this.#options.firstParentOnly ? commit.parents.slice(0, 1) : commit.parents
    if (commit.parents.length < 2) {
      const traced = await this.#trace(ranges, commit.tree, parents[0])
      if (parents[0] !== undefined) this.#add(parents[0], traced.ranges)
      this.#changes.set(oid, traced.changes)
      return traced.changes.length > 0
    }
    const traces: [ObjectId, Traced][] = []
    for (const parent of parents) {
      const traced = await this.#trace(ranges, commit.tree, parent)
      if (traced.changes.length > 0) {
        traces.push([parent, traced])
        continue
      }
      // This parent has all of the lines.
      this.#add(parent, traced.ranges)
      this.#leadsTo.set(oid, [parent])
      return false
    }
    for (const [parent, traced] of traces) this.#add(parent, traced.ranges)
    return true
  }

  #add(oid: ObjectId, ranges: Ranges): void {
    const merged = new Map(this.#ranges.get(oid) ?? [])
    for (const [path, own] of ranges) merged.set(path, unionOf([...(merged.get(path) ?? []), ...own]))
    this.#ranges.set(oid, merged)
  }

  /** The ranges in a parent, and what is not the same there. */
  async #trace(ranges: Ranges, tree: ObjectId, parent: ObjectId | undefined): Promise<Traced> {
    const pairs = new Map((await this.#pairs(ranges, tree, parent)).map(pair => [pair.path, pair]))
    const older = new Map<string, readonly LineRange[]>()
    const changes: LineChange[] = []
    for (const [path, own] of ranges) {
      const pair = pairs.get(path)
      if (pair?.after === undefined || own.length === 0) {
        older.set(path, unionOf([...(older.get(path) ?? []), ...own]))
        continue
      }
      const [before, after] = [await this.#read(pair.before), await this.#read(pair.after)]
      const edits = touching(diffLines(before, after, { indentHeuristic: false, cutsCommonTail: true }).edits, own)
      older.set(pair.beforePath, unionOf([...(older.get(pair.beforePath) ?? []), ...edits.older]))
      if (edits.touched.length > 0) changes.push({ pair, before, after, ranges: own, edits: edits.touched })
    }
    return { ranges: older, changes }
  }

  async #read(side: FilePair['before']): Promise<Uint8Array> {
    return side === undefined || side.mode === modes.submodule ? new Uint8Array() : this.#repository.objects.readBlob(side.oid)
  }

  async #pairs(ranges: Ranges, tree: ObjectId, parent: ObjectId | undefined): Promise<readonly FilePair[]> {
    const repository = this.#repository
    const before = parent === undefined ? undefined : await repository.treeOf(parent)
    const isWanted = (path: string, isDirectory: boolean): boolean =>
      isDirectory ? [...ranges.keys()].some(own => own.startsWith(`${path}/`)) : ranges.has(path)
    const own = (await diffTrees(repository, before, tree, { isWanted })).map(pairOf)
    const isNew = own.some(pair => pair.before === undefined)
    if (!isNew || before === undefined || !this.#options.findsRenames) return own
    const all = (await diffTrees(repository, before, tree)).map(pairOf)
    const { minimumPercent } = this.#options
    const candidates = all.filter(pair => pair.after === undefined || ranges.has(pair.path))
    const found = await findRenames(repository, candidates, { minimumPercent, copies: 'none', limit: 1000 })
    return found.filter(pair => pair.after !== undefined && ranges.has(pair.path))
  }
}

/** The edits that touch the ranges, and the ranges in the older file: what was edited there, and the rest shifted. */
function touching(
  edits: readonly LineEdit[],
  ranges: readonly LineRange[],
): { readonly touched: readonly LineEdit[]; readonly older: readonly LineRange[] } {
  const touched = edits.filter(({ afterStart, afterEnd }) =>
    ranges.some(({ start, end }) => afterEnd > start && end > afterStart),
  )
  const kept = differenceOf(
    ranges,
    touched.map(({ afterStart, afterEnd }) => ({ start: afterStart, end: afterEnd })),
  )
  const shifted = kept.map(({ start, end }) => {
    let offset = 0
    for (const edit of edits)
      if (edit.afterStart <= start) offset += edit.beforeEnd - edit.beforeStart - (edit.afterEnd - edit.afterStart)
    return { start: start + offset, end: end + offset }
  })
  return { touched, older: unionOf([...shifted, ...touched.map(edit => ({ start: edit.beforeStart, end: edit.beforeEnd }))]) }
}
