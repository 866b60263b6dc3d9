// What may be done with files that are not to change.

import { callPrimitive, mapPrimitives, type ReadingName, readingNames, type Synchronous } from './port.ts'

/** The primitives that change nothing, and nothing else at all. */
export function readingPrimitives(fs: Synchronous<ReadingName>): Synchronous<ReadingName> {
  return mapPrimitives(readingNames, (name, args) => callPrimitive(fs, name, args))
}
