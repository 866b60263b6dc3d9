// The actors and texts of the tests of the history.

import type { Actor } from '../core/actor.ts'

export const agent: Actor = { kind: 'agent', name: 'main' }
export const person: Actor = { kind: 'person' }
export const other: Actor = { kind: 'agent', name: 'other' }

/** Lines as one word each. */
export const lines = (words: string): string => words.split(' ').join('\n') + '\n'
