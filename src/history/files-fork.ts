// A separate copy of a workspace's files that costs nothing to make, and the way back: what was changed there is merged into the files as
// they are by then, in one commit. Filesystems that cannot fork get an overlay.

import { AnchorageError } from '../core/errors.ts'
import { isInside, type VfsPath } from '../core/path.ts'
import { decodeText, documentOf, type TextDocument } from '../core/text.ts'
import { diffDocuments } from '../text/diff.ts'
import type { DiffHunk } from '../core/tool-preview.ts'
import type { Difference, Snapshot, VfsBackend } from '../vfs/backend.ts'
import { ContentElsewhere } from '../vfs/elsewhere.ts'
import { isVfsError } from '../vfs/error.ts'
import { actingAs } from '../vfs/origin.ts'
import { overlay, type OverlayBackend } from '../vfs/overlay.ts'
import { transfer, type Transfer, type TransferConflict, type TransferReport } from './transfer.ts'

/** A file that was changed in a fork. */
export interface ForkChange extends Omit<Difference, 'rev'> {
  /** A unified patch. Absent for what is not text, is larger than 1 MiB, or is beyond the first 500 files. */
  readonly diff?: string
  /** Of a file's content in the fork. */
  readonly sizeBytes?: number
  /** The same patch by its parts. */
  readonly hunks?: readonly DiffHunk[]
}

/** What a merge would do, as plain data. */
export interface ForkPlan {
  /** For `commit`. A plan is void when either side changes. */
  readonly id: number
  /** What was changed in the fork, by path. */
  readonly changes: readonly ForkChange[]
  /** The patches of all changes, joined; absent if there are none. */
  readonly diff?: string
  /** Paths that would become as they are in the fork. */
  readonly applied: readonly string[]
  /** Texts that would also keep changes that others made since the fork. */
  readonly merged: readonly string[]
  /** Paths that cannot be merged. */
  readonly conflicts: readonly TransferConflict[]
  /** The revisions outside of the fork that the plan is based on, by path. */
  readonly baseRevs: Readonly<Record<string, number>>
}

type ForkingBackend = VfsBackend & Required<Pick<VfsBackend, 'snapshot' | 'fork' | 'diff' | 'batch'>>

const maxFileBytes = 1024 * 1024
const maxPatches = 500
const maxAttempts = 1_000

export interface FilesFork {
  /** The fork's own files. */
  readonly files: VfsBackend
  plan(): Promise<ForkPlan>
  /** Makes the changes of a plan in one commit as `origin`. `moved`: one side has changed since, so nothing was done. */
  commit(id: number, origin: string | undefined): Promise<'done' | 'moved'>
  close(): Promise<void>
}

/** Takes constant time if `backend` forks. Without that, the fork is an overlay that shows later changes of files it has not touched. */
export function forkFiles(backend: VfsBackend): FilesFork {
  const { snapshot, fork, diff, batch } = backend
  if (snapshot && fork && diff && batch) return new TreeFork({ ...backend, snapshot, fork, diff, batch })
  return new OverlayFork(backend)
}

class TreeFork implements FilesFork {
  readonly files: VfsBackend
  readonly #main: ForkingBackend
  #base: Snapshot
  #plans = 0
  #planned: { readonly id: number; readonly now: Snapshot; readonly forked: Snapshot; readonly hasConflicts: boolean } | undefined

