// The operations on files that must not change.

import { callPrimitive, mapPrimitives, type ReadingName, readingNames, type Synchronous } from './port.ts'

/** Only the primitives that change nothing. */
export function readingPrimitives(fs: Synchronous<ReadingName>): Synchronous<ReadingName> {
  return mapPrimitives(readingNames, (name, args) => callPrimitive(fs, name, args))
}
