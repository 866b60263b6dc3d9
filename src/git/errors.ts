// How a command of git ends when it does not succeed: an exit code and the lines for stderr, in git's words.

/** Ends the command with this exit code. `message` is written to stderr as it is, with a line feed behind it; '' writes nothing. */
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

/** What git can do and this one cannot. It refuses as git refuses an unknown option, and says why. */
export function notBuilt(what: string): GitFailure {
  return new GitFailure(`error: ${what} is not built into this git`, 129)
}
