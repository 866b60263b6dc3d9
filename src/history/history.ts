// Records the changes of all actors in order, so that the work of one actor can be undone while that of others is kept. Each
// commit of the filesystem is a step between two snapshots, which are taken in constant time. The steps of one call form one
// entry, and so does an undo. Steps of an earlier page get snapshots again when an undo needs them.

import type { Attribution } from '../core/actor.ts'
import { AnchorageError } from '../core/errors.ts'
import { isInside, parsePath, type VfsPath } from '../core/path.ts'
import { defined } from '../core/record.ts'
import type { Change, ChangeBatch, Difference, Snapshot, Unsubscribe, VfsBackend, VfsTransaction } from '../vfs/backend.ts'
import { ContentElsewhere } from '../vfs/elsewhere.ts'
import { isVfsError } from '../vfs/error.ts'
import { actingAs, attributed, originOf } from '../vfs/origin.ts'
import type { KeptSteps, StoredStep } from './kept-steps.ts'
import { Past } from './past.ts'
import { followFiles, movesIn, reversed, type Trail } from './lineage.ts'
import { transfer, type Relocation, type Transfer, type TransferConflict, type TransferReport } from './transfer.ts'

/** One entry of the history: what an actor changed in one step. */
export interface HistoryEntry {
  /** Increases with time; numbers are never reused. */
  readonly id: number
  readonly kind: 'change' | 'undo' | 'redo' | 'restore' | 'checkpoint'
  /** Who made the change, and in which call. Absent for the host's `workspace.fs`, and if it is unknown. */
  readonly by?: Attribution
  /** The same as `Change.origin`, such as `shell` for a command. */
  readonly origin?: string
  /** The name of a checkpoint, or the label of the turn. */
  readonly label?: string
  /** The turn of the call, or one that was begun with `turn`. */
  readonly turn?: string
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
  /** The number of stored entries that were dropped because they cannot be read, for example after a crash. */
  readonly damaged: number
}

/** What a history records, and how long it keeps it. */
export interface HistoryCaps {
  /**
   * `all`: every change of the files, whoever makes it. `own`: only changes that are made through the workspace, on filesystems without
   * snapshots. `none`: there is no history.
   */
  readonly records: 'all' | 'own' | 'none'
  /** `stored`: with the files, also after a reload. `session`: in memory, until the workspace is disposed of. `none`: there is no history. */
  readonly kept: 'stored' | 'session' | 'none'
  readonly maxEntries: number
  readonly maxBytes: number
  /** A description for people. */
  readonly notice: string
}

/** Options of `history.turn`. */
export interface TurnOptions {
  readonly label?: string | undefined
  /** Includes only changes of this actor. Default: all changes that belong to no other turn. */
  readonly actor?: Attribution['actor'] | undefined
}

/** A turn that was begun with `history.turn`. */
export interface HistoryTurn {
  /** For `undo({ turn: id })`. */
  readonly id: string
  /** Ends the turn: later changes do not belong to it. Can be called twice. */
  end(): Promise<void>
}

/** Selects entries: one, those of a call, turn or actor, or all later ones. All conditions must hold. */
export interface HistorySelection {
  readonly id?: number | undefined
  readonly call?: string | undefined
  readonly turn?: string | undefined
  readonly session?: string | undefined
  readonly actor?: Attribution['actor'] | undefined
  /** The ID of the last entry before the selection. */
  readonly since?: number | undefined
}

/** Options of `undo` and `redo`. */
export interface UndoOptions {
  /** Only entries at or below these absolute paths. */
  readonly paths?: readonly string[] | undefined
  /** Reports what would happen, and changes nothing. */
  readonly dryRun?: boolean | undefined
  /** The actor of the undo; default the host. */
  readonly actor?: Attribution['actor'] | undefined
}

/** The result of an undo. */
export interface UndoResult extends TransferReport {
  /** The entry of the undo; absent if nothing was changed. */
  readonly id?: number
}

export type { TransferConflict, TransferReport }

/** The limits of a history. */
export interface HistoryOptions {
  /** Older entries are dropped above this number; default 10,000. */
  readonly maxEntries?: number | undefined
  /** Older entries are dropped when contents that only they need exceed this size, as far as it is known; default 256 MiB. */
  readonly maxBytes?: number | undefined
}

