// A pattern as a tree, whichever language it was written in.

import type { CharacterSet } from './character-set.ts'

export type Assertion =
  | 'text-start'
  | 'text-end'
  | 'line-start'
  | 'line-end'
  /** As `line-start`, but not behind a newline that is the last character. */
  | 'perl-line-start'
  | 'perl-end'
  | 'word-boundary'
  | 'not-word-boundary'
  | 'word-start'
  | 'word-end'
  /** Perl's, where only ASCII makes words. */
  | 'ascii-boundary'
  | 'not-ascii-boundary'
  /** Perl's `\G`: where the search began. */
  | 'search-start'
  /** What `grep -w` asks on both sides. */
  | 'no-word-before'
  | 'no-word-behind'

export type Node =
  | { readonly kind: 'empty' }
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'sequence'; readonly nodes: readonly Node[] }
  | { readonly kind: 'alternation'; readonly nodes: readonly Node[] }
  /** `index` counts from 1. */
  | { readonly kind: 'group'; readonly index: number; readonly node: Node }
  | {
      readonly kind: 'repeat'
      readonly node: Node
      readonly min: number
      readonly max: number
      /** `possessive` gives nothing back. POSIX patterns have `greedy` only. */
      readonly mode: 'greedy' | 'lazy' | 'possessive'
    }
  | { readonly kind: 'backreference'; readonly index: number; readonly ignoresCase: boolean }
  | Look
  | { readonly kind: 'atomic'; readonly node: Node }
  /** The pattern of a group (0: the whole pattern) once more, from within or without. */
  | { readonly kind: 'call'; readonly index: number }
  | { readonly kind: 'conditional'; readonly condition: Condition; readonly yes: Node; readonly no: Node }
  /** Perl's `(*ACCEPT)`: the match ends here. */
  | { readonly kind: 'accept' }
  /** Perl's `(*PRUNE)`, `(*SKIP)` and `(*COMMIT)`: no way back; the next match begins one character further, here, or nowhere. */
  | { readonly kind: 'cut'; readonly next: Cut }
  /** Perl's `\X`: what a reader takes for one character. */
  | { readonly kind: 'cluster' }
  /** Perl's `\K`: what was matched so far is left out of the match. */
  | { readonly kind: 'keep-out' }

export type Cut = 'further' | 'here' | 'nowhere'

export interface Look {
  readonly kind: 'look'
  readonly isBehind: boolean
  readonly isNegative: boolean
  readonly node: Node
}

export type Condition =
  | Look
  /** The group took part so far. */
  | { readonly kind: 'has-group'; readonly index: number }
  /** Within a call, of the group if one is named. */
  | { readonly kind: 'in-call'; readonly index: number | undefined }
  /** What it guards is only called. */
  | { readonly kind: 'never' }

export interface Pattern {
  readonly node: Node
  readonly groupCount: number
  /** The numbers of named groups. */
  readonly names: ReadonlyMap<string, number>
  /** A match that does not begin at `\r` is not tried at the `\n` behind it, as in PCRE2 with CRLF. */
  readonly skipsLineFeeds?: boolean
}

/** A pattern that cannot be read. Its message is GNU's. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

/** A pattern that takes too long on a text. */
export class PatternLimitError extends Error {
  override readonly name = 'PatternLimitError'
}

export const empty: Node = { kind: 'empty' }

export function sequence(nodes: readonly Node[]): Node {
  const [first = empty, second] = nodes
  return second === undefined ? first : { kind: 'sequence', nodes }
}
