// A command of git: a row of the table in commands/table.ts.

import type { GitCall } from '../call.ts'
import type { Options, OptionTable } from '../options.ts'

export interface GitCommand {
  readonly name: string
  /** One line for `git help`. */
  readonly summary: string
  readonly options: OptionTable
  /** Returns the exit code. Errors for stderr, with their exit code, are thrown as a `GitFailure`. */
  run(call: GitCall, options: Options, args: readonly string[]): Promise<number>
  /** The command parses its arguments itself, as `rev-parse` does. */
  readonly isRaw?: boolean
}
