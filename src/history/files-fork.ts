// A fork: a separate copy of a workspace's files that takes constant time to create. Its changes can be merged into the current
// files in one commit. Filesystems without forks get an overlay.

import { sameBytes } from '../core/same-bytes.ts'
import { AnchorageError } from '../core/errors.ts'
import { isInside, rootPath, type VfsPath } from '../core/path.ts'
import { decodeText, documentOf, type TextDocument } from '../core/text.ts'
import { diffDocuments } from '../text/diff.ts'
import { mergeTexts } from '../text/merge.ts'
import type { DiffHunk } from '../core/tool-preview.ts'
import type { ChangeBatch, Difference, FullBackend, Snapshot, Unsubscribe, VfsBackend } from '../vfs/backend.ts'
import { ContentElsewhere } from '../vfs/elsewhere.ts'
import { isVfsError, ifThere } from '../vfs/error.ts'
import { actingAs } from '../vfs/origin.ts'
import { mergingOverlay, type MergingOverlay } from '../vfs/overlay.ts'
import type { PlannedApply } from '../vfs/overlay/apply.ts'
import { isLeft, type LayerConflict } from '../vfs/overlay/conflicts.ts'
import { followFiles, movesIn, reversed, type Trail } from './lineage.ts'
import { textIn, transfer, type Transfer, type TransferConflict, type TransferReport } from './transfer.ts'

/** A file that was changed in a fork. */
export interface ForkChange extends Omit<Difference, 'rev'> {
  /** A unified patch. Absent if the file is not text, is larger than 1 MiB, or is not among the first 500 files. */
  readonly diff?: string
  /** The size of a file's content in the fork. */
  readonly sizeBytes?: number
  /** The hunks of the same patch. */
  readonly hunks?: readonly DiffHunk[]
}

/** The effect of a merge, as plain data. */
export interface ForkPlan {
  /** For `commit`. A plan is void when either side changes. */
  readonly id: number
  /** The changes of the fork, by path. */
  readonly changes: readonly ForkChange[]
  /** The patches of all changes, joined; absent if there are none. */
  readonly diff?: string
  /** Paths that would get the state of the fork. */
  readonly applied: readonly string[]
  /** Texts that would also keep changes that others have made since the fork. */
  readonly merged: readonly string[]
  /** Paths that cannot be merged. */
  readonly conflicts: readonly TransferConflict[]
  /** The revisions outside of the fork that the plan is based on, by path. */
  readonly baseRevs: Readonly<Record<string, number>>
}

type ForkingBackend = VfsBackend & Required<Pick<VfsBackend, 'snapshot' | 'fork' | 'diff' | 'batch' | 'watch'>>

const maxFileBytes = 1024 * 1024
const maxPatches = 500
const maxAttempts = 1_000

export interface FilesFork {
  /** The files of the fork. */
  readonly files: VfsBackend
  plan(): Promise<ForkPlan>
  /** Commits the changes of a plan as `origin`. Returns `moved` without any change if either side has changed since the plan. */
  commit(id: number, origin: string | undefined): Promise<'done' | 'moved'>
  close(): Promise<void>
}

/**
 * Takes constant time if `backend` supports forks. Otherwise the fork is an overlay, which shows later changes of files that it
 * has not touched.
 */
export function forkFiles(backend: VfsBackend): FilesFork {
  const { snapshot, fork, diff, batch, watch } = backend
  if (snapshot && fork && diff && batch && watch) return new TreeFork({ ...backend, snapshot, fork, diff, batch, watch })
  return new OverlayFork(backend)
}

class TreeFork implements FilesFork {
  readonly files: FullBackend
  readonly #main: ForkingBackend
  readonly #stop: readonly Unsubscribe[]
  #base: Snapshot
  /** The moves since the base, outside and inside the fork. */
  #trails: { readonly main: Trail[number][]; readonly forked: Trail[number][] } = { main: [], forked: [] }
  #plans = 0
  #planned: Planned | undefined

