// Suites that need something of the machine, such as an installed program. A skip has a reason in parentheses at the end of its name, and
// `npm test` prints it; a skip without one fails there.
import { describe, test } from 'vitest'

/** Registers the suite; if `whyNot` is not empty, one skipped test with that reason instead. */
export function describeUnless(whyNot: string, name: string, suite: () => void): void {
  if (whyNot === '') describe(name, suite)
  else test.skip(`${name} (${whyNot})`, () => undefined)
}

/** The reason for {@link describeUnless} if a program is missing: `program` as `installedCommand` or a look for it found it. */
export function whyNotInstalled(program: string | boolean | undefined, name: string): string {
  return program === undefined || program === false || program === '' ? `${name} is not installed` : ''
}
