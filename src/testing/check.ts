// The few assertions that contract cases need, without a test runner, so that the cases also run in a page or a worker.

import { checkArguments } from '../core/argument.ts'

/** The rule of a case does not hold. */
export class CheckError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CheckError'
  }
}

/** Throws a `CheckError` when a rule does not hold. */
export function check(holds: boolean, rule: string): void {
  if (!holds) throw new CheckError(String(rule))
}

/** Compares by value, for bytes and for data that JSON supports. */
export function checkEqual(actual: unknown, expected: unknown, what: string): void {
  const [is, should] = [print(actual), print(expected)]
  if (is !== should) throw new CheckError(`${what}: is ${is}, should be ${should}`)
}

/** Checks that `act` fails with an error whose `code` is `code` and whose message begins with it. Returns the error. */
export async function checkFails(act: () => unknown, code: string): Promise<Error> {
  checkArguments('checkFails', [act, code], ['function', 'text'])
  let outcome: unknown
  try {
    outcome = await act()
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    if (error.code !== code) throw new CheckError(`should fail with ${code}, failed with ${String(error.code)}: ${error.message}`)
    return error
  }
  throw new CheckError(`should fail with ${code}, but gave ${print(outcome)}`)
}

function print(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) => (inner instanceof Uint8Array ? `bytes ${inner.join(' ')}` : inner)) ??
    String(value)
  )
}
