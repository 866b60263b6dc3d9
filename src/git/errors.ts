// How a failing git command ends: an exit code and lines for stderr, in git's words.

/** Ends the command with this exit code. `message` is written to stderr with a line feed; '' writes nothing. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure'
  readonly exitCode: number

  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}

/** `fatal: …`, exit code 128. */
export function fatal(message: string, exitCode: number = 128): GitFailure {
  return new GitFailure(`fatal: ${message}`, exitCode)
}

/** `error: …`, exit code 1. */
export function failure(message: string, exitCode: number = 1): GitFailure {
  return new GitFailure(`error: ${message}`, exitCode)
}

/** For features of git that are not built here. Refuses as git refuses an unknown option, with the reason. */
export function notBuilt(what: string): GitFailure {
  return new GitFailure(`error: ${what} is not built into this git`, 129)
}
