// The commit of each line of a file. Lines are passed from a commit to its parents if the parents have them; if a parent lacks the file,
// it is searched for under another name.

import { sameBytes } from '../../core/same-bytes.ts'
import { diffLines, type LineDiffOptions, type LineEdit } from '../../text/git-diff/diff-lines.ts'
import { findRenames } from '../diff/renames.ts'
import { pairOf } from '../diff/file-pair.ts'
import { diffTrees, type FileChange, listTree } from '../diff/tree-diff.ts'
import type { Repository } from '../repository.ts'
import { CommitQueue } from '../revs/commit-queue.ts'
import { parentsOf } from '../revs/parents.ts'
import { type Lines, MovedLines } from './moved-lines.ts'
import { diffIndexToTree } from './status.ts'
import { findInTree } from '../revs/revision.ts'
import { modes, type ObjectId, zeroId } from '../store/object-format.ts'
import { pushAll } from '../../core/many.ts'

/** Consecutive lines from one commit. Line numbers are 0-based. */
export interface BlamedRange {
  /** `zeroId` for lines that are not committed. */
  readonly oid: ObjectId
  /** Where the lines are in that commit. */
  readonly path: string
  readonly start: number
  /** Where they are in the requested file. */
  readonly finalStart: number
  readonly count: number
  /** A commit without parents, or at the edge of the requested range. */
  readonly isBoundary: boolean
  /** The parent that has the file, and the file's name there. */
  readonly previous: { readonly oid: ObjectId; readonly path: string } | undefined
}

interface Suspect {
  readonly oid: ObjectId
  readonly path: string
  readonly bytes: Uint8Array
  lines: Lines[]
}

/** Which blocks are followed to another place. A block must have more letters and digits than the score. */
export interface MovedOptions {
  readonly moveScore: number
  /** Where copies are looked for: in files that the same commit changed, in all files if the commit adds the file, or always in all files. */
  readonly copies: 'none' | 'changed' | 'all-if-new' | 'all'
  readonly copyScore: number
}

export interface BlameOptions extends LineDiffOptions {
  /** Where the search ends. */
  readonly excluded?: ReadonlySet<ObjectId>
  /** Seconds since the epoch: the search ends at older commits, and in the future at what is not committed. */
  readonly sinceTime?: number | undefined
  readonly now?: number
  readonly firstParentOnly?: boolean
  readonly moved?: MovedOptions | undefined
}

interface Origin {
  readonly oid: ObjectId
  readonly path: string
  readonly blob: ObjectId
}

const maxRenameSources = 1000

export class Blame {
  readonly #repository: Repository
  readonly #options: BlameOptions
  readonly #suspects = new Map<string, Suspect>()
  readonly #queue = new CommitQueue()
  readonly #found: BlamedRange[] = []

  constructor(repository: Repository, options: BlameOptions) {
    this.#repository = repository
    this.#options = { ...options, cutsCommonTail: true }
  }

