// The functions of a history and their values, for a host and for a worker.

import type { Attribution } from '../core/actor.ts'
import type { Difference } from '../vfs/backend.ts'
import type { TransferConflict, TransferReport } from './transfer.ts'

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
   * Restores the state at a checkpoint or directly after an entry, regardless of who has changed it since. Rejects with `history-entry`.
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
