// The options that agsh adds to those of every toolset.

import { boolean } from 'valibot'

import type { OptionTable } from '../../core/option.ts'

/** Options of agsh, beside those of every toolset. */
export interface AgshOptions {
  /** Whether there is a scratchpad; default true. Without it the file tools have no argument `scratchpad` either. */
  readonly scratchpad?: boolean | undefined
}

export const agshOptions: OptionTable<AgshOptions> = {
  scratchpad: { about: 'Whether there is a scratchpad beside the context. Default true.', schema: boolean() },
}
