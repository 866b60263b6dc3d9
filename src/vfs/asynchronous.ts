// Offers the primitives of a synchronous backend as promises too. Both run the same code, so they cannot differ.

import type { VfsSync } from './backend.ts'
import { primitiveNames, type Untyped, type Waiting } from './port.ts'

/** The primitives, each returning a promise. Like `forwarded`, it makes no array of arguments. */
export function asynchronous(sync: VfsSync): Waiting {
  const fs = sync as unknown as Untyped
  const made: Partial<Untyped> = Object.fromEntries(
    primitiveNames.map(name => [
      name,
      async (first: unknown, second?: unknown, third?: unknown) => fs[name](first, second, third),
    ]),
  )
  return made as Waiting
}
