/** What ends an awk program with a message: a program that cannot be read, or something that it cannot do. */
export class AwkError extends Error {
  override readonly name = 'AwkError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = 2) {
    super(message)
    this.exitCode = exitCode
  }
}
