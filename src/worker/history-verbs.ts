// The history's part of the wire: how the worker reads the arguments of each function of `PlainHistory`.

import type { Actor } from '../core/actor.ts'
import type { CommitOptions, HistorySelection, PlainHistory, TurnOptions, UndoOptions } from '../history/history.ts'
import { asActor, asNumber, asOptionalRecord, asOptions, asRecord, asText } from './checks.ts'
import type { FileVerbs } from './file-verbs.ts'
import type { Reader } from './protocol.ts'

const selection: Reader<HistorySelection> = value => {
  const known = asOptions(
    value,
    { id: 'number', call: 'string', turn: 'string', session: 'string', since: 'number' },
    'selection',
  )
  return { ...known, actor: actorIn(value, 'selection') }
}

const undoOptions: Reader<UndoOptions | undefined> = value =>
  value === undefined
    ? undefined
    : { ...asOptions(value, { paths: 'strings', dryRun: 'boolean' }, 'options'), actor: actorIn(value, 'options') }

function actorIn(value: unknown, what: string): Actor | undefined {
  const { actor } = asRecord(value, what)
  return actor === undefined ? undefined : asActor(actor, `${what}.actor`)
}

const id: Reader<number> = value => asNumber(value, 'id')

const turnOptions: Reader<TurnOptions | undefined> = value =>
  value === undefined ? undefined : { ...asOptions(value, { label: 'string' }, 'options'), actor: actorIn(value, 'options') }

const commitOptions: Reader<CommitOptions> = value => {
  const { message, author } = asRecord(value, 'options')
  const { name, email } = asOptionalRecord(author, 'options.author') ?? {}
  return {
    message: asText(message, 'options.message'),
    author: author === undefined ? undefined : { name: asText(name, 'author.name'), email: asText(email, 'author.email') },
  }
}

export const historyVerbs: FileVerbs<PlainHistory> = {
  caps: [],
  checkpoints: [],
  beginTurn: [turnOptions],
  endTurn: [value => asText(value, 'id')],
  list: [value => (value === undefined ? undefined : selection(value))],
  changes: [id],
  checkpoint: [value => asText(value, 'label')],
  undo: [selection, undoOptions],
  redo: [value => (value === undefined ? undefined : id(value)), undoOptions],
  restore: [id, undoOptions],
  toCommit: [selection, commitOptions],
}