/** The functions of a history that take and give plain data. */
export interface HistoryFunctions {
  caps(): Promise<HistoryCaps>
  /** The entries that match `selection`; by default all. */
  list(selection?: HistorySelection): Promise<HistoryList>
  /** What an entry changed, by path. Rejects with `history-entry` if the entry does not exist. */
  changes(id: number): Promise<readonly Difference[]>
  /** Records the current state under a name, for a later `restore`. */
  checkpoint(label: string): Promise<HistoryEntry>
  /** The checkpoints, oldest first. */
  checkpoints(): Promise<readonly HistoryEntry[]>
  /** Like `turn`, for a host that keeps only the ID. */
  beginTurn(options?: TurnOptions): Promise<string>
  /** Ends a turn. Does nothing if it has ended. */
  endTurn(id: string): Promise<void>
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
  /**
   * Restores the state at a checkpoint or directly after an entry, regardless of who has changed it since. Rejects with
   * `history-entry`.
   */
  restore(id: number, options?: UndoOptions): Promise<UndoResult>
}

/** A history with the functions that need more than the recorded changes. */
export interface PlainHistory extends HistoryFunctions {
  /**
   * Commits the current content of the files that the selected entries changed to the repository at the workspace's root. Other
   * changes and the index stay as they are. Rejects with `history-entry` if there is nothing to commit, and with `git-failed`.
   */
  toCommit(selection: HistorySelection, options: CommitOptions): Promise<HistoryCommit>
}

/** The changes of all actors, and how to undo them. Paths are absolute. Also available through a worker. */
export interface WorkspaceHistory extends PlainHistory {
  /**
   * Begins a turn: what is changed until its end, and belongs to no other turn, is one turn of the history.
   *
   * ```ts
   * const turn = await workspace.history.turn({ label: 'Rename the parser' })
   * await work()
   * await turn.end()
   * await workspace.history.undo({ turn: turn.id })
   * ```
   */
  turn(options?: TurnOptions): Promise<HistoryTurn>
}

interface States {
  readonly before: Snapshot
  after: Snapshot
}

/** Options of `history.toCommit`. */
export interface CommitOptions {
  readonly message: string
  /** Default: the author of the repository, or of the workspace's option `git`. */
  readonly author?: { readonly name: string; readonly email: string } | undefined
}

/** The result of `history.toCommit`. */
export interface HistoryCommit {
  /** The commit's hash. */
  readonly id: string
  /** The committed files, from the root of the work tree. */
  readonly paths: readonly string[]
  /** Those of `paths` that others have changed too. The commit includes their changes. */
  readonly alsoChangedByOthers: readonly string[]
}

/** One commit, or consecutive commits of one call. */
interface Step {
  readonly origin: string | undefined
  readonly id: number
  /** Absent for a step of an earlier page until an undo needs it. */
  states?: States
  /** Absent until it is stored. */
  stored?: StoredStep['number']
  readonly found?: StoredStep
  /** The moves, in order. */
  trail: Trail[number][]
  atMs: number
  bytes: number
  readonly kind: HistoryEntry['kind']
  readonly label?: string
  readonly turn?: string
  readonly of?: readonly number[]
  /**
   * Whether the change can be extended. For a change without a call: no other commit has followed in the same turn of the event
   * loop.
   */
  isOpen: boolean
  /** A change that was not observed. It belongs to no entry and is never undone. */
  readonly isUnseen?: boolean
}

/** The files of a history. See `prepareHistory`. */
export interface HistoryFiles {
  /** The filesystem that an undo changes. */
  readonly files: VfsBackend
  /** The states to compare, of the files themselves or of the known tree. Its changes are recorded. */
  readonly states: StatesBackend
  readonly records: 'all' | 'own'
  /** The storage for steps, which outlives the page. */
  readonly kept?: KeptSteps | undefined
}

export type StatesBackend = VfsBackend & Required<Pick<VfsBackend, 'snapshot' | 'diff' | 'fork' | 'watch'>>

/** The origin of changes that were discovered, not observed. */
export const unseenOrigin = 'anchorage-unseen'

const maxAttempts = 1_000

interface OpenTurn {
  readonly id: string
  readonly label: string | undefined
  readonly actor: Attribution['actor'] | undefined
}

