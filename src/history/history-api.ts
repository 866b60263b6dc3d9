// The history as a host uses it, from functions that take and give plain data: in this thread the history's own, across a worker messages.

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
