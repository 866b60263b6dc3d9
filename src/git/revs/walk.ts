// Walks commits: ranges, order, limits, paths. Shared by `log`, `rev-list` and similar commands.

import { createPauser } from '../../core/pause.ts'
import { diffTrees } from '../diff/tree-diff.ts'
import type { Repository } from '../repository.ts'
import type { Commit, ObjectId } from '../store/object-format.ts'
import type { AncestryPath } from './ancestry-path.ts'
import { CommitQueue } from './commit-queue.ts'
import { topological } from './topological.ts'

export interface WalkedCommit {
  readonly oid: ObjectId
  readonly commit: Commit
  /** The parents in this walk, without those that paths exclude. */
  readonly parents: readonly ObjectId[]
  /** The side of `A...B` that reaches it. */
  readonly side: 'left' | 'right' | undefined
  /** Shown for `--boundary`. */
  readonly isBoundary: boolean
  /** The name by which it was reached. */
  readonly source?: string | undefined
  /** A commit on the other side has the same changes. */
  readonly hasTwin?: boolean
  /** Its children, if they are asked for. */
  readonly children?: readonly ObjectId[]
}

export interface WalkOptions {
  readonly include: readonly ObjectId[]
  readonly exclude: readonly ObjectId[]
  /** The left tips of `A...B`. */
  readonly left?: ReadonlySet<ObjectId>
  /** `parents-last`: by date, but no commit before all of its children. */
  readonly order: 'date' | 'parents-last' | 'topological' | 'author-date'
  readonly firstParent?: boolean
  /** Also follow commits that change nothing in these paths. */
  readonly isWanted?: ((path: string, isDirectory: boolean) => boolean) | undefined
  readonly fullHistory?: boolean
  /** The parents are the shown commits, as in a graph. */
  readonly rewritesParents?: boolean
  readonly noWalk?: boolean
  /** With `noWalk`: false keeps the order of the arguments. */
  readonly sortsGiven?: boolean
  readonly newest?: number | undefined
  readonly oldest?: number | undefined
  /** Older commits are left out, and the walk goes on behind them. */
  readonly oldestShown?: number | undefined
  readonly boundary?: boolean
  /** Ends with the excluded parents of all commits in the range, also of those that are not shown. */
  readonly listsEdge?: boolean | undefined
  /** Leave out parents that are not shown, as in a graph. */
  readonly hidesParents?: boolean
  /** With `hidesParents`: what the caller shows of the walked commits. */
  readonly isShown?: (commit: WalkedCommit) => boolean
  /** Each commit has its children in the range. */
  readonly listsChildren?: boolean
  /** The names of the tips, if they are asked for. */
  readonly sources?: ReadonlyMap<ObjectId, string> | undefined
  /** Only commits on a path from these commits, which are excluded, or through these. */
  readonly ancestryPath?: AncestryPath | undefined
  /** Leave out merges that combine nothing. */
  readonly simplifiesMerges?: boolean
  /** Only these commits, and the merges that join them. */
  readonly decorated?: ReadonlySet<ObjectId> | undefined
  /** Include commits that change nothing in the paths. */
  readonly isSparse?: boolean
  /** Leave out or mark commits whose change the other side of `A...B` has too. */
  readonly twins?: 'leave-out' | 'tell' | undefined
  readonly signal: AbortSignal
}

/** A commit, and what a walk knows of it. */
export interface WalkNode {
  readonly oid: ObjectId
  readonly commit: Commit
  parents: readonly ObjectId[]
  isUninteresting: boolean
  isLeft: boolean
  /** It changes nothing in the paths. */
  isSame: boolean
  /** Of a merge in a full history: the same for each parent. */
  sameAs?: readonly boolean[]
  isQueued: boolean
  source: string | undefined
  hasTwin: boolean
}

