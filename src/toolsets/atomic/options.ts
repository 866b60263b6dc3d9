// The options that atomic adds to those of every toolset.

import { array, boolean, custom, number, object, optional, picklist, strictObject, string } from 'valibot'

import type { OptionTable } from '../../core/option.ts'
import type { BashInterceptorOptions } from './bash/interceptor-options.ts'
import type { EditOptions } from './edit/settings.ts'
import type { SearchOptions } from './search/settings.ts'

/** Options of atomic, beside those of every toolset. */
export interface AtomicOptions {
  readonly edit?: EditOptions | undefined
  /** Default off. A blocked call is an error with `details.intercepted = { tool, rule }`. */
  readonly bashInterceptor?: BashInterceptorOptions | undefined
  /** Whether `bash` runs commands in the background; default true. */
  readonly async?: boolean | undefined
  readonly search?: SearchOptions | undefined
}

const isFunction = (value: unknown): boolean => typeof value === 'function'

export const atomicOptions: OptionTable<AtomicOptions> = {
  edit: {
    about: 'How edits are repaired, and where blocks end: { repairs, blocks }.',
    schema: strictObject({
      repairs: optional(boolean()),
      blocks: optional(custom(isFunction, 'edit.blocks must be a function from a path to a resolver of blocks')),
    }),
  },
  bashInterceptor: {
    about: 'Sends a command that a tool does better to that tool: { enabled, rules, scope, handler }. Default off.',
    schema: strictObject({
      enabled: boolean(),
      rules: optional(
        array(
          strictObject({
            pattern: string(),
            tool: string(),
            message: optional(string()),
            against: optional(picklist(['script', 'each-command'])),
          }),
        ),
      ),
      scope: optional(picklist(['first', 'anywhere'])),
      handler: optional(custom(isFunction, 'bashInterceptor.handler must be a function')),
    }),
  },
  async: { about: 'Whether bash runs commands in the background. Default true.', schema: boolean() },
  search: {
    about: 'Context rows and order of results: { contextBefore, contextAfter, rank }.',
    schema: object({
      contextBefore: optional(number()),
      contextAfter: optional(number()),
      rank: optional(picklist(['path', 'recent'])),
    }),
  },
}
