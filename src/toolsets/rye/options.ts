// The options that rye adds to those of every toolset.

import { optional, strictObject } from 'valibot'

import type { OptionTable } from '../../core/option.ts'
import { driftSchema, type Drift } from '../../session/drift-option.ts'

/** How rye judges edits. */
export interface RyeEditOptions {
  /** The treatment of an edit of a file that changed since it was read. Default `refuse`. */
  readonly drift?: Drift | undefined
}

/** Options of rye, beside those of every toolset. */
export interface RyeOptions {
  readonly edit?: RyeEditOptions | undefined
}

export const ryeOptions: OptionTable<RyeOptions> = {
  edit: {
    about: 'Whether edits of a changed file are merged: { drift }.',
    schema: strictObject({ drift: optional(driftSchema) }),
  },
}
