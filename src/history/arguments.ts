// The arguments of the history's functions.

import { checkedFunctions, type ArgumentKind } from '../core/argument.ts'
import type { PlainHistory } from './history.ts'

const selection = ['id', 'call', 'turn', 'session', 'actor', 'since']
const undo = ['paths', 'dryRun', 'actor']

const historyArguments: { readonly [K in keyof PlainHistory]: readonly ArgumentKind[] } = {
  caps: [],
  list: [selection],
  changes: ['number'],
  checkpoint: ['text'],
  checkpoints: [],
  beginTurn: [['label', 'actor']],
  endTurn: ['text'],
  undo: [{ needs: selection }, undo],
  redo: ['number?', undo],
  restore: ['number', undo],
  toCommit: [{ needs: selection }, { needs: ['message', 'author'] }],
}

/** The functions for a host, which check their arguments. */
export function checkedHistory(functions: PlainHistory): PlainHistory {
  return checkedFunctions('history', functions, historyArguments)
}
