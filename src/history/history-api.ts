// The interface of the history for a host. It is built from functions on plain data: those of the history itself, or messages to a worker.

import type { PlainHistory, WorkspaceHistory } from './history.ts'

export function historyApi(functions: PlainHistory): WorkspaceHistory {
  return {
    ...functions,
    async turn(options) {
      const id = await functions.beginTurn(options)
      return { id, end: () => functions.endTurn(id) }
    },
  }
}
