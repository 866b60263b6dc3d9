// Records the changes of all actors in order, so that the work of one actor can be undone while that of others is kept. Each commit of the
// filesystem is a step between two snapshots, which are taken in constant time. The steps of one call form one entry, and so does an undo.

import { AnchorageError } from '../core/errors.ts'
import { parsePath } from '../core/path.ts'
import { defined } from '../core/record.ts'
import type { Change, ChangeBatch, Difference, Snapshot, Unsubscribe, VfsBackend } from '../vfs/backend.ts'
import { ContentElsewhere } from '../vfs/elsewhere.ts'
import { isVfsError, ifThere } from '../vfs/error.ts'
import { actingAs, originOf } from '../vfs/origin.ts'
import type {
  HistoryCaps,
  HistoryEntry,
  HistoryFunctions,
  HistoryList,
  HistoryOptions,
  HistorySelection,
  TurnOptions,
  UndoOptions,
  UndoResult,
} from './history.ts'
import type { KeptSteps } from './kept-steps.ts'
import { movesIn } from './lineage.ts'
import { OpenTurns } from './open-turns.ts'
import { unseenOrigin, type HistoryFiles, type StatesBackend } from './states.ts'
import { entryOf, type Step } from './step.ts'
import { StepList } from './step-list.ts'
import { afterConflict, carry, differencesOf, emptyReport, transfersOf, type Plan } from './undo-plan.ts'

/** How often an undo meets newer changes before it gives up. */
const maxAttempts = 1_000

export { checkedHistory } from './arguments.ts'

export class History implements HistoryFunctions {
  readonly #files: VfsBackend
  readonly #states: StatesBackend
  readonly #records: HistoryFiles['records']
  readonly #kept: KeptSteps | undefined
  readonly #clock: () => number
  readonly #limits: Pick<HistoryCaps, 'maxEntries' | 'maxBytes'>
  readonly #steps: StepList
  readonly #turns = new OpenTurns()
  readonly #stop: Unsubscribe
  #latest: Snapshot
  /** How to record the next commit, which this object is about to make. */
  #own: { readonly kind: HistoryEntry['kind']; readonly of: readonly number[]; id?: number } | undefined

  constructor({ files, states, records, kept }: HistoryFiles, clock: () => number, options: HistoryOptions = {}) {
    this.#files = files
    this.#states = states
    this.#records = records
    this.#kept = kept
    this.#clock = clock
    this.#limits = { maxEntries: options.maxEntries ?? 10_000, maxBytes: options.maxBytes ?? 256 * 1024 * 1024 }
    this.#latest = states.snapshot()
    this.#steps = new StepList(states, this.#latest, kept, this.#limits)
    this.#stop = states.watch(parsePath('/'), batch => this.#record(batch), { immediate: true })
  }

