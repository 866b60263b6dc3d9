// The operations on files that must not change.

import { forwarded, type ReadingName, readingNames, type Synchronous } from './port.ts'

/** Only the primitives that change nothing. */
export function readingPrimitives(fs: Synchronous<ReadingName>): Synchronous<ReadingName> {
  return forwarded(readingNames, () => fs)
}