  constructor(main: ForkingBackend) {
    this.#main = main
    this.#base = main.snapshot()
    const forked = main.fork(this.#base)
    this.#stop = [
      watchMoves(main, move => this.#trails.main.push(move)),
      watchMoves(forked, move => this.#trails.forked.push(move)),
    ]
    this.files = {
      ...forked,
      close: async () => {
        for (const stop of this.#stop) stop()
        await forked.close()
      },
    }
  }

  async plan(): Promise<ForkPlan> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const [now, forked] = [this.#main.snapshot(), this.files.snapshot()]
      const trails = { main: [...this.#trails.main], forked: [...this.#trails.forked] }
      const parts = await this.#partsOf(now, forked, trails)
      const report = await this.#carry(now, parts, undefined, true)
      if (report === undefined) continue
      const changes = await describe(parts.differences, this.#base.fs, forked.fs)
      const hasConflicts = report.conflicts.length > 0
      this.#planned = { id: ++this.#plans, now, forked, parts, hasConflicts, forkedMoves: trails.forked.length }
      return planOf(this.#plans, changes, report, revsIn(now.fs, [...report.restored, ...report.merged]))
    }
    throw busy()
  }

  async commit(id: number, origin: string | undefined): Promise<'done' | 'moved'> {
    const planned = this.#planned
    if (planned?.id !== id || this.files.snapshot().seq !== planned.forked.seq) return 'moved'
    const report = await this.#carry(planned.now, planned.parts, origin, false)
    if (report === undefined) return 'moved'
    // Changes that could not be merged remain changes of the fork.
    if (!planned.hasConflicts) {
      this.#base = planned.forked
      const { main, forked } = this.#trails
      const merged = forked.splice(0, planned.forkedMoves)
      // The path from the new base of the fork to the current files: back to the old base, and forward from there.
      this.#trails = { main: [...reversed(merged), ...main], forked }
    }
    this.#planned = undefined
    return 'done'
  }

  async close(): Promise<void> {
    this.#planned = undefined
    await this.files.close()
  }

  async #partsOf(now: Snapshot, forked: Snapshot, trails: { readonly main: Trail; readonly forked: Trail }): Promise<Transfer> {
    const since = followFiles(await this.#main.diff(this.#base, now), reversed(trails.main))
    const differences = followFiles(await this.#main.diff(this.#base, forked), reversed(trails.forked))
    return { from: this.#base.fs, to: forked.fs, differences, laterMoves: [{ moved: movesIn(since), isOthers: true }] }
  }

  /** Returns `undefined` if the files have changed since `now`. */
  async #carry(
    now: Snapshot,
    parts: Transfer,
    origin: string | undefined,
    isTrial: boolean,
  ): Promise<TransferReport | undefined> {
    const backend = actingAs<VfsBackend>(this.#main, origin)
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      let report: TransferReport | undefined
      try {
        await backend.batch?.(transaction => {
          if (this.#main.snapshot().seq !== now.seq) throw new Overtaken()
          report = transfer(transaction, parts, [])
          if (isTrial) throw new Trial()
        })
        return report
      } catch (error) {
        if (error instanceof Trial) return report
        if (error instanceof Overtaken || isVfsError(error, 'ESTALE')) return undefined
        if (!(error instanceof ContentElsewhere)) throw error
        await error.load()
      }
    }
    throw busy()
  }
}

interface Planned {
  readonly id: number
  readonly now: Snapshot
  readonly forked: Snapshot
  readonly parts: Transfer
  readonly hasConflicts: boolean
  readonly forkedMoves: number
}

/** Records moves in order. Called within each commit, so that no move is missed between a snapshot and its events. */
function watchMoves(files: Pick<ForkingBackend, 'watch'>, heard: (move: Trail[number]) => void): Unsubscribe {
  const listen = ({ changes }: ChangeBatch): void => {
    for (const move of movesIn(changes)) heard([move])
  }
  return files.watch(rootPath, listen, { immediate: true })
}

class Trial extends Error {}
class Overtaken extends Error {}

/** A file is merged by lines, with the content at its first change in the fork as the base. */
class OverlayFork implements FilesFork {
  readonly files: VfsBackend
  readonly #overlay: MergingOverlay
  readonly #main: VfsBackend
  #origin: string | undefined
  #plans = 0
  #planned: { readonly id: number; readonly changes: string; readonly effect: string } | undefined

  constructor(main: VfsBackend) {
    this.#main = main
    const { placeFiles: _placeFiles, recipe: _recipe, ...shown } = main
    // The writes of a commit have the origin that the caller gave.
    const batch: NonNullable<VfsBackend['batch']> = async (work, options) => {
      const backend = actingAs(main, this.#origin)
      if (backend.batch === undefined) throw new Error('unreachable: a view has what its filesystem has')
      return await backend.batch(work, options)
    }
    const lower = { ...shown, ...(main.batch === undefined ? {} : { batch }) }
    const nothing = (): Promise<void> => Promise.resolve()
    this.#overlay = mergingOverlay({ ...lower, flush: nothing, close: nothing }, mergeContents)
    this.files = this.#overlay.files
  }

  async plan(): Promise<ForkPlan> {
    const differences = await this.#overlay.files.changes()
    const planned = await this.#overlay.planned()
    const { merges, left } = planned
    const before: Readable = {
      lookup: (path, options) => this.#main.lookup(path, options),
      read: async path => this.#overlay.contentBefore(path) ?? (await this.#main.read(path)),
    }
    const changes = await describe(differences, before, this.files)
    this.#planned = { id: ++this.#plans, changes: JSON.stringify(differences), effect: effectOf(planned) }
    const merged = merges.map(({ path }) => path)
    const restored = differences.map(({ path }) => path).filter(path => !merged.includes(path) && !isLeft(left, path))
    const baseRevs = Object.fromEntries(merges.map(({ lower, rev }) => [lower, rev]))
    return planOf(this.#plans, changes, { restored, merged, conflicts: conflictsIn(planned) }, baseRevs)
  }

  async commit(id: number, origin: string | undefined): Promise<'done' | 'moved'> {
    const planned = this.#planned
    if (planned?.id !== id || JSON.stringify(await this.#overlay.files.changes()) !== planned.changes) return 'moved'
    this.#planned = undefined
    this.#origin = origin
    let isAsPlanned = true
    try {
      await this.#overlay.apply(found => {
        isAsPlanned = effectOf(found) === planned.effect
        if (!isAsPlanned) throw new Overtaken()
      })
      return 'done'
    } catch (error) {
      // A write found another revision, which rejected the whole batch.
      if (!isAsPlanned || isVfsError(error, 'ESTALE')) return 'moved'
      throw error
    } finally {
      this.#origin = undefined
    }
  }

  async close(): Promise<void> {
    await this.files.close()
  }
}

/** Equal for merges of the same revisions with the same conflicts. The changes of the fork are compared separately. */
function effectOf({ merges, conflicts }: PlannedApply): string {
  const merged = merges.map(({ path, lower, rev }) => JSON.stringify([path, lower, rev]))
  const left = conflicts.map(({ path, what }) => JSON.stringify([path, what]))
  return [...merged.toSorted(), ...left.toSorted()].join()
}

const reasons: Readonly<Record<LayerConflict['what'], string>> = {
  changed: 'It was changed on both sides, and the changes cannot be merged.',
  created: 'Another entry has this path now.',
  removed: 'It was removed outside of the fork.',
  replaced: 'It was replaced outside of the fork.',
}

function conflictsIn({ conflicts, left }: PlannedApply): readonly TransferConflict[] {
  const found = new Map<string, string>(conflicts.map(({ path, what }) => [path, reasons[what]]))
  for (const path of left) {
    const isNamed = conflicts.some(conflict => isInside(conflict.path, path))
    if (!isNamed) found.set(path, 'It belongs to a change of another path that cannot be merged.')
  }
  return Array.from(found, ([path, reason]) => ({ path, reason }))
}

function mergeContents(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): Uint8Array | undefined {
  if (sameBytes(ours, base)) return theirs
  if (sameBytes(theirs, base)) return ours
  const [baseText, oursText, theirsText] = [textIn(base), textIn(ours), textIn(theirs)]
  if (baseText === undefined || oursText === undefined || theirsText === undefined) return undefined
  const merge = mergeTexts(baseText, oursText, theirsText)
  return merge.kind === 'merged' ? new TextEncoder().encode(merge.text) : undefined
}

function planOf(
  id: number,
  changes: readonly ForkChange[],
  { restored, merged, conflicts }: TransferReport,
  baseRevs: ForkPlan['baseRevs'],
): ForkPlan {
  const patches = changes.flatMap(({ diff }) => diff ?? [])
  const diff = patches.length === 0 ? {} : { diff: patches.join('\n') }
  return { id, changes, ...diff, applied: restored, merged, conflicts, baseRevs }
}

function revsIn(files: Snapshot['fs'], paths: readonly string[]): ForkPlan['baseRevs'] {
  const revs = paths.flatMap(path => {
    const stat = ifThere(() => files.lookup(path as VfsPath, { follow: false }))
    return stat === undefined ? [] : [[path, stat.rev] as const]
  })
  return Object.fromEntries(revs)
}

type Readable = Pick<Snapshot['fs'], 'read' | 'lookup'> | Pick<VfsBackend, 'read' | 'lookup'>

async function describe(differences: readonly Difference[], before: Readable, after: Readable): Promise<readonly ForkChange[]> {
  const moves = differences.filter(({ type }) => type === 'move')
  const changes: ForkChange[] = []
  for (const { rev: _rev, ...difference } of differences) {
    const { type, path, oldPath, kind } = difference
    const sizeBytes = kind === 'file' && type !== 'delete' ? (await after.lookup(path, { follow: false })).sizeBytes : undefined
    const change: ForkChange = sizeBytes === undefined ? difference : { ...difference, sizeBytes }
    const was = oldPath ?? pathBefore(path, moves)
    // A file that was moved and written appears as a move and as a change.
    const isText = kind === 'file' && type !== 'attributes' && type !== 'move' && changes.length < maxPatches
    const old = isText && type !== 'create' ? await textAt(before, was) : undefined
    const now = isText && type !== 'delete' ? await textAt(after, path) : undefined
    const isComplete = isText && (type === 'create' || old !== undefined) && (type === 'delete' || now !== undefined)
    const found = isComplete ? diffDocuments(old ?? documentOf(''), now ?? documentOf(''), path.slice(1)) : undefined
    changes.push(found === undefined || found.patch === '' ? change : { ...change, diff: found.patch, hunks: found.hunks })
  }
  return changes
}

/** A file in a moved directory had another path before. */
function pathBefore(path: VfsPath, moves: readonly Difference[]): VfsPath {
  const move = moves.find(({ path: to }) => isInside(path, to))
  return move?.oldPath === undefined ? path : (`${move.oldPath}${path.slice(move.path.length)}` as VfsPath)
}

async function textAt(files: Readable, path: VfsPath): Promise<TextDocument | undefined> {
  for (let attempt = 0; ; attempt++) {
    try {
      if ((await files.lookup(path, { follow: false })).sizeBytes > maxFileBytes) return undefined
      const decoded = decodeText(await files.read(path))
      return decoded.kind === 'text' ? decoded.document : undefined
    } catch (error) {
      if (isVfsError(error)) return undefined
      if (!(error instanceof ContentElsewhere) || attempt > 10) throw error
      await error.load()
    }
  }
}

function busy(): AnchorageError {
  return new AnchorageError('fork-busy', 'The files kept changing, so the fork was not compared. Next: try again later.')
}
