// A backend that works at once offers its primitives behind promises too: the same code, so that the two cannot differ.

import type { VfsSync } from './backend.ts'
import { callPrimitive, mapWaiting, primitiveNames, type Waiting } from './port.ts'

/** The primitives, each answering or failing in a promise. */
export function asynchronous(sync: VfsSync): Waiting {
  return mapWaiting(primitiveNames, async (name, args) => callPrimitive(sync, name, args))
}