  constructor(main: ForkingBackend) {
    this.#main = main
    this.#base = main.snapshot()
    this.files = main.fork(this.#base)
  }

  async plan(): Promise<ForkPlan> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const [now, forked] = [this.#main.snapshot(), this.#forkedNow()]
      const differences = await this.#main.diff(this.#base, forked)
      const report = await this.#carry(now, forked, differences, undefined, true)
      if (report === undefined) continue
      const changes = await describe(differences, this.#base.fs, forked.fs)
      this.#planned = { id: ++this.#plans, now, forked, hasConflicts: report.conflicts.length > 0 }
      return planOf(this.#plans, changes, report, revsIn(now.fs, [...report.restored, ...report.merged]))
    }
    throw busy()
  }

  async commit(id: number, origin: string | undefined): Promise<'done' | 'moved'> {
    const planned = this.#planned
    if (planned?.id !== id || this.#forkedNow().seq !== planned.forked.seq) return 'moved'
    const differences = await this.#main.diff(this.#base, planned.forked)
    const report = await this.#carry(planned.now, planned.forked, differences, origin, false)
    if (report === undefined) return 'moved'
    // What could not be merged stays a change of the fork.
    if (!planned.hasConflicts) this.#base = planned.forked
    this.#planned = undefined
    return 'done'
  }

  async close(): Promise<void> {
    this.#planned = undefined
    await this.files.close()
  }

  #forkedNow(): Snapshot {
    if (this.files.snapshot === undefined) throw new Error('unreachable: a fork has snapshots')
    return this.files.snapshot()
  }

  /** `undefined` if the files are no longer those of `now`. */
  async #carry(
    now: Snapshot,
    forked: Snapshot,
    differences: readonly Difference[],
    origin: string | undefined,
    isTrial: boolean,
  ): Promise<TransferReport | undefined> {
    const since = await this.#main.diff(this.#base, now)
    const moved = since.flatMap(({ type, path, oldPath }) =>
      type === 'move' && oldPath !== undefined ? [{ source: oldPath, where: path }] : [],
    )
    const parts: Transfer = { from: this.#base.fs, to: forked.fs, differences, laterMoves: [{ moved, isOthers: true }] }
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

class Trial extends Error {}
class Overtaken extends Error {}

/** Conflicts are those that applying finds: files that were changed on both sides are not merged by lines. */
class OverlayFork implements FilesFork {
  readonly files: OverlayBackend
  readonly #main: VfsBackend
  #origin: string | undefined
  #plans = 0
  #planned: { readonly id: number; readonly changes: string } | undefined

  constructor(main: VfsBackend) {
    this.#main = main
    const { placeFiles: _placeFiles, recipe: _recipe, ...shown } = main
    // The writes of a commit have the origin that was given to it.
    const batch: NonNullable<VfsBackend['batch']> = async (work, options) => {
      const backend = actingAs(main, this.#origin)
      if (backend.batch === undefined) throw new Error('unreachable: a view has what its filesystem has')
      return await backend.batch(work, options)
    }
    this.files = overlay({
      ...shown,
      ...(main.batch === undefined ? {} : { batch }),
      flush: () => Promise.resolve(),
      close: () => Promise.resolve(),
    })
  }

  async plan(): Promise<ForkPlan> {
    const differences = await this.files.changes()
    const changes = await describe(differences, this.#main, this.files)
    const planned = { id: ++this.#plans, changes: JSON.stringify(differences) }
    this.#planned = planned
    const applied = differences.map(({ path }) => path)
    return planOf(planned.id, changes, { restored: applied, merged: [], conflicts: [] }, {})
  }

  async commit(id: number, origin: string | undefined): Promise<'done' | 'moved'> {
    if (this.#planned?.id !== id || JSON.stringify(await this.files.changes()) !== this.#planned.changes) return 'moved'
    this.#planned = undefined
    this.#origin = origin
    try {
      await this.files.apply()
      return 'done'
    } catch (error) {
      if (!isVfsError(error, 'ESTALE')) throw error
      throw new AnchorageError(
        'fork-conflict',
        `${error.path ?? 'A file'} was changed in the fork and outside of it, and this filesystem has no earlier version to merge them by. Nothing was merged. Next: compare them, change one of them back, and merge again.`,
        { details: { path: error.path }, cause: error },
      )
    } finally {
      this.#origin = undefined
    }
  }

  async close(): Promise<void> {
    await this.files.close()
  }
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
    try {
      return [[path, files.lookup(path as VfsPath, { follow: false }).rev] as const]
    } catch (error) {
      if (isVfsError(error)) return []
      throw error
    }
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
    const isText = kind === 'file' && type !== 'attributes' && changes.length < maxPatches
    const old = isText && type !== 'create' ? await textAt(before, was) : undefined
    const now = isText && type !== 'delete' ? await textAt(after, path) : undefined
    const isComplete = isText && (type === 'create' || old !== undefined) && (type === 'delete' || now !== undefined)
    const found = isComplete ? diffDocuments(old ?? documentOf(''), now ?? documentOf(''), path.slice(1)) : undefined
    changes.push(found === undefined || found.patch === '' ? change : { ...change, diff: found.patch, hunks: found.hunks })
  }
  return changes
}

/** A file in a directory that was moved was elsewhere before. */
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