  async caps(): Promise<HistoryCaps> {
    const [records, kept] = [this.#records, this.#kept !== undefined && !this.#kept.isFailed ? 'stored' : 'session'] as const
    return { records, kept, ...this.#limits, notice: noticeOf(records, kept, this.#kept?.isFailed === true) }
  }

  async list(selection: HistorySelection = {}): Promise<HistoryList> {
    const entries = new Map<number, HistoryEntry>()
    for (const step of this.#steps.select(selection)) entries.set(step.id, entryOf(step))
    return { entries: [...entries.values()], dropped: this.#steps.dropped, damaged: this.#steps.damaged }
  }

  async changes(id: number): Promise<readonly Difference[]> {
    await this.#steps.rebuild(this.#steps.select({ id })[0])
    const steps = this.#steps.select({ id })
    if (steps.length === 0) throw noEntry()
    const found = await Promise.all(steps.map(step => differencesOf(this.#states, step)))
    return found.flat()
  }

  async checkpoint(label: string): Promise<HistoryEntry> {
    const states = { before: this.#latest, after: this.#latest }
    const step: Step = {
      ...{ origin: undefined, id: this.#steps.nextId(), states, atMs: this.#clock() },
      ...{ bytes: 0, kind: 'checkpoint', label, isOpen: false, trail: [] },
    }
    this.#steps.push(step)
    this.#steps.store(step)
    return entryOf(step)
  }

  async checkpoints(): Promise<readonly HistoryEntry[]> {
    return this.#steps.all.filter(({ kind }) => kind === 'checkpoint').map(entryOf)
  }

  async beginTurn(options: TurnOptions = {}): Promise<string> {
    const id = `turn-${this.#steps.nextId()}`
    this.#turns.begin(id, options)
    return id
  }

  async endTurn(id: string): Promise<void> {
    this.#turns.end(id)
  }

  async undo(selection: HistorySelection, options: UndoOptions = {}): Promise<UndoResult> {
    if (selection.id !== undefined && this.#steps.select({ id: selection.id }).length === 0) throw noEntry()
    return await this.#takeBack('undo', this.#steps.select(selection), options)
  }

  async redo(id?: number, options: UndoOptions = {}): Promise<UndoResult> {
    const redone = new Set(this.#steps.all.flatMap(({ kind, of }) => (kind === 'redo' ? (of ?? []) : [])))
    const undos = this.#steps.all.filter(
      step => step.kind === 'undo' && (id === undefined ? !redone.has(step.id) : step.id === id),
    )
    const last = undos.at(-1)
    if (last === undefined) throw noEntry()
    return this.#takeBack(
      'redo',
      this.#steps.all.filter(step => step.id === last.id),
      options,
    )
  }

  async restore(id: number, options: UndoOptions = {}): Promise<UndoResult> {
    if (this.#steps.select({ id }).length === 0) throw noEntry()
    return this.#takeBack('restore', this.#steps.select({ since: id }), options)
  }

  /** Resolves when all entries have been stored, if there is a storage. */
  async flush(): Promise<void> {
    await this.#kept?.settled()
  }

  async close(): Promise<void> {
    this.#stop()
    await this.flush()
    this.#steps.clear()
  }

  /** Called within each commit, so that exactly one commit lies between two snapshots. */
  #record({ changes }: ChangeBatch): void {
    const before = this.#latest
    this.#latest = this.#states.snapshot()
    const origin = changes[0]?.origin
    const isUnseen = origin === unseenOrigin
    const bytes = changes.reduce((sum, change) => sum + heldBytes(before, change), 0)
    // Each move has a separate element, because the moves happened one after another.
    const trail = movesIn(changes).map(move => [move])
    const last = this.#steps.all.at(-1)
    const isOfCall = origin !== undefined && origin.includes('"callId":')
    const turn = isUnseen ? undefined : this.#turns.of(origin)
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
      this.#steps.extendLast(last, bytes)
      last.trail.push(...trail)
      return
    }
    // Calls interleave: changes of one call before and after those of another form one entry with two steps.
    const callId = isOfCall && own === undefined ? this.#steps.idOfCall(origin) : own?.id
    const id = callId ?? this.#steps.nextId()
    if (own !== undefined) own.id = id
    const step: Step = {
      ...{ origin, id, states: { before, after: this.#latest }, atMs: this.#clock(), bytes, isOpen: true, trail },
      ...{ kind: own?.kind ?? 'change', ...defined({ of: own?.of, turn: turn?.id, label: turn?.label }) },
      ...(isUnseen ? { isUnseen } : {}),
    }
    if (isOfCall && own === undefined) this.#steps.keepCall(origin, step.id)
    this.#steps.push(step)
    this.#steps.store(step)
    // A step of a call remains open for further changes of the call.
    if (isOfCall) return
    queueMicrotask(() => {
      step.isOpen = false
    })
  }

  async #takeBack(kind: 'undo' | 'redo' | 'restore', selected: readonly Step[], options: UndoOptions): Promise<UndoResult> {
    await this.#steps.rebuild(selected[0])
    // A stored step that could not be read has been removed from the list.
    const steps = selected.filter(step => step.kind !== 'checkpoint' && step.states !== undefined)
    const within = options.paths?.map(path => parsePath(path))
    const backend = actingAs<VfsBackend>(this.#files, options.actor && originOf({ actor: options.actor }))
    if (backend.batch === undefined) throw noTransactions()
    let plan: Plan = 'together'
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const transfers = await transfersOf(this.#states, this.#steps.all, new Set(steps), within, plan)
      const seq = this.#latest.seq
      const idBefore = this.#steps.lastId
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
      return { ...report, ...defined({ id: this.#steps.lastId === idBefore ? undefined : this.#steps.lastId }) }
    }
    throw new AnchorageError('history-busy', 'The files kept changing, so nothing was undone. Next: try again later.')
  }
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

function heldBytes(before: Snapshot, { type, path }: Change): number {
  if (type === 'create' || type === 'attributes') return 0
  return ifThere(() => before.sizeBytesAt?.(path) ?? before.fs.lookup(path, { follow: false }).sizeBytes) ?? 0
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
