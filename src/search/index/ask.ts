// Turns the conditions of a pattern (required.ts) into a query on sets of grams. A text that is too short is not a condition.

import { unreachable } from '../../core/errors.ts'
import type { Need } from '../required.ts'
import { hashesOf } from './grams.ts'
import { blockFields } from './records.ts'
import { anyOf, rarestOf, type SetMarks, type SetStore } from './set-store.ts'

export type Ask =
  /** A text of at least `sizeBytes` bytes in any spelling. */
  | { readonly kind: 'grams'; readonly hashes: Uint32Array; readonly sizeBytes: number }
  | { readonly kind: 'all'; readonly of: readonly Ask[] }
  | { readonly kind: 'any'; readonly of: readonly Ask[] }

const encoder = new TextEncoder()

/** `undefined` if there is no condition. */
export function askFor(need: Need): Ask | undefined {
  switch (need.kind) {
    case 'text': {
      const hashes = hashesOf(encoder.encode(need.text))
      return hashes && { kind: 'grams', hashes, sizeBytes: Array.from(need.text).length }
    }
    case 'all': {
      const parts = need.of.map(askFor).filter(part => part !== undefined)
      const [only] = parts
      return parts.length <= 1 ? only : { kind: 'all', of: parts }
    }
    case 'any': {
      const parts = need.of.map(askFor)
      const known = parts.filter(part => part !== undefined)
      return known.length === parts.length ? { kind: 'any', of: known } : undefined
    }
    default:
      return unreachable(need)
  }
}

/**
 * Whether the lines of some blocks together may meet `ask`. `blocks` has {@link blockFields} numbers for each block. `from` and `to` are
 * positions in `blocks`.
 */
export function meets(ask: Ask, sets: SetStore, blocks: Uint32Array, from: number, to: number): boolean {
  if (ask.kind === 'grams') {
    for (let index = from; index < to; index += blockFields) {
      // A required text is in one line.
      const isLongEnough = (blocks[index + 5] ?? 0) >= ask.sizeBytes
      if (isLongEnough && sets.mayHold(blocks[index + 1] ?? 0, blocks[index] ?? 0, ask.hashes)) return true
    }
    return false
  }
  const isAll = ask.kind === 'all'
  for (const part of ask.of) if (meets(part, sets, blocks, from, to) !== isAll) return !isAll
  return isAll
}

/** Marks at least one set of each file that may meet `ask`. */
export function marksFor(ask: Ask, sets: SetStore): SetMarks {
  if (ask.kind === 'grams') return sets.marksOf(ask.hashes)
  const parts = ask.of.map(part => marksFor(part, sets))
  // Different blocks of a file may have what `all` requires, so only one part decides.
  return ask.kind === 'any' ? anyOf(parts) : rarestOf(parts)
}
