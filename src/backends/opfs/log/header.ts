// Every file of a store begins with a header of sixteen bytes. It is flushed before anything follows, so a file with more than a header has
// a valid one, unless it is damaged or does not belong to the store.
//   magic u32 | version u16 | kind u16 | number u32 | checksum u32

import { crc32c } from './crc32c.ts'
import { mendBit } from './mend.ts'
import type { LogFile } from './storage.ts'

export const headerBytes = 16
/** The version of the files that are written. Files of all versions before it can be read. */
export const formatVersion = 4

const magic = 0x474c_4e41
const kinds = ['segment', 'checkpoint', 'side', 'reserve'] as const

/** `segment`: records. `checkpoint`: a whole tree. `side`: one large content. `reserve`: space that is kept for deletions. */
export type FileKind = (typeof kinds)[number]

/** A file of the store that is in use. */
export interface NumberedFile {
  readonly file: LogFile
  readonly kind: FileKind
  /** The version of the format. */
  readonly version: number
  /** A number is never used again while something refers to it. Segments are ordered by it. */
  readonly number: number
  /** The end of the valid data. */
  sizeBytes: number
  /** The file was discarded, so contents in it can no longer be read. */
  isGone: boolean
}

export type Header =
  | { readonly is: 'file'; readonly kind: FileKind; readonly number: number; readonly version: number }
  /** Nothing was written after the header. */
  | { readonly is: 'empty' }
  | { readonly is: 'unreadable' }
  | { readonly is: 'newer'; readonly version: number }

export function encodeHeader(kind: FileKind, number: number, version: number = formatVersion): Uint8Array {
  const bytes = new Uint8Array(headerBytes)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, magic, true)
  view.setUint16(4, version, true)
  view.setUint16(6, kinds.indexOf(kind), true)
  view.setUint32(8, number, true)
  view.setUint32(12, crc32c(bytes, 0, 12), true)
  return bytes
}

/** Tolerates one flipped bit. */
export function readHeader(file: LogFile): Header {
  const sizeBytes = file.sizeBytes()
  if (sizeBytes < headerBytes) return { is: 'empty' }
  const bytes = new Uint8Array(headerBytes)
  file.read(bytes, 0)
  const checksum = new DataView(bytes.buffer).getUint32(12, true)
  const fields = bytes.subarray(0, 12)
  const whole = crc32c(fields) === checksum ? fields : mendBit(fields, checksum)
  const header = whole === undefined ? undefined : headerIn(whole)
  if (header !== undefined) return header
  return { is: sizeBytes === headerBytes ? 'empty' : 'unreadable' }
}

function headerIn(fields: Uint8Array): Header | undefined {
  const view = new DataView(fields.buffer, fields.byteOffset, fields.length)
  if (view.getUint32(0, true) !== magic) return undefined
  const version = view.getUint16(4, true)
  const kind = kinds[view.getUint16(6, true)]
  if (version > formatVersion || (version > 0 && kind === undefined)) return { is: 'newer', version }
  return version === 0 || kind === undefined ? undefined : { is: 'file', kind, number: view.getUint32(8, true), version }
}
