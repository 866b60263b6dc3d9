// How a record is stored in a segment (see docs/store-format.md):
//   magic u32 | head checksum u32 | head | facts | content
// The head contains the checksums of the facts and the content. The head's checksum starts from the checksum of the record's position, so
// that a copy of a record elsewhere, for example inside a file's content, is never taken for a record. The type of the last record of a
// transaction is marked; without that record the transaction does not count.

import { VfsError } from '../../../vfs/error.ts'
import { ByteWriter } from './bytes.ts'
import { crc32c } from './crc32c.ts'
import { storedBytes } from './extent.ts'
import { mendBit } from './mend.ts'
import type { FileWindow } from './window.ts'

export const recordTypes = {
  file: 1,
  /** Version 1 only. */
  storedFile: 2,
  directory: 3,
  symlink: 4,
  link: 5,
  drop: 6,
  move: 7,
  /** Belongs to no transaction. Stores a content for later use, numbers given to other tabs, or that all earlier records are flushed. */
  note: 8,
  /** A file whose content differs in some pieces from its content before. Always the first of its transaction. Since version 3. */
  change: 9,
} as const

export type RecordType = (typeof recordTypes)[keyof typeof recordTypes]

export const lastFlag = 0x80
const magic = 0x5243_4e41
export const headBytes = 52
const headAt = 8

/** Enough for two paths, a link's target, and the pieces of a content. The writer refuses more, so longer facts are not a record. */
const maxFactsBytes = 512 * 1024

export interface RecordHead {
  readonly transaction: number
  /** Every transaction up to this one was flushed when the record was written. */
  readonly flushed: number
  /** How often the store was opened before. Distinguishes the remains of an earlier session from later records. */
  readonly epoch: number
  readonly type: RecordType
  /** Position of the record in its transaction, from 0. */
  readonly index: number
  readonly isLast: boolean
}

export interface RecordContent {
  readonly bytes: Uint8Array
  readonly checksum: number
  /** Checksums of the blocks of a large content; they follow the content. */
  readonly table: Uint8Array | undefined
}

const factsWriter = new ByteWriter()

/**
 * `fileNumber` and `baseOffset` are the position where `writer` starts. Returns the offset of `content` in `writer`. Throws `VfsError`
 * ENAMETOOLONG; then it has written nothing.
 */
export function writeRecord(
  writer: ByteWriter,
  place: { readonly fileNumber: number; readonly baseOffset: number },
  head: RecordHead,
  facts: (writer: ByteWriter) => void,
  content: RecordContent | undefined,
): number {
  factsWriter.clear()
  facts(factsWriter)
  const factsBytes = factsWriter.written
  if (factsBytes.length > maxFactsBytes) throw tooLong()
  const start = writer.length
  writer.uint32(magic)
  writer.uint32(0)
  writer.uint32(factsBytes.length)
  writer.uint32(content?.bytes.length ?? 0)
  writer.float64(head.transaction)
  writer.float64(head.flushed)
  writer.uint32(head.epoch)
  writer.uint32(head.index)
  writer.uint32(content?.checksum ?? 0)
  writer.uint32(crc32c(factsBytes))
  writer.uint32(head.isLast ? head.type | lastFlag : head.type)
  const seed = placeChecksum(place.fileNumber, place.baseOffset + start)
  writer.setUint32(start + 4, crc32c(writer.written, start + headAt, start + headBytes, seed))
  writer.raw(factsBytes)
  const contentAt = writer.length
  if (content !== undefined) {
    writer.raw(content.bytes)
    if (content.table !== undefined) writer.raw(content.table)
  }
  return contentAt
}

function tooLong(): VfsError {
  return new VfsError('ENAMETOOLONG', 'write', {
    hint: 'the real path is longer than the store can keep (512 KiB); use shorter names, or fewer directories inside each other',
  })
}

