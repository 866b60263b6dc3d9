// The changes of every actor, in order, so that one actor's work can be undone while the others' stays. Each commit of the filesystem is a
// step between two snapshots, which take no time. The steps of one call form one entry. An undo is an entry as well.

import type { Attribution } from '../core/actor.ts'
import { AnchorageError } from '../core/errors.ts'
import { isInside, parsePath, type VfsPath } from '../core/path.ts'
import { defined } from '../core/record.ts'
import type { Change, ChangeBatch, Difference, Snapshot, Unsubscribe, VfsBackend, VfsTransaction } from '../vfs/backend.ts'
import { ContentElsewhere } from '../vfs/elsewhere.ts'
import { isVfsError } from '../vfs/error.ts'
import { actingAs, attributed, originOf } from '../vfs/origin.ts'
import { transfer, type Relocation, type Transfer, type TransferConflict, type TransferReport } from './transfer.ts'

/** One entry of the history: what an actor changed in one step. */
export interface HistoryEntry {
  /** Increases with time; numbers are never reused. */
  readonly id: number
  readonly kind: 'change' | 'undo' | 'redo' | 'restore' | 'checkpoint'
  /** Who made the change, and in which call. Absent for the host's `workspace.fs`, and if it is unknown. */
  readonly by?: Attribution
  /** As for `Change.origin`: `shell` for a command. */
  readonly origin?: string
  /** For a checkpoint. */
  readonly label?: string
  /** The time of its last change, in milliseconds since the epoch. */
  readonly atMs: number
  /** The IDs of the entries that an undo or a redo applies to. */
  readonly of?: readonly number[]
}

/** Entries of the history. */
export interface HistoryList {
  /** Oldest first. */
  readonly entries: readonly HistoryEntry[]
  /** The number of older entries that were dropped because of a limit. */
  readonly dropped: number
}

/** Which entries: one, those of one call, turn or actor, or all after one. All conditions must hold. */
export interface HistorySelection {
  readonly id?: number | undefined
  readonly call?: string | undefined
  readonly turn?: string | undefined
  readonly session?: string | undefined
  readonly actor?: Attribution['actor'] | undefined
  /** The ID of the last entry before the selection. */
  readonly since?: number | undefined
}

/** What an undo does. */
export interface UndoOptions {
  /** Only entries at or below these absolute paths. */
  readonly paths?: readonly string[] | undefined
  /** Reports what would happen, and changes nothing. */
  readonly dryRun?: boolean | undefined
  /** The actor of the undo; default the host. */
  readonly actor?: Attribution['actor'] | undefined
}

/** What an undo did. */
export interface UndoResult extends TransferReport {
  /** The entry of the undo; absent if nothing was changed. */
  readonly id?: number
}

export type { TransferConflict, TransferReport }

/** How much of the history is kept. */
export interface HistoryOptions {
  /** Older entries are dropped above this number; default 10,000. */
  readonly maxEntries?: number | undefined
  /** Older entries are dropped when contents that only they need exceed this size, as far as it is known; default 256 MiB. */
  readonly maxBytes?: number | undefined
}

/** The changes of every actor, and how to undo them. Paths are absolute. Also available over a worker. */
export interface WorkspaceHistory {
  /** The entries that match `selection`; by default all. */
  list(selection?: HistorySelection): Promise<HistoryList>
  /** What an entry changed, by path. Rejects with `history-entry` if the entry does not exist. */
  changes(id: number): Promise<readonly Difference[]>
  /** Names this moment, for a later `restore`. */
  checkpoint(label: string): Promise<HistoryEntry>
  /**
   * Undoes the changes of the selected entries, newest first, in one commit. Text that others changed since then stays: it is merged by
   * lines if that is unambiguous; everything else is left unchanged and listed in `conflicts`. An undo is an entry itself and can be
   * undone.
   *
   * ```ts
   * const { restored, merged, conflicts } = await workspace.history.undo({ turn: 't7' })
   * ```
   *
   * Rejects with `history-entry` if there is no entry `id`, and with `history-busy` if the files keep changing.
   */
  undo(selection: HistorySelection, options?: UndoOptions): Promise<UndoResult>
  /** Undoes the last undo that was not undone yet, or the one with `id`. Rejects with `history-entry` if there is none. */
  redo(id?: number, options?: UndoOptions): Promise<UndoResult>
  /** Restores the state at a checkpoint or directly after an entry, whoever changed it since. Rejects with `history-entry`. */
  restore(id: number, options?: UndoOptions): Promise<UndoResult>
}

