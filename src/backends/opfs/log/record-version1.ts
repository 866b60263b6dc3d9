// Records of releases before format version 2. They are read until compaction has moved their contents.
//   checksum u32 | length u32 | transaction f64 | epoch u32 | type u8 | content length u32 | content checksum u32 | facts | content
// The checksum covers everything from `length` to the end of the facts; the content has a separate checksum.

import { crc32c } from './crc32c.ts'
import { mendBit } from './mend.ts'
import { type FoundRecord, knownType, lastFlag } from './record.ts'
import type { FileWindow } from './window.ts'

const prefixBytes = 8
export const factsAtBytes: number = prefixBytes + 21
/** The size of a window. Version 1 writers had no limit. */
const maxFactsBytes = 1024 * 1024 - 1024
/** No store has had this many. A damaged number is usually above it, or not an integer. */
const maxTransaction = 2 ** 48

/**
 * The record at `offset`, or `undefined` if there is none. Does not read its content. `isExpected`: a record should begin there, so one
 * flipped bit may be repaired. Throws `UnknownRecord`.
 */
export function readRecordOfVersion1(window: FileWindow, offset: number, isExpected: boolean): FoundRecord | undefined {
  const leftBytes = window.sizeBytes - offset
  if (leftBytes < factsAtBytes) return undefined
  const head = window.read(offset, factsAtBytes)
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const [checksum, lengthBytes, contentLength] = [view.getUint32(0, true), view.getUint32(4, true), view.getUint32(21, true)]
  const transaction = view.getFloat64(8, true)
  if (!Number.isSafeInteger(transaction) || transaction < 0 || transaction > maxTransaction) return undefined
  // Check sizes before checksums: a damaged length must not make us read the rest of the file for every record.
  if (lengthBytes < factsAtBytes - prefixBytes || prefixBytes + lengthBytes > leftBytes) return undefined
  const factsBytes = prefixBytes + lengthBytes - contentLength - factsAtBytes
  if (factsBytes < 0 || factsBytes > maxFactsBytes) return undefined
  const rest = window.read(offset, factsAtBytes + factsBytes).slice(4)
  const whole = crc32c(rest) === checksum ? rest : isExpected ? mendBit(rest, checksum) : undefined
  if (whole === undefined) return undefined
  const mended = new DataView(whole.buffer, whole.byteOffset, whole.byteLength)
  // A repaired length would have a different checksum.
  if (mended.getUint32(0, true) !== lengthBytes || mended.getUint32(17, true) !== contentLength) return undefined
  const rawType = mended.getUint8(16)
  const contentOffset = offset + factsAtBytes + factsBytes
  return {
    version: 1,
    transaction: mended.getFloat64(4, true),
    flushed: 0,
    epoch: mended.getUint32(12, true),
    type: knownType(rawType & ~lastFlag),
    index: 0,
    isLast: (rawType & lastFlag) !== 0,
    facts: whole.slice(factsAtBytes - 4),
    startOffset: offset,
    contentOffset,
    contentLength,
    contentChecksum: mended.getUint32(21, true),
    endOffset: offset + prefixBytes + lengthBytes,
    isMended: whole !== rest,
  }
}