export class History implements HistoryFunctions {
  readonly #files: VfsBackend
  readonly #states: StatesBackend
  readonly #records: HistoryFiles['records']
  readonly #kept: KeptSteps | undefined
  readonly #clock: () => number
  readonly #maxEntries: number
  readonly #maxBytes: number
  readonly #stop: Unsubscribe
  readonly #steps: Step[] = []
  /** The entry of each listed call, by its origin. */
  readonly #idsOfCalls = new Map<string, number>()
  readonly #turns: OpenTurn[] = []
  readonly #first: Snapshot
  #rebuilding: Promise<void> = Promise.resolve()
  #past: Past | undefined
  #dropped = 0
  #damaged: number
  #bytes = 0
  #lastId = 0
  #latest: Snapshot
  /** How to record the next commit, which this object is about to make. */
  #own: { readonly kind: HistoryEntry['kind']; readonly of: readonly number[]; id?: number } | undefined

  constructor({ files, states, records, kept }: HistoryFiles, clock: () => number, options: HistoryOptions = {}) {
    this.#files = files
    this.#states = states
    this.#records = records
    this.#kept = kept
    this.#clock = clock
    this.#maxEntries = options.maxEntries ?? 10_000
    this.#maxBytes = options.maxBytes ?? 256 * 1024 * 1024
    this.#first = this.#latest = states.snapshot()
    this.#damaged = kept?.damaged ?? 0
    for (const found of kept?.found ?? []) this.#push(stepOf(found))
    this.#stop = states.watch(parsePath('/'), batch => this.#record(batch), { immediate: true })
  }