export class CommitWalk {
  readonly #repository: Repository
  readonly #options: WalkOptions
  readonly #nodes = new Map<ObjectId, WalkNode>()
  /** The commits of a graph, also those that a count leaves out: the lines towards them are drawn. */
  readonly #drawn = new Set<ObjectId>()
  readonly #children = new Map<ObjectId, ObjectId[]>()
  readonly #pause = createPauser()

  constructor(repository: Repository, options: WalkOptions) {
    this.#repository = repository
    this.#options = options
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WalkedCommit> {
    const { exclude, order, noWalk, boundary, listsEdge, rewritesParents, simplifiesMerges, twins, ancestryPath } = this.#options
    const needsAll =
      rewritesParents || boundary || listsEdge || simplifiesMerges || twins !== undefined || ancestryPath !== undefined
    if (noWalk) yield* this.#given()
    else if (exclude.length === 0 && order === 'date' && !needsAll) yield* this.#stream()
    else yield* this.#limited()
  }

  /** The maximum distance of every commit from the tips, for tools that need the whole list. */
  async all(): Promise<readonly WalkedCommit[]> {
    const found: WalkedCommit[] = []
    for await (const commit of this) found.push(commit)
    return found
  }

  async #node(oid: ObjectId): Promise<WalkNode> {
    const known = this.#nodes.get(oid)
    if (known !== undefined) return known
    const commit = await this.#repository.objects.readCommit(oid)
    const node: WalkNode = {
      oid,
      commit,
      parents: commit.parents,
      isUninteresting: false,
      isLeft: this.#options.left?.has(oid) ?? false,
      isSame: false,
      isQueued: false,
      source: this.#options.sources?.get(oid),
      hasTwin: false,
    }
    this.#nodes.set(oid, node)
    return node
  }