export interface FoundRecord extends Omit<RecordHead, 'type'> {
  readonly version: number
  readonly type: RecordType
  readonly facts: Uint8Array
  readonly startOffset: number
  readonly contentOffset: number
  readonly contentLength: number
  readonly contentChecksum: number
  readonly endOffset: number
  /** One bit was flipped back. */
  readonly isMended: boolean
}

/** A valid record of a type that this release does not know. */
export class UnknownRecord extends Error {}

/** The record at `offset`, or `undefined` if there is none. Does not read its content. Throws {@link UnknownRecord}. */
export function readRecord(window: FileWindow, fileNumber: number, offset: number): FoundRecord | undefined {
  const leftBytes = window.sizeBytes - offset
  if (leftBytes < headBytes) return undefined
  const bytes = window.read(offset, headBytes)
  const whole = checkedHead(bytes, placeChecksum(fileNumber, offset))
  if (whole === undefined) return undefined
  const { view, isMended } = whole
  const [factsLength, contentLength] = [view.getUint32(0, true), view.getUint32(4, true)]
  const factsOffset = offset + headBytes
  const contentOffset = factsOffset + factsLength
  const endOffset = contentOffset + storedBytes(contentLength)
  if (endOffset > window.sizeBytes || factsLength > maxFactsBytes) return undefined
  const factsChecksum = view.getUint32(36, true)
  const found = window.read(factsOffset, factsLength).slice()
  const facts = crc32c(found) === factsChecksum ? found : mendBit(found, factsChecksum)
  if (facts === undefined) return undefined
  const rawType = view.getUint32(40, true)
  return {
    version: 2,
    transaction: view.getFloat64(8, true),
    flushed: view.getFloat64(16, true),
    epoch: view.getUint32(24, true),
    index: view.getUint32(28, true),
    type: knownType(rawType & ~lastFlag),
    isLast: (rawType & lastFlag) !== 0,
    facts,
    startOffset: offset,
    contentOffset,
    contentLength,
    contentChecksum: view.getUint32(32, true),
    endOffset,
    isMended: isMended || facts !== found,
  }
}

/** Where the next record may begin, at or after `offset`. */
export function nextMagic(window: FileWindow, offset: number): number | undefined {
  for (let at = offset; at + headBytes <= window.sizeBytes; at++) {
    const piece = window.readSome(at, headBytes)
    const found = piece.indexOf(magic & 255)
    at += found === -1 ? piece.length - 1 : found
    if (found !== -1 && at + headBytes <= window.sizeBytes && isMagic(window.read(at, headBytes))) return at
  }
  return undefined
}

function isMagic(bytes: Uint8Array): boolean {
  return new DataView(bytes.buffer, bytes.byteOffset, headAt).getUint32(0, true) === magic
}

export function knownType(value: number): RecordType {
  const type = Object.values(recordTypes).find(known => known === value)
  if (type === undefined) throw new UnknownRecord(`a record of type ${value}`)
  return type
}

function checkedHead(bytes: Uint8Array, seed: number): { readonly view: DataView; readonly isMended: boolean } | undefined {
  const prefix = new DataView(bytes.buffer, bytes.byteOffset, headAt)
  const checksum = prefix.getUint32(4, true)
  const fields = bytes.slice(headAt, headBytes)
  // Bytes that only resemble a record must not be repaired into one: the magic number or the checksum must be right.
  const whole =
    crc32c(fields, 0, fields.length, seed) === checksum ? fields : isMagic(bytes) ? mendBit(fields, checksum, seed) : undefined
  if (whole === undefined) return undefined
  return { view: new DataView(whole.buffer, whole.byteOffset, whole.length), isMended: whole !== fields || !isMagic(bytes) }
}

const placeBytes = new Uint8Array(12)
const placeView = new DataView(placeBytes.buffer)

function placeChecksum(fileNumber: number, offset: number): number {
  placeView.setUint32(0, fileNumber, true)
  placeView.setFloat64(4, offset, true)
  return crc32c(placeBytes)
}
