// The commit of each line of a file. Lines are passed from a commit to its parents if the parents have them; if a parent lacks the file,
// it is searched for under another name.

import { sameBytes } from '../../core/same-bytes.ts'
import { diffLines, type LineDiffOptions, type LineEdit } from '../../text/git-diff/diff-lines.ts'
import { findRenames } from '../diff/renames.ts'
import { pairOf } from '../diff/file-pair.ts'
import { diffTrees } from '../diff/tree-diff.ts'
import type { Repository } from '../repository.ts'
import { CommitQueue } from '../revs/commit-queue.ts'
import { parentsOf } from '../revs/parents.ts'
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

interface Lines {
  readonly start: number
  readonly finalStart: number
  readonly count: number
}

interface Suspect {
  readonly oid: ObjectId
  readonly path: string
  readonly bytes: Uint8Array
  lines: Lines[]
}

const maxRenameSources = 1000

export class Blame {
  readonly #repository: Repository
  readonly #options: LineDiffOptions
  readonly #suspects = new Map<string, Suspect>()
  readonly #queue = new CommitQueue()
  readonly #found: BlamedRange[] = []
  readonly #excluded: ReadonlySet<ObjectId>

  constructor(repository: Repository, options: LineDiffOptions, excluded: ReadonlySet<ObjectId> = new Set()) {
    this.#repository = repository
    this.#options = { ...options, cutsCommonTail: true }
    this.#excluded = excluded
  }

  /** `bytes` are the file's content in `head`, or in the work tree if `isCommitted` is false. */
  async run(
    file: { readonly path: string; readonly bytes: Uint8Array; readonly head: ObjectId; readonly isCommitted: boolean },
    wanted: readonly { readonly start: number; readonly count: number }[],
  ): Promise<readonly BlamedRange[]> {
    const lines = wanted.map(({ start, count }) => ({ start, finalStart: start, count }))
    const { path, bytes, head } = file
    if (file.isCommitted) await this.#add({ oid: head, path, bytes, lines })
    else await this.#pass({ oid: zeroId, path, bytes, lines }, [head])
    for (let oid = this.#queue.pop(); oid !== undefined; oid = this.#queue.pop()) {
      for (const [key, suspect] of [...this.#suspects]) {
        if (suspect.oid !== oid) continue
        this.#suspects.delete(key)
        const parents = this.#excluded.has(oid) ? [] : await parentsOf(this.#repository, oid)
        await this.#pass(suspect, parents)
      }
    }
    return joined(this.#found)
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

  async #pass(suspect: Suspect, parents: readonly ObjectId[]): Promise<void> {
    const origins: { readonly oid: ObjectId; readonly path: string; readonly blob: ObjectId }[] = []
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
    for (const lines of left) {
      this.#found.push({
        ...lines,
        oid: suspect.oid,
        path: suspect.path,
        isBoundary: suspect.oid !== zeroId && (parents.length === 0 || this.#excluded.has(suspect.oid)),
        previous: previous === undefined ? undefined : { oid: previous.oid, path: previous.path },
      })
    }
  }

  async #originIn(parent: ObjectId, suspect: Suspect): Promise<{ readonly path: string; readonly blob: ObjectId } | undefined> {
    const repository = this.#repository
    const tree = await repository.treeOf(parent)
    const same = await findInTree(repository, tree, suspect.path)
    if (same !== undefined && same.mode !== modes.tree && same.mode !== modes.submodule)
      return { path: suspect.path, blob: same.oid }
    const changes =
      suspect.oid === zeroId
        ? await diffIndexToTree(repository, await repository.readIndex(), tree)
        : await diffTrees(repository, tree, await repository.treeOf(suspect.oid))
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
function joined(ranges: readonly BlamedRange[]): readonly BlamedRange[] {
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