/** One commit, or several of one call without others in between. */
interface Step {
  readonly origin: string | undefined
  readonly id: number
  readonly before: Snapshot
  after: Snapshot
  atMs: number
  bytes: number
  kind: HistoryEntry['kind']
  label?: string
  of?: readonly number[]
  /** No commit followed it in the same turn of the event loop. */
  isOpen: boolean
}

/** What a filesystem needs for its history to be recorded. */
type RecordedBackend = VfsBackend & Required<Pick<VfsBackend, 'sync' | 'snapshot' | 'diff' | 'batch' | 'watch'>>

const maxAttempts = 1_000

export class History implements WorkspaceHistory {
  readonly #backend: RecordedBackend
  readonly #clock: () => number
  readonly #maxEntries: number
  readonly #maxBytes: number
  readonly #stop: Unsubscribe
  readonly #steps: Step[] = []
  /** The entry of each call that is still listed, by its origin. */
  readonly #idsOfCalls = new Map<string, number>()
  #dropped = 0
  #bytes = 0
  #lastId = 0
  #latest: Snapshot
  /** How to record the next commit, which this object makes. */
  #own: (Pick<Step, 'kind'> & Partial<Pick<Step, 'of'>>) | undefined

  private constructor(backend: RecordedBackend, clock: () => number, options: HistoryOptions) {
    this.#backend = backend
    this.#clock = clock
    this.#maxEntries = options.maxEntries ?? 10_000
    this.#maxBytes = options.maxBytes ?? 256 * 1024 * 1024
    this.#latest = backend.snapshot()
    this.#stop = backend.watch(parsePath('/'), batch => this.#record(batch), { immediate: true })
  }

  /** Throws `AnchorageError` `history-unavailable` if a filesystem has no snapshots that can be compared. */
  static open(backend: VfsBackend, clock: () => number, options: HistoryOptions = {}): History {
    const { sync, snapshot, diff, batch, watch } = backend
    if (sync && snapshot && diff && batch && watch && backend.caps.watch === 'exact')
      return new History({ ...backend, sync, snapshot, diff, batch, watch }, clock, options)
    throw new AnchorageError(
      'history-unavailable',
      'This filesystem has no snapshots that can be compared, so its history cannot be kept. Next: use memory() or opfs() by itself, or leave history out.',
    )
  }

