// The options that agsh adds to those of every toolset.

import { boolean, optional, strictObject } from 'valibot'

import type { OptionTable } from '../../core/option.ts'
import { driftSchema, type Drift } from '../../session/drift-option.ts'

/** How agsh judges edits. */
export interface AgshEditOptions {
  /** Whether an `old_string` that matches more than once is refused. Default false: the first match is replaced, and the others are named. */
  readonly unique?: boolean | undefined
  /** The treatment of an edit of a file that changed since it was seen. Default `refuse`. */
  readonly drift?: Drift | undefined
}

/** Options of agsh, beside those of every toolset. */
export interface AgshOptions {
  readonly edit?: AgshEditOptions | undefined
  /** Whether there is a scratchpad; default true. Without it the file tools have no argument `scratchpad` either. */
  readonly scratchpad?: boolean | undefined
}

export const agshOptions: OptionTable<AgshOptions> = {
  edit: {
    about: 'Whether a text must match once, and edits of a changed file are merged: { unique, drift }.',
    schema: strictObject({ unique: optional(boolean()), drift: optional(driftSchema) }),
  },
  scratchpad: { about: 'Whether there is a scratchpad beside the context. Default true.', schema: boolean() },
}
