// These errors can be sent through a Worker: everything that a caller may check is data (`code`, `details`), never the message text.

/** Plain data for structured clone: the type of `details` of an error or a result. */
export type Details = Record<string, unknown>

/**
 * Base class of every error that Anchorage throws on purpose. `code` is stable and may be checked; `details` is plain data. A bug throws a
 * plain `Error` instead, so that it is never mistaken for a condition that a caller should handle.
 */
export class AnchorageError extends Error {
  readonly code: string
  readonly details: Details

  constructor(code: string, message: string, { details = {}, cause }: { details?: Details; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'AnchorageError'
    this.code = code
    this.details = details
  }
}

/**
 * An error that the model can correct: a tool's `run` throws it, and the toolset turns it into a result with `isError: true` whose text is
 * `message` and `nextStep`. It never leaves `Toolset.call`.
 */
export class ToolError extends AnchorageError {
  /** One sentence that tells the model what to do now. */
  readonly nextStep: string | undefined

  constructor(code: string, message: string, options: { nextStep?: string; details?: Details; cause?: unknown } = {}) {
    super(code, message, options)
    this.name = 'ToolError'
    this.nextStep = options.nextStep
  }
}

/**
 * The `code` of a failed system call. Looks at the error's shape and not at its class: in a `vm` context, such as Jest's, the errors of
 * Node's modules are not instances of the context's own `Error`.
 */
export function systemErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Ends a `switch` over a tagged union, so that a new member is a type error where it matters. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}

/** A wrong argument of a function. The message names the function. */
export function wrongArgument(message: string): AnchorageError {
  return new AnchorageError('wrong-argument', message)
}

/** Throws `wrong-argument` unless the value has a member that every value of its kind has. `expected` is an example of one. */
export function checkMember(caller: string, value: unknown, member: string, expected: string): void {
  if (member in Object(value)) return
  const next = value instanceof Promise ? 'await the promise' : `pass ${expected}`
  throw wrongArgument(`${caller}: the argument has no ${member}. Next: ${next}.`)
}
