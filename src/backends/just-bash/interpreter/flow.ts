// How a command leaves what runs it, other than by its status.

/** A message of the shell; the command fails with `status`. */
export class ShellError extends Error {
  override readonly name = 'ShellError'
  readonly status: number
  /**
   * How far it reaches. `command`: only the command fails. `line`: the rest of the line is not run, as after a division by zero in an
   * expansion. `shell`: a shell that is not interactive ends, as for an unset parameter under `set -u`.
   */
  readonly reach: 'command' | 'line' | 'shell'

  constructor(message: string, status = 1, reach: 'command' | 'line' | 'shell' = 'line') {
    super(message)
    this.status = status
    this.reach = reach
  }
}

/** An expression that cannot be read or computed. A builtin that meets one does not go on. */
export class ArithmeticError extends ShellError {}

/** Something was to be assigned to a readonly variable. */
export class ReadonlyError extends ShellError {
  constructor(variable: string) {
    super(`${variable}: readonly variable`)
  }
}

/** `break`, `continue`, `return` and `exit`. They carry no message, and are made often. */
export abstract class Flow extends Error {
  abstract readonly status: number
}

export class LoopFlow extends Flow {
  readonly kind: 'break' | 'continue'
  readonly levels: number
  readonly status = 0

  constructor(kind: 'break' | 'continue', levels: number) {
    super()
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

  constructor(status: number) {
    super()
    this.status = status
  }
}

/** The process was ended by a signal, or the whole run is over. */
export class Killed extends Flow {
  readonly status: number

  constructor(status: number) {
    super()
    this.status = status
  }
}
