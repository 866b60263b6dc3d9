// The history of a workspace, if its host requested one; otherwise every call of it is refused.

import { AnchorageError } from '../core/errors.ts'
import { historyApi } from '../history/history-api.ts'
import type { HistoryFunctions, PlainHistory, WorkspaceHistory } from '../history/history.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import type { CommitGround } from './commit-turn.ts'
import type { WorkspaceOptions } from './workspace.ts'

export interface OpenedHistory {
  readonly history: WorkspaceHistory
  /** Resolves when every pending entry is stored. */
  readonly flush: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface PreparedHistory {
  /** The filesystem that everyone must use from now on. */
  readonly backend: VfsBackend
  /** Begins to record. */
  open(ground: CommitGround): OpenedHistory
}

/** `clock`: milliseconds since the epoch. */
export async function prepareHistory(
  choice: WorkspaceOptions['history'],
  backend: VfsBackend,
  clock: () => number,
): Promise<PreparedHistory> {
  if (choice === undefined || choice === false) return { backend, open: () => none }
  const [{ History, checkedHistory }, { prepareHistory: prepare }] = await Promise.all([
    import('../history/recorder.ts'),
    import('../history/prepare.ts'),
  ])
  const prepared = await prepare(backend, clock)
  return {
    backend: prepared.files,
    open(ground) {
      const opened = new History(prepared, clock, choice === true ? {} : choice)
      const toCommit: PlainHistory['toCommit'] = async (selection, options) => {
        const { commitSelection } = await import('./commit-turn.ts')
        return await commitSelection(opened, ground, selection, options)
      }
      const functions = checkedHistory({ ...functionsOf(async () => opened), toCommit })
      return { history: historyApi(functions), flush: () => opened.flush(), close: () => opened.close() }
    },
  }
}

const nothing = async (): Promise<void> => {}

const none: OpenedHistory = {
  history: historyApi({
    ...functionsOf(refused),
    toCommit: refused,
    caps: async () => ({
      ...{ records: 'none', kept: 'none', maxEntries: 0, maxBytes: 0 },
      notice: 'This workspace keeps no history.',
    }),
  }),
  flush: nothing,
  close: nothing,
}

async function refused(): Promise<never> {
  throw new AnchorageError(
    'history-off',
    'This workspace keeps no history. Next: open it with `history: true`; what was changed before that cannot be undone.',
  )
}

function functionsOf(open: () => Promise<HistoryFunctions>): HistoryFunctions {
  return {
    caps: async () => await (await open()).caps(),
    list: async selection => await (await open()).list(selection),
    changes: async id => await (await open()).changes(id),
    checkpoint: async label => await (await open()).checkpoint(label),
    checkpoints: async () => await (await open()).checkpoints(),
    beginTurn: async options => await (await open()).beginTurn(options),
    endTurn: async id => await (await open()).endTurn(id),
    undo: async (selection, options) => await (await open()).undo(selection, options),
    redo: async (id, options) => await (await open()).redo(id, options),
    restore: async (id, options) => await (await open()).restore(id, options),
  }
}