  /** `bytes` are the file's content in the first of `heads`, or newer than all of them if `isCommitted` is false. */
  async run(
    file: {
      readonly path: string
      readonly bytes: Uint8Array
      readonly heads: readonly ObjectId[]
      readonly isCommitted: boolean
    },
    wanted: readonly { readonly start: number; readonly count: number }[],
  ): Promise<readonly BlamedRange[]> {
    const lines = wanted.map(({ start, count }) => ({ start, finalStart: start, count }))
    const { path, bytes, heads } = file
    const [head = zeroId] = heads
    if (file.isCommitted) await this.#add({ oid: head, path, bytes, lines })
    else {
      const { sinceTime = 0, now = Number.POSITIVE_INFINITY } = this.#options
      const isEdge = sinceTime > now
      await this.#pass({ oid: zeroId, path, bytes, lines }, isEdge ? [] : heads, isEdge)
    }
    for (let oid = this.#queue.pop(); oid !== undefined; oid = this.#queue.pop()) {
      for (const [key, suspect] of [...this.#suspects]) {
        if (suspect.oid !== oid) continue
        this.#suspects.delete(key)
        const isEdge = await this.#isEdge(oid)
        const parents = isEdge ? [] : await parentsOf(this.#repository, oid)
        await this.#pass(suspect, this.#options.firstParentOnly === true ? parents.slice(0, 1) : parents, isEdge)
      }
    }
    return this.#found
  }

  async #isEdge(oid: ObjectId): Promise<boolean> {
    const { excluded, sinceTime } = this.#options
    if (excluded?.has(oid) === true) return true
    return sinceTime !== undefined && (await this.#repository.objects.readCommit(oid)).committer.time < sinceTime
  }

  async #add(suspect: Suspect): Promise<void> {
    const key = `${suspect.oid} ${suspect.path}`
    const known = this.#suspects.get(key)
    if (known !== undefined) {
      pushAll(known.lines, suspect.lines)
      return
    }
    this.#suspects.set(key, suspect)
    this.#queue.push(suspect.oid, (await this.#repository.objects.readCommit(suspect.oid)).committer.time)
  }

  async #pass(suspect: Suspect, parents: readonly ObjectId[], isEdge: boolean): Promise<void> {
    const origins: Origin[] = []
    for (const parent of parents) {
      const origin = await this.#originIn(parent, suspect)
      if (origin !== undefined) origins.push({ oid: parent, ...origin })
    }
    let left = suspect.lines.toSorted((one, other) => one.start - other.start)
    const contents: Uint8Array[] = []
    for (const [position, { oid, path, blob }] of origins.entries()) {
      const bytes = await this.#repository.objects.readBlob(blob)
      contents[position] = bytes
      if (!sameBytes(bytes, suspect.bytes)) continue
      await this.#add({ oid, path, bytes, lines: left })
      return
    }
    for (const [position, { oid, path }] of origins.entries()) {
      const bytes = contents[position] ?? new Uint8Array()
      const split = splitLines(left, diffLines(bytes, suspect.bytes, this.#options).edits)
      if (split.passed.length > 0) await this.#add({ oid, path, bytes, lines: split.passed })
      left = split.kept
      if (left.length === 0) return
    }
    const [previous] = origins
    for (const lines of await this.#passMoved(suspect, parents, origins, left)) {
      this.#found.push({
        ...lines,
        oid: suspect.oid,
        path: suspect.path,
        isBoundary: isEdge || (suspect.oid !== zeroId && parents.length === 0),
        previous: previous === undefined ? undefined : { oid: previous.oid, path: previous.path },
      })
    }
  }