  async caps(): Promise<HistoryCaps> {
    const [records, kept] = [this.#records, this.#kept !== undefined && !this.#kept.isFailed ? 'stored' : 'session'] as const
    const [maxEntries, maxBytes] = [this.#maxEntries, this.#maxBytes]
    return { records, kept, maxEntries, maxBytes, notice: noticeOf(records, kept, this.#kept?.isFailed === true) }
  }

  async list(selection: HistorySelection = {}): Promise<HistoryList> {
    const entries = new Map<number, HistoryEntry>()
    for (const step of this.#select(selection)) entries.set(step.id, entryOf(step))
    return { entries: [...entries.values()], dropped: this.#dropped, damaged: this.#damaged }
  }

  async changes(id: number): Promise<readonly Difference[]> {
    await this.#rebuild(this.#select({ id })[0])
    const steps = this.#select({ id })
    if (steps.length === 0) throw noEntry()
    const found = await Promise.all(steps.map(step => this.#differencesOf(step)))
    return found.flat()
  }

  async checkpoint(label: string): Promise<HistoryEntry> {
    const states = { before: this.#latest, after: this.#latest }
    const step: Step = {
      ...{ origin: undefined, id: ++this.#lastId, states, atMs: this.#clock() },
      ...{ bytes: 0, kind: 'checkpoint', label, isOpen: false, trail: [] },
    }
    this.#push(step)
    this.#keep(step)
    return entryOf(step)
  }

  async checkpoints(): Promise<readonly HistoryEntry[]> {
    return this.#steps.filter(({ kind }) => kind === 'checkpoint').map(entryOf)
  }

  async beginTurn({ label, actor }: TurnOptions = {}): Promise<string> {
    // Entry numbers are never reused, even on the next page.
    const id = `turn-${++this.#lastId}`
    this.#turns.push({ id, label, actor })
    return id
  }

  async endTurn(id: string): Promise<void> {
    const index = this.#turns.findIndex(turn => turn.id === id)
    if (index !== -1) this.#turns.splice(index, 1)
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

  /** Resolves when all entries have been stored, if there is a storage. */
  async flush(): Promise<void> {
    await this.#kept?.settled()
  }

  async close(): Promise<void> {
    this.#stop()
    await this.flush()
    this.#steps.length = 0
  }

  /** Called within each commit, so that exactly one commit lies between two snapshots. */
  #record({ changes }: ChangeBatch): void {
    const before = this.#latest
    this.#latest = this.#states.snapshot()
    const origin = changes[0]?.origin
    const isUnseen = origin === unseenOrigin
    const bytes = changes.reduce((sum, change) => sum + heldBytes(before, change), 0)
    this.#bytes += bytes
    // Each move has a separate element, because the moves happened one after another.
    const trail = movesIn(changes).map(move => [move])
    const last = this.#steps.at(-1)
    const isOfCall = origin !== undefined && origin.includes('"callId":')
    const turn = isUnseen ? undefined : this.#turnOf(origin)
    const own = isUnseen ? undefined : this.#own
    if (
      last?.states !== undefined &&
      last.origin === origin &&
      last.turn === turn?.id &&
      last.kind === 'change' &&
      last.stored === undefined &&
      own === undefined &&
      (isOfCall || last.isOpen)
    ) {
      last.states.after = this.#latest
      last.atMs = this.#clock()
      last.bytes += bytes
      last.trail.push(...trail)
      return
    }
    // Calls interleave: changes of one call before and after those of another form one entry with two steps.
    const callId = isOfCall && own === undefined ? this.#idsOfCalls.get(origin) : own?.id
    const id = callId ?? ++this.#lastId
    if (own !== undefined) own.id = id
    const step: Step = {
      ...{ origin, id, states: { before, after: this.#latest }, atMs: this.#clock(), bytes, isOpen: true, trail },
      ...{ kind: own?.kind ?? 'change', ...defined({ of: own?.of, turn: turn?.id, label: turn?.label }) },
      ...(isUnseen ? { isUnseen } : {}),
    }
    if (isOfCall && own === undefined) this.#idsOfCalls.set(origin, step.id)
    this.#push(step)
    this.#keep(step)
    // A step of a call remains open for further changes of the call.
    if (isOfCall) return
    queueMicrotask(() => {
      step.isOpen = false
    })
  }

  #turnOf(origin: string | undefined): OpenTurn | undefined {
    if (this.#turns.length === 0) return undefined
    const { by } = whoOf(origin)
    if (by?.turn !== undefined) return undefined
    return this.#turns.findLast(({ actor }) => actor === undefined || isSameActor(actor, by?.actor))
  }

  #push(step: Step): void {
    this.#steps.push(step)
    this.#lastId = Math.max(this.#lastId, step.id)
    this.#trim()
  }

  #trim(): void {
    while (this.#steps.length > 1 && (this.#steps.length > this.#maxEntries || this.#bytes > this.#maxBytes)) {
      const oldest = this.#steps.shift()
      this.#bytes -= oldest?.bytes ?? 0
      if (oldest?.origin !== undefined) this.#idsOfCalls.delete(oldest.origin)
      if (oldest?.stored !== undefined) this.#kept?.remove(oldest.stored)
      if (oldest?.isUnseen !== true) this.#dropped += 1
    }
  }

  #keep(step: Step): void {
    if (step.isUnseen === true) return
    this.#kept?.add(() => {
      if (step.states === undefined || this.#steps.lastIndexOf(step) === -1) return undefined
      const { id, kind, atMs, origin, label, turn, of } = step
      // Later changes of the same call start a new step.
      step.stored = 0
      return {
        head: { id, kind, atMs, ...defined({ origin, label, turn, of }) },
        before: step.states.before,
        after: step.states.after,
        trail: step.trail,
        written: ({ number, bodyBytes }) => {
          step.stored = number
          if (this.#steps.lastIndexOf(step) === -1) this.#kept?.remove(number)
          const more = Math.max(0, bodyBytes - step.bytes)
          step.bytes += more
          this.#bytes += more
          this.#trim()
        },
      }
    })
  }

  /** Restores the snapshots for the steps of earlier pages from `oldest` on. Steps that cannot be read are dropped. */
  async #rebuild(oldest: Step | undefined): Promise<void> {
    const earlier = this.#rebuilding
    const work = async (): Promise<void> => {
      await earlier
      for (;;) {
        const index = this.#steps.findLastIndex(step => step.states === undefined)
        const step = this.#steps[index]
        if (step?.found === undefined || oldest === undefined || index < this.#steps.indexOf(oldest)) return
        this.#past ??= new Past(this.#states, this.#first)
        const record = await this.#kept?.read(step.found)
        const states = record && (await this.#past.back(record))
        if (states === undefined) {
          this.#steps.splice(this.#steps.indexOf(step), 1)
          this.#bytes -= step.bytes
          this.#damaged += 1
          this.#kept?.remove(step.found.number)
          continue
        }
        step.states = { before: states.before, after: states.after }
        step.trail = [(record?.moves ?? []).map(({ from, to }) => ({ source: from, where: to }))]
        if (states.unseen === undefined) continue
        const unseen = {
          ...{ origin: unseenOrigin, id: step.id, states: states.unseen, atMs: step.atMs },
          ...{ bytes: 0, trail: [] },
        }
        this.#steps.splice(this.#steps.indexOf(step) + 1, 0, { ...unseen, kind: 'change', isOpen: false, isUnseen: true })
      }
    }
    this.#rebuilding = work()
    await this.#rebuilding
  }

  #select({ id, call, turn, session, actor, since }: HistorySelection): Step[] {
    return this.#steps.filter(step => {
      if (step.isUnseen === true) return false
      const { by } = whoOf(step.origin)
      return (
        (id === undefined || step.id === id) &&
        (since === undefined || step.id > since) &&
        (call === undefined || by?.callId === call) &&
        (turn === undefined || (step.turn ?? by?.turn) === turn) &&
        (session === undefined || by?.session === session) &&
        (actor === undefined || isSameActor(actor, by?.actor))
      )
    })
  }

  async #takeBack(kind: 'undo' | 'redo' | 'restore', selected: readonly Step[], options: UndoOptions): Promise<UndoResult> {
    await this.#rebuild(selected[0])
    // A stored step that could not be read has been removed from the list.
    const steps = selected.filter(step => step.kind !== 'checkpoint' && step.states !== undefined)
    const within = options.paths?.map(path => parsePath(path))
    const backend = actingAs<VfsBackend>(this.#files, options.actor && originOf({ actor: options.actor }))
    if (backend.batch === undefined) throw noTransactions()
    let plan: Plan = 'together'
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const transfers = await this.#transfersOf(steps, within, plan)
      const seq = this.#latest.seq
      const idBefore = this.#lastId
      let report = emptyReport
      const of = [...new Set(steps.map(step => step.id))]
      try {
        await backend.batch(transaction => {
          // Another writer has committed in between, and may have moved the files.
          if (this.#latest.seq !== seq) throw new Overtaken()
          report = carry(transaction, transfers)
          const next = report.conflicts.length === 0 || steps.length === 1 ? undefined : afterConflict[plan]
          if (next !== undefined) throw new OtherPlan(next)
          if (options.dryRun === true) throw new DryRun()
          this.#own = { kind, of }
        })
      } catch (error) {
        if (error instanceof DryRun) return report
        if (error instanceof OtherPlan) plan = error.next
        else if (error instanceof ContentElsewhere) await error.load()
        else if (!(error instanceof Overtaken) && !isVfsError(error, 'ESTALE')) throw error
        continue
      } finally {
        this.#own = undefined
      }
      return { ...report, ...defined({ id: this.#lastId === idBefore ? undefined : this.#lastId }) }
    }
    throw new AnchorageError('history-busy', 'The files kept changing, so nothing was undone. Next: try again later.')
  }

  /** The steps, newest first. Consecutive steps without steps of other actors in between are grouped. */
  async #transfersOf(steps: readonly Step[], within: readonly VfsPath[] | undefined, plan: Plan): Promise<readonly Transfer[]> {
    const selected = new Set(steps)
    const transfers: Transfer[] = []
    let later: Transfer['laterMoves'] = []
    const oldest = this.#steps.findIndex(step => selected.has(step))
    for (let end = this.#steps.length - 1; oldest !== -1 && end >= oldest; end--) {
      const last = this.#steps[end]
      if (last === undefined) continue
      const isOthers = !selected.has(last)
      let start = end
      while (!isOthers && plan !== 'each' && start > 0 && this.#isSelected(start - 1, selected)) start--
      const group = this.#steps.slice(start, end + 1)
      if (isOthers) {
        later = [{ moved: movesIn(await this.#differencesOf(last)), isOthers }, ...later]
      } else {
        const differences = await this.#backOver(group)
        const concerns = ({ path, oldPath = path }: Difference): boolean =>
          within === undefined || within.some(place => isInside(path, place) || isInside(oldPath, place))
        const [from, to] = [statesOf(last).after.fs, statesOf(group[0] ?? last).before.fs]
        transfers.push({ from, to, differences: differences.filter(concerns), laterMoves: later })
        const moved = movesIn(differences).map(({ source, where }) => ({ source: where, where: source }))
        later = [{ moved, isOthers }, ...later]
      }
      end = start
    }
    return transfers
  }

  #isSelected(index: number, selected: ReadonlySet<Step>): boolean {
    const step = this.#steps[index]
    return step !== undefined && selected.has(step)
  }

  async #differencesOf(step: Step): Promise<readonly Difference[]> {
    const { before, after } = statesOf(step)
    return followFiles(await this.#states.diff(before, after), reversed(step.trail))
  }

  /** Reverts consecutive steps, from the state after them to the state before. */
  async #backOver(group: readonly Step[]): Promise<readonly Difference[]> {
    const [first, last] = [group[0], group.at(-1)]
    if (first === undefined || last === undefined) return []
    const back = await this.#states.diff(statesOf(last).after, statesOf(first).before)
    return followFiles(
      back,
      group.flatMap(({ trail }) => trail),
    )
  }
}

/**
 * Consecutive steps are undone together, as the difference between two states. In it, a file that was edited and then moved
 * appears as two files. If that causes conflicts, the steps are undone one by one instead, provided that this causes none.
 */
type Plan = 'together' | 'each' | 'together-with-conflicts'

const afterConflict: Readonly<Record<Plan, Plan | undefined>> = {
  together: 'each',
  each: 'together-with-conflicts',
  'together-with-conflicts': undefined,
}

class OtherPlan extends Error {
  readonly next: Plan

  constructor(next: Plan) {
    super()
    this.next = next
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

function entryOf({ id, kind, origin, label, turn, atMs, of }: Step): HistoryEntry {
  const who = whoOf(origin)
  return { id, kind, ...who, atMs, ...defined({ label, of, turn: turn ?? who.by?.turn }) }
}

function statesOf({ states }: Step): States {
  if (states === undefined) throw new Error('unreachable: a step was used before its snapshots were made')
  return states
}

const kinds: readonly HistoryEntry['kind'][] = ['change', 'undo', 'redo', 'restore', 'checkpoint']

function stepOf(found: StoredStep): Step {
  const { id, kind, atMs, bodyBytes, origin, label, turn, of } = found.head
  return {
    ...{ found, stored: found.number, origin, id, atMs, bytes: bodyBytes, isOpen: false, trail: [] },
    kind: kinds.find(known => known === kind) ?? 'change',
    ...defined({ label, turn, of }),
  }
}

function noticeOf(records: HistoryCaps['records'], kept: HistoryCaps['kept'], isFailed: boolean): string {
  const what =
    records === 'all'
      ? 'Every change of the files is recorded.'
      : 'Only changes that are made through the workspace are recorded; other programs can change these files unseen.'
  const howLong =
    kept === 'stored'
      ? 'Entries are stored with the files, so they can be undone after a reload.'
      : isFailed
        ? 'Entries are no longer stored, because the storage refused (it may be full); they are in memory until the workspace is disposed of.'
        : 'Entries are in memory until the workspace is disposed of.'
  return `${what} ${howLong}`
}

function isSameActor(wanted: Attribution['actor'], actor: Attribution['actor'] | undefined): boolean {
  if (actor === undefined) return wanted.kind === 'host' && wanted.name === undefined
  return actor.kind === wanted.kind && (wanted.name === undefined || wanted.name === actor.name)
}

/** The number of bytes that `change` removed from the tree. */
function heldBytes(before: Snapshot, { type, path }: Change): number {
  if (type === 'create' || type === 'attributes') return 0
  try {
    return before.sizeBytesAt?.(path) ?? before.fs.lookup(path, { follow: false }).sizeBytes
  } catch (error) {
    if (isVfsError(error)) return 0
    throw error
  }
}

function noTransactions(): AnchorageError {
  return new AnchorageError(
    'history-unavailable',
    'This filesystem has no transactions, so nothing can be undone in one step. Nothing was changed. Next: mount one that has them, such as memory() or opfs().',
  )
}

function noEntry(): AnchorageError {
  return new AnchorageError('history-entry', 'Unknown entry of the history. Next: see history.list() for the entries.')
}