  #walked(node: WalkNode, isBoundary: boolean = false): WalkedCommit {
    const side = this.#options.left === undefined ? undefined : node.isLeft ? 'left' : 'right'
    const { oid, commit, parents, source, hasTwin } = node
    const walked: WalkedCommit = { oid, commit, parents, side, isBoundary, source, hasTwin }
    return this.#options.listsChildren ? { ...walked, children: this.#children.get(oid) ?? [] } : walked
  }

  async *#given(): AsyncGenerator<WalkedCommit> {
    const nodes: WalkNode[] = []
    for (const oid of this.#options.include) nodes.push(await this.#node(oid))
    if (this.#options.sortsGiven !== false) nodes.sort((a, b) => b.commit.committer.time - a.commit.committer.time)
    for (const node of nodes) yield this.#walked(node)
  }

  /** Newest first, as they are found; later ones are not known yet. */
  async *#stream(): AsyncGenerator<WalkedCommit> {
    const queue = new CommitQueue()
    const { include, oldest, signal } = this.#options
    const push = async (oid: ObjectId): Promise<void> => {
      const node = await this.#node(oid)
      if (node.isQueued) return
      node.isQueued = true
      queue.push(oid, node.commit.committer.time)
    }
    for (const oid of include) await push(oid)
    for (let oid = queue.pop(); oid !== undefined; oid = queue.pop()) {
      signal.throwIfAborted()
      await this.#pause()
      const node = await this.#node(oid)
      const { time } = node.commit.committer
      // All later commits are older, except for a few with wrong clocks.
      if (oldest !== undefined && time < oldest) continue
      await this.#simplify(node)
      for (const parent of this.#followed(node)) {
        await push(parent)
        await this.#passSource(node, parent)
      }
      if ((node.isSame && !this.#options.isSparse) || this.#isOutOfTime(time)) continue
      yield this.#walked(node)
    }
  }

  #isOutOfTime(time: number): boolean {
    const { newest = Number.POSITIVE_INFINITY, oldestShown = Number.NEGATIVE_INFINITY } = this.#options
    return time > newest || time < oldestShown
  }

  async #passSource(node: WalkNode, parent: ObjectId): Promise<void> {
    if (this.#options.sources !== undefined) (await this.#node(parent)).source ??= node.source
  }

  #followed(node: WalkNode): readonly ObjectId[] {
    return this.#options.firstParent ? node.parents.slice(0, 1) : node.parents
  }

  /** Sets `isSame`. At a merge, follows only the parent from which all of the paths came. */
  async #simplify(node: WalkNode): Promise<void> {
    const { isWanted, fullHistory = false, firstParent = false, decorated } = this.#options
    if (decorated !== undefined && (isWanted === undefined || decorated.has(node.oid))) {
      node.isSame = node.parents.length > 0 && !decorated.has(node.oid)
      return
    }
    if (isWanted === undefined) return
    const parents = firstParent ? node.parents.slice(0, 1) : node.parents
    if (this.#options.isSparse && parents.length === 1) return
    if (parents.length === 0) {
      node.isSame = (await diffTrees(this.#repository, undefined, node.commit.tree, { isWanted, recursive: true })).length === 0
      return
    }
    const sameAs: boolean[] = []
    for (const parent of parents) {
      const other = await this.#repository.objects.readCommit(parent)
      const isSame = (await diffTrees(this.#repository, other.tree, node.commit.tree, { isWanted })).length === 0
      sameAs.push(isSame)
      if (!isSame || fullHistory) continue
      node.isSame = true
      node.parents = [parent]
      return
    }
    if (sameAs.length > 1) node.sameAs = sameAs
    node.isSame = sameAs.every(Boolean)
  }

  /** Reads the whole list first: all exclusions must be known before the first commit is shown. */
  async *#limited(): AsyncGenerator<WalkedCommit> {
    const { order, boundary, rewritesParents, hidesParents, simplifiesMerges, ancestryPath, twins } = this.#options
    const { isShown = () => true } = this.#options
    let list = await this.#limitedList()
    if (ancestryPath !== undefined) {
      const { onAncestryPath } = await import('./rare-walks.ts')
      list = onAncestryPath(this.#topological(list), list, ancestryPath)
      const kept = new Set(list)
      for (const node of this.#nodes.values()) if (!kept.has(node)) node.isUninteresting = true
    }
    if (this.#options.fullHistory) {
      const { compareRelevant } = await import('./rare-walks.ts')
      const isRelevant = (oid: ObjectId): boolean => this.#isRelevant(oid)
      compareRelevant(list, isRelevant, rewritesParents === true && !simplifiesMerges)
    }
    if (twins !== undefined) {
      const { withoutTwins } = await import('./rare-walks.ts')
      list = await withoutTwins(this.#repository, list, twins)
    }
    const inRange = new Set(list.map(({ oid }) => oid))
    const edge = new Set(this.#options.listsEdge ? list.flatMap(({ parents }) => parents.filter(oid => !inRange.has(oid))) : [])
    const isLimited = this.#options.isWanted !== undefined || this.#options.decorated !== undefined
    // Commits that are not shown have their place in the order, too.
    if (order !== 'date') list = this.#topological(list)
    if (simplifiesMerges) {
      const { simplifyMerges } = await import('./rare-walks.ts')
      list = await simplifyMerges(list, {
        repository: this.#repository,
        nodeOf: oid => this.#nodes.get(oid),
        followed: node => this.#followed(node),
        isRelevant: oid => this.#isRelevant(oid),
      })
    }
    for (const { oid, parents } of list)
      for (const parent of parents) this.#children.set(parent, [oid, ...(this.#children.get(parent) ?? [])])
    if (rewritesParents && isLimited && !simplifiesMerges && !this.#options.isSparse)
      (await import('./rare-walks.ts')).rewriteParents(list)
    if (!this.#options.isSparse && !simplifiesMerges) list = list.filter(node => !node.isSame)
    if (hidesParents) {
      // With a boundary every parent is shown.
      for (const node of list) if (isShown(this.#walked(node))) this.#drawn.add(node.oid)
      for (const node of list) node.parents = this.#followed(node).filter(oid => boundary === true || this.#drawn.has(oid))
    }
    for (const node of list) yield this.#walked(node)
    for (const oid of edge) yield this.#walked(await this.#node(oid), true)
  }

  async #limitedList(): Promise<WalkNode[]> {
    const { include, exclude, left, signal, oldest } = this.#options
    const queue = new CommitQueue()
    let interesting = 0
    const dropped = ({ oid, isQueued }: WalkNode): void => {
      if (isQueued && waiting.has(oid)) interesting--
    }
    const push = async (oid: ObjectId, isUninteresting: boolean, isLeft: boolean): Promise<void> => {
      const node = await this.#node(oid)
      if (isUninteresting && !node.isUninteresting) await this.#exclude(node, dropped)
      if (isLeft) node.isLeft = true
      if (node.isQueued) return
      node.isQueued = true
      waiting.add(oid)
      if (!node.isUninteresting) interesting++
      queue.push(oid, node.commit.committer.time)
    }
    const waiting = new Set<ObjectId>()
    for (const oid of exclude) await push(oid, true, false)
    for (const oid of include) await push(oid, false, left?.has(oid) ?? false)
    const list: WalkNode[] = []
    // A commit with a wrong date may exclude something late, so the walk continues for a while.
    let slack = 5
    let lastTime = Number.POSITIVE_INFINITY
    while (interesting > 0 || (slack > 0 && queue.size > 0)) {
      const oid = queue.pop()
      if (oid === undefined) break
      signal.throwIfAborted()
      await this.#pause()
      waiting.delete(oid)
      const node = await this.#node(oid)
      if (node.isUninteresting) {
        if (interesting === 0) {
          if (list.length === 0) break
          slack = node.commit.committer.time >= lastTime ? 5 : slack - 1
        }
        for (const parent of node.parents) await push(parent, true, false)
        continue
      }
      interesting--
      const { time } = node.commit.committer
      if (oldest !== undefined && time < oldest) {
        // All ancestors are left out, even those with a later date.
        await this.#exclude(node, dropped)
        for (const parent of node.parents) await push(parent, true, false)
        continue
      }
      lastTime = Math.min(lastTime, time)
      await this.#simplify(node)
      for (const parent of this.#followed(node)) {
        await push(parent, false, node.isLeft)
        await this.#passSource(node, parent)
      }
      if (!this.#isOutOfTime(time)) list.push(node)
    }
    return list.filter(node => !node.isUninteresting)
  }

  /** Also excludes all known ancestors of an excluded commit. */
  async #exclude(start: WalkNode, onChange: (node: WalkNode) => void): Promise<void> {
    const open = [start]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node.isUninteresting) continue
      node.isUninteresting = true
      onChange(node)
      for (const parent of node.commit.parents) {
        const known = this.#nodes.get(parent)
        if (known !== undefined && !known.isUninteresting) open.push(known)
      }
    }
  }

  /** The parents of the shown commits that are not shown themselves. */
  async boundaryOf(shown: readonly WalkedCommit[]): Promise<readonly WalkedCommit[]> {
    const { order, hidesParents } = this.#options
    const inside = new Set(shown.map(({ oid }) => oid))
    const edge = new Set<ObjectId>()
    for (const { parents } of shown) for (const parent of parents) if (!inside.has(parent)) edge.add(parent)
    const nodes: WalkNode[] = []
    for (const oid of edge) nodes.push(await this.#node(oid))
    const sorted = topological(nodes.reverse(), node => node.parents, order === 'date' ? 'topological' : order)
    if (hidesParents)
      for (const node of sorted)
        node.parents = this.#followed(node).filter(oid => !inside.has(oid) && (edge.has(oid) || this.#drawn.has(oid)))
    return sorted.map(node => this.#walked(node, true))
  }

  #isRelevant(oid: ObjectId): boolean {
    return this.#nodes.get(oid)?.isUninteresting !== true || this.#options.exclude.includes(oid)
  }

  #topological(list: readonly WalkNode[]): WalkNode[] {
    return topological(list, node => node.parents, this.#options.order)
  }
}
