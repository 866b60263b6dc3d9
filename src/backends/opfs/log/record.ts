// How a record lies in a segment:
//   checksum u32 | length u32 | transaction f64 | epoch u32 | type u8 | content length u32 | content checksum u32 | facts | content
// The checksum is over everything from `length` to the end of the facts; the content has its own, so it is summed once. The last record
// of a transaction says so in its type: without it the others never happened.

import type { ByteWriter } from './bytes.ts'
import { crc32c } from './crc32c.ts'
import type { FileWindow } from './window.ts'

export const recordTypes = {
  file: 1,
  storedFile: 2,
  directory: 3,
  symlink: 4,
  link: 5,
  drop: 6,
  move: 7,
  /** A content that compaction brought here. It is no part of a transaction. */
  copy: 8,
} as const

export type RecordType = (typeof recordTypes)[keyof typeof recordTypes]

const lastFlag = 0x80
const prefixBytes = 8
const factsAtBytes: number = prefixBytes + 21
/** Facts are a path or two, a link's target and some numbers. */
const maxFactsBytes = 64 * 1024

export interface RecordHead {
  readonly transaction: number
  /** How often the store was opened before: tells what is left of an earlier life from what follows. */
  readonly epoch: number
  readonly type: RecordType
  readonly isLast: boolean
}

/** Gives the offset of `content` in `writer`. */
export function writeRecord(
  writer: ByteWriter,
  head: RecordHead,
  facts: (writer: ByteWriter) => void,
  content: { readonly bytes: Uint8Array; readonly checksum: number } | undefined,
): number {
  const start = writer.length
  writer.uint32(0)
  writer.uint32(0)
  writer.float64(head.transaction)
  writer.uint32(head.epoch)
  writer.uint8(head.isLast ? head.type | lastFlag : head.type)
  writer.uint32(content?.bytes.length ?? 0)
  writer.uint32(content?.checksum ?? 0)
  facts(writer)
  const contentAt = writer.length
  writer.setUint32(start + 4, contentAt - start - prefixBytes + (content?.bytes.length ?? 0))
  writer.setUint32(start, crc32c(writer.written, start + 4, contentAt))
  if (content !== undefined) writer.raw(content.bytes)
  return contentAt
}

export interface FoundRecord extends RecordHead {
  readonly facts: Uint8Array
  readonly contentOffset: number
  readonly contentLength: number
  readonly contentChecksum: number
  readonly endOffset: number
}

/** The record at `offset`, or `undefined` where there is no whole one. Its facts stay valid until the window is read again. */
export function readRecord(window: FileWindow, offset: number): FoundRecord | undefined {
  const leftBytes = window.sizeBytes - offset
  if (leftBytes < factsAtBytes) return undefined
  const head = window.read(offset, factsAtBytes)
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const [checksum, lengthBytes, contentLength] = [view.getUint32(0, true), view.getUint32(4, true), view.getUint32(21, true)]
  // Sizes before checksums: a damaged length must not make us read the rest of the file for every record.
  if (lengthBytes < factsAtBytes - prefixBytes || prefixBytes + lengthBytes > leftBytes) return undefined
  const factsBytes = prefixBytes + lengthBytes - contentLength - factsAtBytes
  if (factsBytes < 0 || factsBytes > maxFactsBytes) return undefined
  const [transaction, epoch, rawType] = [view.getFloat64(8, true), view.getUint32(16, true), view.getUint8(20)]
  const contentChecksum = view.getUint32(25, true)
  const whole = window.read(offset, factsAtBytes + factsBytes)
  if (crc32c(whole, 4) !== checksum) return undefined
  const contentOffset = offset + factsAtBytes + factsBytes
  if (window.checksum(contentOffset, contentLength) !== contentChecksum) return undefined
  const type = knownType(rawType & ~lastFlag)
  if (type === undefined) return undefined
  return {
    transaction,
    epoch,
    type,
    isLast: (rawType & lastFlag) !== 0,
    // The checksum of the content may have moved the window.
    facts: window.read(offset, factsAtBytes + factsBytes).slice(factsAtBytes),
    contentOffset,
    contentLength,
    contentChecksum,
    endOffset: offset + prefixBytes + lengthBytes,
  }
}

function knownType(value: number): RecordType | undefined {
  return Object.values(recordTypes).find(type => type === value)
}
