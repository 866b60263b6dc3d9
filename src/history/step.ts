// One step between two states of the files, and the entry that it belongs to.

import type { Attribution } from '../core/actor.ts'
import { parsePath } from '../core/path.ts'
import { defined } from '../core/record.ts'
import type { Change, Snapshot } from '../vfs/backend.ts'
import { attributed } from '../vfs/origin.ts'
import type { HistoryEntry, HistorySelection } from './history.ts'
import type { StoredStep } from './kept-steps.ts'
import type { Trail } from './lineage.ts'

export interface States {
  readonly before: Snapshot
  after: Snapshot
}

/** One commit, or consecutive commits of one call. */
export interface Step {
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
  /** Whether the change can be extended. For a change without a call: no other commit has followed in the same turn of the event loop. */
  isOpen: boolean
  /** A change that was not observed. It belongs to no entry and is never undone. */
  readonly isUnseen?: boolean
}

export function whoOf(origin: string | undefined): Pick<Change, 'by' | 'origin'> {
  if (origin === undefined) return {}
  const { by, origin: rest } = attributed({ seq: 0, type: 'modify', path: parsePath('/'), kind: 'file', rev: 0, origin })
  return defined({ by, origin: rest })
}

export function entryOf({ id, kind, origin, label, turn, atMs, of }: Step): HistoryEntry {
  const who = whoOf(origin)
  return { id, kind, ...who, atMs, ...defined({ label, of, turn: turn ?? who.by?.turn }) }
}

export function statesOf({ states }: Step): States {
  if (states === undefined) throw new Error('unreachable: a step was used before its snapshots were made')
  return states
}

const kinds: readonly HistoryEntry['kind'][] = ['change', 'undo', 'redo', 'restore', 'checkpoint']

/** A step of an earlier page. */
export function stepOf(found: StoredStep): Step {
  const { id, kind, atMs, bodyBytes, origin, label, turn, of } = found.head
  return {
    ...{ found, stored: found.number, origin, id, atMs, bytes: bodyBytes, isOpen: false, trail: [] },
    kind: kinds.find(known => known === kind) ?? 'change',
    ...defined({ label, turn, of }),
  }
}

/** Whether the step belongs to the selected entries. */
export function isSelected(step: Step, { id, call, turn, session, actor, since }: HistorySelection): boolean {
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
}

export function isSameActor(wanted: Attribution['actor'], actor: Attribution['actor'] | undefined): boolean {
  if (actor === undefined) return wanted.kind === 'host' && wanted.name === undefined
  return actor.kind === wanted.kind && (wanted.name === undefined || wanted.name === actor.name)
}
