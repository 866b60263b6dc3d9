// The history of a workspace, if its host requested one; otherwise every call of it is refused.

import { AnchorageError } from '../core/errors.ts'
import type { History, WorkspaceHistory } from '../history/history.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import type { WorkspaceOptions } from './workspace.ts'

export interface OpenedHistory {
  readonly history: WorkspaceHistory
  readonly close: () => void
}

/** Throws `history-unavailable` if it is requested and the filesystem does not support it. */
export async function openHistory(
  choice: WorkspaceOptions['history'],
  backend: VfsBackend,
  clock: () => number,
): Promise<OpenedHistory> {
  if (choice === undefined || choice === false) return { history: facade(refused), close: () => undefined }
  const { History: Opened } = await import('../history/history.ts')
  const opened = Opened.open(backend, clock, choice === true ? {} : choice)
  return { history: facade(async () => opened), close: () => opened.close() }
}

async function refused(): Promise<never> {
  throw new AnchorageError(
    'history-off',
    'This workspace keeps no history. Next: open it with `history: true`; what was changed before that cannot be undone.',
  )
}

function facade(open: () => Promise<History>): WorkspaceHistory {
  return {
    list: async selection => await (await open()).list(selection),
    changes: async id => await (await open()).changes(id),
    checkpoint: async label => await (await open()).checkpoint(label),
    undo: async (selection, options) => await (await open()).undo(selection, options),
    redo: async (id, options) => await (await open()).redo(id, options),
    restore: async (id, options) => await (await open()).restore(id, options),
  }
}
