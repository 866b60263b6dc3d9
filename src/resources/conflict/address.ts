// The part of an address after `conflict://`: the number of a conflict, `*` for all of them, or one side of one.

import { ToolError } from '../../core/errors.ts'
import type { ConflictSide } from './regions.ts'

export type ConflictAddress =
  | { readonly kind: 'one'; readonly id: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'side'; readonly id: number; readonly side: ConflictSide }

const scheme = 'conflict://'

export function isConflictAddress(text: string): boolean {
  return text.toLowerCase().startsWith(scheme)
}

/** Throws `ToolError` `conflict-address` for an invalid address. */
export function parseConflictAddress(text: string): ConflictAddress {
  const rest = text.slice(scheme.length)
  if (rest === '*') return { kind: 'all' }
  const match = /^([1-9]\d{0,8})(?:\/(ours|base|theirs))?$/.exec(rest)
  if (!isConflictAddress(text) || match === null) {
    throw new ToolError('conflict-address', `${JSON.stringify(text.slice(0, 200))} is not the address of a conflict.`, {
      nextStep: 'Use conflict://<number>, conflict://* for all, or to read one side conflict://<number>/ours, /base or /theirs.',
    })
  }
  const id = Number(match[1])
  const side = match[2]
  return side === 'ours' || side === 'base' || side === 'theirs' ? { kind: 'side', id, side } : { kind: 'one', id }
}

/** `conflict://3` */
export function formatConflictAddress(id: number): string {
  return `${scheme}${id}`
}