  async #passMoved(
    suspect: Suspect,
    parents: readonly ObjectId[],
    origins: readonly Origin[],
    lines: readonly Lines[],
  ): Promise<readonly Lines[]> {
    const { moved } = this.#options
    if (moved === undefined) return lines
    const search = new MovedLines(suspect.bytes, this.#options)
    let left = lines
    const pass = async (oid: ObjectId, from: readonly Omit<Origin, 'oid'>[], score: number): Promise<void> => {
      if (left.length === 0) return
      const { objects } = this.#repository
      const candidates = await Promise.all(from.map(async ({ path, blob }) => ({ path, bytes: await objects.readBlob(blob) })))
      const { passed, kept } = search.find(left, candidates, score)
      for (const [{ path, bytes }, found] of passed) await this.#add({ oid, path, bytes, lines: [found] })
      left = kept
    }
    for (const origin of origins) await pass(origin.oid, [origin], moved.moveScore)
    if (moved.copies === 'none') return left
    for (const parent of left.length === 0 ? [] : parents) {
      const own = origins.find(({ oid }) => oid === parent)?.path
      const takesAll = moved.copies === 'all' || (moved.copies === 'all-if-new' && own !== suspect.path)
      const files = await this.#filesOf(parent, suspect.oid, takesAll)
      await pass(
        parent,
        files.filter(({ path }) => path !== own),
        moved.copyScore,
      )
    }
    return left
  }

  /** The files of `parent`, or only those that are changed or gone afterwards. */
  async #filesOf(parent: ObjectId, oid: ObjectId, takesAll: boolean): Promise<readonly Omit<Origin, 'oid'>[]> {
    const tree = await this.#repository.treeOf(parent)
    const changes = takesAll ? [] : await this.#changesSince(tree, oid)
    const files = takesAll
      ? await listTree(this.#repository, tree)
      : changes.flatMap(({ path, before }) => (before === undefined ? [] : [{ path, ...before }]))
    return files.filter(({ mode }) => mode !== modes.submodule).map(file => ({ path: file.path, blob: file.oid }))
  }

  async #changesSince(tree: ObjectId, oid: ObjectId): Promise<readonly FileChange[]> {
    const repository = this.#repository
    return oid === zeroId
      ? await diffIndexToTree(repository, await repository.readIndex(), tree)
      : await diffTrees(repository, tree, await repository.treeOf(oid))
  }

  async #originIn(parent: ObjectId, suspect: Suspect): Promise<{ readonly path: string; readonly blob: ObjectId } | undefined> {
    const repository = this.#repository
    const tree = await repository.treeOf(parent)
    const same = await findInTree(repository, tree, suspect.path)
    if (same !== undefined && same.mode !== modes.tree && same.mode !== modes.submodule)
      return { path: suspect.path, blob: same.oid }
    const changes = await this.#changesSince(tree, suspect.oid)
    const pairs = await findRenames(
      repository,
      changes.map(pairOf).filter(({ status, path }) => status === 'D' || path === suspect.path),
      { minimumPercent: 50, copies: 'none', limit: maxRenameSources },
    )
    const renamed = pairs.find(({ status, path }) => status === 'R' && path === suspect.path)
    return renamed?.before === undefined ? undefined : { path: renamed.beforePath, blob: renamed.before.oid }
  }
}

/** Which of the lines, in ascending order, the older file has too, and where. */
function splitLines(lines: readonly Lines[], edits: readonly LineEdit[]): { readonly passed: Lines[]; readonly kept: Lines[] } {
  const [passed, kept]: [Lines[], Lines[]] = [[], []]
  let first = 0
  for (const range of lines) {
    while ((edits[first]?.afterEnd ?? Number.POSITIVE_INFINITY) <= range.start) first++
    let at = range.start
    const end = range.start + range.count
    for (let index = first; at < end; index++) {
      const edit = edits[index]
      const before = edits[index - 1]
      const shift =
        edit === undefined ? (before === undefined ? 0 : before.beforeEnd - before.afterEnd) : edit.beforeStart - edit.afterStart
      const sameEnd = Math.min(end, edit?.afterStart ?? end)
      if (sameEnd > at) passed.push({ start: at + shift, finalStart: range.finalStart + at - range.start, count: sameEnd - at })
      at = Math.max(at, sameEnd)
      const changedEnd = Math.min(end, edit?.afterEnd ?? end)
      if (changedEnd > at) kept.push({ start: at, finalStart: range.finalStart + at - range.start, count: changedEnd - at })
      at = Math.max(at, changedEnd)
    }
  }
  return { passed, kept }
}

/** In the order of the file; adjacent lines of one commit are one range. */
export function joined(ranges: readonly BlamedRange[]): readonly BlamedRange[] {
  const result: BlamedRange[] = []
  for (const range of ranges.toSorted((one, other) => one.finalStart - other.finalStart)) {
    const last = result.at(-1)
    const continues =
      last !== undefined &&
      last.oid === range.oid &&
      last.path === range.path &&
      last.start + last.count === range.start &&
      last.finalStart + last.count === range.finalStart
    if (continues) result[result.length - 1] = { ...last, count: last.count + range.count }
    else result.push(range)
  }
  return result
}
