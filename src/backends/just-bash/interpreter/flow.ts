// Errors and flows that end the surrounding commands.

import type { Arithmetic } from './arithmetic-parser.ts'

/** An error with a message for the user. The command fails with `status`. */
export type Reach = 'command' | 'line' | 'text' | 'shell'

export class ShellError extends Error {
  override readonly name = 'ShellError'
  readonly status: number
  /**
   * The extent of the error. `command`: only the command ends. `line`: the rest of the line is skipped, as after a division by
   * zero in an expansion. `text`: the same for a line of a script file, but `eval`, `source` and `bash -c` end, as for a wrong number
   * that is assigned. `shell`: a shell that is not interactive ends, as for an unset parameter under `set -u`.
   */
  readonly reach: Reach
  /** Whether the message has been printed. */
  isReported = false

  constructor(message: string, status = 1, reach: Reach = 'line') {
    super(message)
    this.status = status
    this.reach = reach
  }

  get isBeyondLine(): boolean {
    return this.reach === 'text' || this.reach === 'shell'
  }
}

/** An expression that cannot be parsed or evaluated. It ends a builtin. */
export class ArithmeticError extends ShellError {
  /** The expressions before the error, which are evaluated nevertheless, as in `a=1, b=`. */
  before: readonly Arithmetic[] = []
}

/** An assignment that a variable does not take. */
export class AssignmentError extends ShellError {}

/** An assignment that nothing can take: through such a reference, or before the first element. An arithmetic expression goes on. */
export class SkippedAssignment extends AssignmentError {}

export class ReadonlyError extends AssignmentError {
  constructor(variable: string) {
    super(`${variable}: readonly variable`)
  }
}

/** `break`, `continue`, `return` and `exit`. They carry no message. */
export abstract class Flow extends Error {
  abstract readonly status: number
}

export class LoopFlow extends Flow {
  readonly kind: 'break' | 'continue'
  readonly levels: number
  /** The exit code of the loop. */
  readonly status: number

  constructor(kind: 'break' | 'continue', levels: number, status = 0) {
    super()
    this.status = status
    this.kind = kind
    this.levels = levels
  }
}

export class ReturnFlow extends Flow {
  readonly status: number

  constructor(status: number) {
    super()
    this.status = status
  }
}

export class ExitFlow extends Flow {
  readonly status: number
  /**
   * The redirections that remain in effect for the exit trap, as in bash: all of them after `exit` in a function, none after a
   * failure in a function, and otherwise those of commands outside a text (`bash -c`, `eval`, `source`, `$( )`).
   */
  readonly keeps: 'all' | 'none' | 'outside texts'

  /** Whether a failure under `set -e` caused it, not `exit`. */
  readonly isOfFailure: boolean

  constructor(status: number, keeps: ExitFlow['keeps'] = 'outside texts', isOfFailure = false) {
    super()
    this.status = status
    this.keeps = keeps
    this.isOfFailure = isOfFailure
  }
}

/** The process was ended by a signal, or the whole run has ended. */
export class Killed extends Flow {
  readonly status: number

  constructor(status: number) {
    super()
    this.status = status
  }
}