  async list(selection: HistorySelection = {}): Promise<HistoryList> {
    const entries = new Map<number, HistoryEntry>()
    for (const step of this.#select(selection)) entries.set(step.id, entryOf(step))
    return { entries: [...entries.values()], dropped: this.#dropped }
  }

  async changes(id: number): Promise<readonly Difference[]> {
    const steps = this.#select({ id })
    if (steps.length === 0) throw noEntry()
    const found = await Promise.all(steps.map(({ before, after }) => this.#backend.diff(before, after)))
    return found.flat()
  }

  async checkpoint(label: string): Promise<HistoryEntry> {
    const step: Step = {
      ...{ origin: undefined, id: ++this.#lastId, before: this.#latest, after: this.#latest, atMs: this.#clock() },
      ...{ bytes: 0, kind: 'checkpoint', label, isOpen: false },
    }
    this.#push(step)
    return entryOf(step)
  }

  async undo(selection: HistorySelection, options: UndoOptions = {}): Promise<UndoResult> {
    if (selection.id !== undefined && this.#select({ id: selection.id }).length === 0) throw noEntry()
    return await this.#takeBack('undo', this.#select(selection), options)
  }

  async redo(id?: number, options: UndoOptions = {}): Promise<UndoResult> {
    const redone = new Set(this.#steps.flatMap(({ kind, of }) => (kind === 'redo' ? (of ?? []) : [])))
    const undos = this.#steps.filter(step => step.kind === 'undo' && (id === undefined ? !redone.has(step.id) : step.id === id))
    const last = undos.at(-1)
    if (last === undefined) throw noEntry()
    return this.#takeBack(
      'redo',
      this.#steps.filter(step => step.id === last.id),
      options,
    )
  }

  async restore(id: number, options: UndoOptions = {}): Promise<UndoResult> {
    if (this.#select({ id }).length === 0) throw noEntry()
    return this.#takeBack('restore', this.#select({ since: id }), options)
  }

  close(): void {
    this.#stop()
    this.#steps.length = 0
  }

  /** Called within each commit, so that there is always only one commit between two snapshots. */
  #record({ changes }: ChangeBatch): void {
    const before = this.#latest
    this.#latest = this.#backend.snapshot()
    const origin = changes[0]?.origin
    const bytes = changes.reduce((sum, change) => sum + heldBytes(before, change), 0)
    this.#bytes += bytes
    const last = this.#steps.at(-1)
    const isOfCall = origin !== undefined && origin.includes('"callId":')
    if (
      last !== undefined &&
      last.origin === origin &&
      last.kind === 'change' &&
      this.#own === undefined &&
      (isOfCall || last.isOpen)
    ) {
      last.after = this.#latest
      last.atMs = this.#clock()
      last.bytes += bytes
      return
    }
    const known = this.#own ?? { kind: 'change' as const }
    // Calls interleave: the changes of one call before and after another's are one entry with two steps.
    const knownId = isOfCall && this.#own === undefined ? this.#idsOfCalls.get(origin) : undefined
    const step: Step = {
      ...{ origin, id: knownId ?? ++this.#lastId, before, after: this.#latest, atMs: this.#clock(), bytes, isOpen: true },
      ...known,
    }
    if (isOfCall && origin !== undefined) this.#idsOfCalls.set(origin, step.id)
    this.#push(step)
    queueMicrotask(() => {
      step.isOpen = false
    })
  }

  #push(step: Step): void {
    this.#steps.push(step)
    while (this.#steps.length > 1 && (this.#steps.length > this.#maxEntries || this.#bytes > this.#maxBytes)) {
      const oldest = this.#steps.shift()
      this.#bytes -= oldest?.bytes ?? 0
      if (oldest?.origin !== undefined) this.#idsOfCalls.delete(oldest.origin)
      this.#dropped += 1
    }
  }

  #select({ id, call, turn, session, actor, since }: HistorySelection): Step[] {
    return this.#steps.filter(step => {
      const { by } = whoOf(step.origin)
      return (
        (id === undefined || step.id === id) &&
        (since === undefined || step.id > since) &&
        (call === undefined || by?.callId === call) &&
        (turn === undefined || by?.turn === turn) &&
        (session === undefined || by?.session === session) &&
        (actor === undefined || isSameActor(actor, by?.actor))
      )
    })
  }

  async #takeBack(kind: 'undo' | 'redo' | 'restore', selected: readonly Step[], options: UndoOptions): Promise<UndoResult> {
    const steps = selected.filter(step => step.kind !== 'checkpoint')
    const within = options.paths?.map(path => parsePath(path))
    const backend = actingAs<VfsBackend>(this.#backend, options.actor && originOf({ actor: options.actor }))
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const transfers = await this.#transfersOf(steps, within)
      const seq = this.#latest.seq
      const idBefore = this.#lastId
      let report = emptyReport
      const of = [...new Set(steps.map(step => step.id))]
      try {
        await backend.batch?.(transaction => {
          // Another writer was faster, and may have moved the files.
          if (this.#latest.seq !== seq) throw new Overtaken()
          report = carry(transaction, transfers)
          if (options.dryRun === true) throw new DryRun()
          this.#own = { kind, of }
        })
      } catch (error) {
        if (error instanceof DryRun) return report
        if (error instanceof ContentElsewhere) await error.load()
        else if (!(error instanceof Overtaken) && !isVfsError(error, 'ESTALE')) throw error
        continue
      } finally {
        this.#own = undefined
      }
      return { ...report, ...defined({ id: this.#lastId === idBefore ? undefined : this.#lastId }) }
    }
    throw new AnchorageError('history-busy', 'The files kept changing, so nothing was undone. Next: try again later.')
  }

  /** Consecutive steps without other actors' steps in between are undone together, newest first. */
  async #transfersOf(steps: readonly Step[], within: readonly VfsPath[] | undefined): Promise<readonly Transfer[]> {
    const selected = new Set(steps)
    const transfers: Transfer[] = []
    let later: Transfer['laterMoves'] = []
    const oldest = this.#steps.findIndex(step => selected.has(step))
    for (let end = this.#steps.length - 1; oldest !== -1 && end >= oldest; end--) {
      const last = this.#steps[end]
      if (last === undefined) continue
      const isOthers = !selected.has(last)
      let start = end
      while (!isOthers && start > 0 && this.#isSelected(start - 1, selected)) start--
      const first = this.#steps[start] ?? last
      if (!isOthers) transfers.push(await this.#transferBetween(last.after, first.before, later, within))
      later = [{ moved: await this.#movesBetween(first.before, last.after), isOthers }, ...later]
      end = start
    }
    return transfers
  }

  #isSelected(index: number, selected: ReadonlySet<Step>): boolean {
    const step = this.#steps[index]
    return step !== undefined && selected.has(step)
  }

  async #movesBetween(before: Snapshot, after: Snapshot): Promise<readonly Relocation[]> {
    const differences = await this.#backend.diff(before, after)
    return differences.flatMap(({ type, path, oldPath }) =>
      type === 'move' && oldPath !== undefined ? [{ source: oldPath, where: path }] : [],
    )
  }

  async #transferBetween(
    from: Snapshot,
    to: Snapshot,
    laterMoves: Transfer['laterMoves'],
    within: readonly VfsPath[] | undefined,
  ): Promise<Transfer> {
    const differences = await this.#backend.diff(from, to)
    const concerns = ({ path, oldPath = path }: Difference): boolean =>
      within === undefined || within.some(place => isInside(path, place) || isInside(oldPath, place))
    return { from: from.fs, to: to.fs, differences: differences.filter(concerns), laterMoves }
  }
}

class DryRun extends Error {}
class Overtaken extends Error {}

const emptyReport: TransferReport = { restored: [], merged: [], conflicts: [] }

function carry(transaction: VfsTransaction, transfers: readonly Transfer[]): TransferReport {
  const relocations: (readonly Relocation[])[] = []
  const reports = transfers.map(each => transfer(transaction, each, relocations))
  const conflicts = [...new Map(reports.flatMap(report => report.conflicts).map(each => [each.path, each])).values()]
  const isLeft = new Set(conflicts.map(({ path }) => path))
  const merged = new Set(reports.flatMap(report => report.merged).filter(path => !isLeft.has(path)))
  const restored = new Set(reports.flatMap(report => report.restored).filter(path => !isLeft.has(path) && !merged.has(path)))
  return { restored: [...restored].sort(), merged: [...merged].sort(), conflicts }
}

function whoOf(origin: string | undefined): Pick<Change, 'by' | 'origin'> {
  if (origin === undefined) return {}
  const { by, origin: rest } = attributed({ seq: 0, type: 'modify', path: parsePath('/'), kind: 'file', rev: 0, origin })
  return defined({ by, origin: rest })
}

function entryOf({ id, kind, origin, label, atMs, of }: Step): HistoryEntry {
  return { id, kind, ...whoOf(origin), atMs, ...defined({ label, of }) }
}

function isSameActor(wanted: Attribution['actor'], actor: Attribution['actor'] | undefined): boolean {
  if (actor === undefined) return wanted.kind === 'host' && wanted.name === undefined
  return actor.kind === wanted.kind && (wanted.name === undefined || wanted.name === actor.name)
}

/** Bytes that are no longer in the tree after `change`. */
function heldBytes(before: Snapshot, { type, path }: Change): number {
  if (type === 'create' || type === 'attributes') return 0
  try {
    return before.sizeBytesAt?.(path) ?? before.fs.lookup(path, { follow: false }).sizeBytes
  } catch (error) {
    if (isVfsError(error)) return 0
    throw error
  }
}

function noEntry(): AnchorageError {
  return new AnchorageError('history-entry', 'There is no such entry in the history. Next: see history.list() for the entries.')
}
