// The sign before a commit in a list.

import type { Options } from '../options.ts'
import type { WalkedCommit } from '../revs/walk.ts'

/** The mark before a commit: its side, whether the other side has the same change, or that it is a boundary. */
export function markOf({ isBoundary, side, hasTwin = false }: WalkedCommit, options: Options): '' | '-' | '<' | '>' | '=' | '+' {
  if (isBoundary) return '-'
  const tells = options.has('cherry') || options.value('twins') === 'tell'
  if (tells && hasTwin) return '='
  if (options.has('left-right')) return side === 'left' ? '<' : '>'
  return tells && !options.has('graph') ? '+' : ''
}
