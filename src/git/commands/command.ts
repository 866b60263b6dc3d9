// What a command of git is: a row of the table in commands/table.ts.

import type { GitCall } from '../call.ts'
import type { Options, OptionTable } from '../options.ts'

export interface GitCommand {
  readonly name: string
  /** One line for `git help`. */
  readonly summary: string
  readonly options: OptionTable
  /** Gives the exit code. What git would say on stderr and exit with is thrown as a `GitFailure`. */
  run(call: GitCall, options: Options, args: readonly string[]): Promise<number>
  /** The command parses its arguments by itself: `rev-parse`. */
  readonly isRaw?: boolean
}
