// A zip archive with entries put in, replaced or taken out. The bytes of every other entry, the comment and what stands in front of the
// archive stay as they are; only the places in the table change.

import { deflateSync, type DeflateOptions } from 'fflate'

import { joinBytes } from '../../core/bytes.ts'
import { crc32 } from '../crc32.ts'
import { damaged, unsupported } from '../error.ts'
import { endBytes, endSignature, entryBytes, entrySignature, localBytes, localSignature, type ZipDirectory } from './directory.ts'

export interface NewZipEntry {
  readonly name: string
  readonly content: Uint8Array
  readonly mtimeMs: number
  /** Permission bits. */
  readonly mode: number
  /** A symlink has its target as its content. The name of a directory ends in `/`. Default `file`. */
  readonly kind?: 'file' | 'directory' | 'symlink'
  /** From 0, only stored, to 9. Default 6. */
  readonly level?: DeflateOptions['level']
  /** The content deflated by the caller, which may do so in parts. */
  readonly deflated?: Uint8Array
  /** The checksum of the content, for the same reason. */
  readonly checksum?: number
}

/** What happens to the entries of a directory, by their index. */
export interface ZipChanges {
  /** `undefined` takes the entry out. What replaces it has its place. */
  readonly replaced: ReadonlyMap<number, NewZipEntry | undefined>
  readonly added: readonly NewZipEntry[]
}

/** Of an archive that is to be made. */
export const emptyZip: ZipDirectory = { entries: [], start: 0, isZip64: false, comment: new Uint8Array() }

/** Of the format without its 64-bit extension, whose largest numbers stand for "see the extension". */
const maxArchiveBytes = 2 ** 32 - 2
const maxEntries = 65_534
const unix = 3
const utf8Flag = 0x800
const typeBits = { file: 0o100000, directory: 0o040000, symlink: 0o120000 }
const versionNeeded = 20
const folderOfWindows = 16
/** The format's times have a place for every other second, from 1980. */
const [firstTimeMs, lastTimeMs] = [Date.UTC(1980, 0, 2), Date.UTC(2099, 11, 30)]

/** Throws `CodecError` where that cannot be done without guessing: entries that lie over each other, 64-bit archives. */
export function rewriteZip(archive: Uint8Array, directory: ZipDirectory, { replaced, added }: ZipChanges): Uint8Array {
  if (directory.isZip64) throw unsupported('it is a zip64 archive, which can be read and not changed')
  const { entries, start } = directory
  const order = entries.map((entry, index) => ({ entry, index })).sort((a, b) => a.entry.headerOffset - b.entry.headerOffset)
  let offset = order[0]?.entry.headerOffset ?? start
  // What stands in front of the first entry, such as a program that unpacks itself.
  const pieces: Uint8Array[] = [archive.subarray(0, offset)]
  const records = new Map<number, Uint8Array>()
  const put = (index: number, piece: Uint8Array, record: Uint8Array): void => {
    pieces.push(piece)
    records.set(index, record)
    offset += piece.length
  }
  const encode = (index: number, entry: NewZipEntry): void => {
    const { local, record } = encodeEntry(entry, offset)
    put(index, local, record)
  }
  for (const [position, { entry, index }] of order.entries()) {
    // What belongs to an entry goes from its header to the next one's, so a descriptor behind its content is part of it.
    const end = order[position + 1]?.entry.headerOffset ?? start
    if (end < entry.headerOffset + localBytes + entry.packedBytes)
      throw damaged(`${JSON.stringify(entry.name)} overlaps another entry`)
    const replacement = replaced.get(index)
    if (replacement !== undefined) encode(index, replacement)
    else if (!replaced.has(index)) put(index, archive.subarray(entry.headerOffset, end), movedRecord(entry.record, offset))
  }
  for (const [position, entry] of added.entries()) encode(entries.length + position, entry)
  const inOrder = [...records].sort(([a], [b]) => a - b).map(([, record]) => record)
  const table = joinBytes(inOrder)
  if (offset + table.length > maxArchiveBytes || inOrder.length > maxEntries)
    throw unsupported('it would need the 64-bit extension of the format')
  return joinBytes([...pieces, table, encodeEnd(inOrder.length, table.length, offset, directory.comment)])
}

function movedRecord(record: Uint8Array, offset: number): Uint8Array {
  const moved = record.slice()
  new DataView(moved.buffer).setUint32(42, offset, true)
  return moved
}

function encodeEntry(
  { name, content, mtimeMs, mode, kind = 'file', level = 6, deflated: given, checksum = crc32(content) }: NewZipEntry,
  offset: number,
): { readonly local: Uint8Array; readonly record: Uint8Array } {
  const rawName = new TextEncoder().encode(name)
  if (rawName.length > 0xffff) throw unsupported('a name is too long')
  const deflated = given ?? (content.length === 0 || level === 0 ? content : deflateSync(content, { level }))
  const isSmaller = deflated.length < content.length
  const packed = isSmaller ? deflated : content
  const time = dosTime(mtimeMs)
  const extra = universalTime(mtimeMs)
  const shared = (view: DataView, at: number): void => {
    view.setUint16(at, versionNeeded, true)
    view.setUint16(at + 2, utf8Flag, true)
    view.setUint16(at + 4, isSmaller ? 8 : 0, true)
    view.setUint32(at + 6, time, true)
    view.setUint32(at + 10, checksum, true)
    view.setUint32(at + 14, packed.length, true)
    view.setUint32(at + 18, content.length, true)
    view.setUint16(at + 22, rawName.length, true)
    view.setUint16(at + 24, extra.length, true)
  }
  const local = new DataView(new ArrayBuffer(localBytes))
  local.setUint32(0, localSignature, true)
  shared(local, 4)
  const record = new DataView(new ArrayBuffer(entryBytes))
  record.setUint32(0, entrySignature, true)
  record.setUint16(4, (unix << 8) | versionNeeded, true)
  shared(record, 6)
  record.setUint32(38, (((typeBits[kind] | mode) << 16) | (kind === 'directory' ? folderOfWindows : 0)) >>> 0, true)
  record.setUint32(42, offset, true)
  return {
    local: joinBytes([new Uint8Array(local.buffer), rawName, extra, packed]),
    record: joinBytes([new Uint8Array(record.buffer), rawName, extra]),
  }
}

function encodeEnd(count: number, tableBytes: number, tableStart: number, comment: Uint8Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(endBytes))
  view.setUint32(0, endSignature, true)
  view.setUint16(8, count, true)
  view.setUint16(10, count, true)
  view.setUint32(12, tableBytes, true)
  view.setUint32(16, tableStart, true)
  view.setUint16(20, comment.length, true)
  return joinBytes([new Uint8Array(view.buffer), comment])
}

/** Local time, as the format has it. */
function dosTime(mtimeMs: number): number {
  const date = new Date(Math.min(Math.max(mtimeMs, firstTimeMs), lastTimeMs))
  const day = ((date.getFullYear() - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate()
  const time = (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1)
  return ((day << 16) | time) >>> 0
}

/** Info-ZIP's "extended timestamp": seconds since 1970, which the format's own time has no zone for. */
function universalTime(mtimeMs: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(9))
  view.setUint16(0, 0x5455, true)
  view.setUint16(2, 5, true)
  view.setUint8(4, 1)
  view.setInt32(5, Math.min(Math.max(Math.floor(mtimeMs / 1000), -(2 ** 31)), 2 ** 31 - 1), true)
  return new Uint8Array(view.buffer)
}
