/** Ends an awk program with a message: a syntax error, or an operation that is invalid or unsupported. */
export class AwkError extends Error {
  override readonly name = 'AwkError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = 2) {
    super(message)
    this.exitCode = exitCode
  }
}
