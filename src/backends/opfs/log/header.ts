// Every file of a store begins with sixteen bytes that say what it is. They are flushed before anything follows, so a file with more
// than a header always has a good one, unless it is damaged or not ours.

import { crc32c } from './crc32c.ts'
import type { LogFile } from './storage.ts'

export const headerBytes = 16
export const formatVersion = 1

const magic = 0x474c_4e41
const kinds = ['segment', 'checkpoint', 'side', 'reserve'] as const

/** `segment`: records. `checkpoint`: a whole tree. `side`: one large content. `reserve`: room that is kept for deletions. */
export type FileKind = (typeof kinds)[number]

/** A file of the store in use. */
export interface NumberedFile {
  readonly file: LogFile
  readonly kind: FileKind
  /** Never used twice while something refers to it; segments follow each other in this order. */
  readonly number: number
  /** Up to here it is written and meant. */
  sizeBytes: number
  /** It was given back: what refers to it can no longer be read. */
  isGone: boolean
}

export type Header =
  | { readonly is: 'file'; readonly kind: FileKind; readonly number: number }
  /** Nothing was ever put behind it. */
  | { readonly is: 'empty' }
  | { readonly is: 'foreign' }
  | { readonly is: 'newer'; readonly version: number }

export function encodeHeader(kind: FileKind, number: number): Uint8Array {
  const bytes = new Uint8Array(headerBytes)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, magic, true)
  view.setUint16(4, formatVersion, true)
  view.setUint16(6, kinds.indexOf(kind), true)
  view.setUint32(8, number, true)
  view.setUint32(12, crc32c(bytes, 0, 12), true)
  return bytes
}

export function readHeader(file: LogFile): Header {
  const sizeBytes = file.sizeBytes()
  const bytes = new Uint8Array(headerBytes)
  file.read(bytes, 0)
  const view = new DataView(bytes.buffer)
  const kind = kinds[view.getUint16(6, true)]
  if (sizeBytes < headerBytes || view.getUint32(0, true) !== magic || view.getUint32(12, true) !== crc32c(bytes, 0, 12)) {
    return { is: sizeBytes <= headerBytes ? 'empty' : 'foreign' }
  }
  const version = view.getUint16(4, true)
  if (version !== formatVersion || kind === undefined) return { is: 'newer', version }
  return { is: 'file', kind, number: view.getUint32(8, true) }
}
