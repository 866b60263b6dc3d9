// Offers the primitives of a synchronous backend as promises too. Both run the same code, so they cannot differ.

import type { VfsSync } from './backend.ts'
import { callPrimitive, mapWaiting, primitiveNames, type Waiting } from './port.ts'

/** The primitives, each returning a promise. */
export function asynchronous(sync: VfsSync): Waiting {
  return mapWaiting(primitiveNames, async (name, args) => callPrimitive(sync, name, args))
}
