// Options of a host as a table with their purpose and accepted values, which is used for validation and for the reference.

import { safeParse, type GenericSchema } from 'valibot'

import { AnchorageError, wrongArgument } from './errors.ts'
import { describeIssue } from './schema.ts'

export interface OptionRow {
  /** One sentence for people. */
  readonly about: string
  readonly schema: GenericSchema
}

/** One row for each option of `Options`. */
export type OptionTable<Options extends object> = { readonly [Name in keyof Required<Options>]: OptionRow }

/** Throws `AnchorageError` `toolset-options` for an option without a row and for a value that its row does not accept. */
export function checkOptions(options: object, rows: Readonly<Record<string, OptionRow>>, owner: string): void {
  if (Object(options) !== options) throw wrongArgument(`${owner}: options must be an object.`)
  for (const [name, value] of Object.entries(options)) {
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined
    if (row === undefined) {
      const known = Object.keys(rows).join(', ')
      throw new AnchorageError('toolset-options', `Unknown option ${JSON.stringify(name)} of ${owner}. Options: ${known}.`)
    }
    if (value === undefined) continue
    const parsed = safeParse(row.schema, value)
    if (!parsed.success) {
      const issues = parsed.issues.map(issue => describeIssue(issue)).join('; ')
      throw new AnchorageError('toolset-options', `Invalid value of the option ${JSON.stringify(name)} of ${owner}: ${issues}.`)
    }
  }
}
