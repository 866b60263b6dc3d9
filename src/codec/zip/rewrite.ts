// A zip archive with one entry put in, replaced or taken out. The bytes of every other entry, the comment and what stands in front of the
// archive stay as they are; only the places in the table change.

import { deflateSync } from 'fflate'

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
}

/** Of the format without its 64-bit extension, whose largest numbers stand for "see the extension". */
const maxArchiveBytes = 2 ** 32 - 2
const maxEntries = 65_534
const unix = 3
const utf8Flag = 0x800
const regularFile = 0o100000
const versionNeeded = 20
/** The format's times have a place for every other second, from 1980. */
const [firstTimeMs, lastTimeMs] = [Date.UTC(1980, 0, 2), Date.UTC(2099, 11, 30)]

/**
 * `removed` are entries of `directory` that go; `added` comes at the end. Throws `CodecError` where that cannot be done without guessing:
 * entries that lie over each other, 64-bit archives.
 */
export function rewriteZip(
  archive: Uint8Array,
  directory: ZipDirectory,
  removed: ReadonlySet<number>,
  added: NewZipEntry | undefined,
): Uint8Array {
  if (directory.isZip64) throw unsupported('it is a zip64 archive, which can be read and not changed')
  const kept = keptParts(archive, directory, removed)
  const pieces = [...kept.pieces]
  const records = [...kept.records]
  let offset = kept.sizeBytes
  if (added !== undefined) {
    const { local, record } = encodeEntry(added, offset)
    pieces.push(local)
    records.push(record)
    offset += local.length
  }
  const table = joinBytes(records)
  if (offset + table.length > maxArchiveBytes || records.length > maxEntries) {
    throw unsupported('it would need the 64-bit extension of the format')
  }
  return joinBytes([...pieces, table, encodeEnd(records.length, table.length, offset, directory.comment)])
}

interface KeptParts {
  readonly pieces: readonly Uint8Array[]
  readonly records: readonly Uint8Array[]
  readonly sizeBytes: number
}

/** What belongs to an entry goes from its header to the next one's, so a descriptor behind its content is part of it. */
function keptParts(archive: Uint8Array, { entries, start }: ZipDirectory, removed: ReadonlySet<number>): KeptParts {
  const order = entries.map((entry, index) => ({ entry, index })).sort((a, b) => a.entry.headerOffset - b.entry.headerOffset)
  const places = new Map<number, number>()
  const first = order[0]?.entry.headerOffset ?? start
  // What stands in front of the first entry, such as a program that unpacks itself.
  const pieces: Uint8Array[] = [archive.subarray(0, first)]
  let sizeBytes = first
  for (const [position, { entry, index }] of order.entries()) {
    const end = order[position + 1]?.entry.headerOffset ?? start
    if (end < entry.headerOffset + localBytes + entry.packedBytes) {
      throw damaged(`${JSON.stringify(entry.name)} lies over another entry`)
    }
    if (removed.has(index)) continue
    places.set(index, sizeBytes)
    pieces.push(archive.subarray(entry.headerOffset, end))
    sizeBytes += end - entry.headerOffset
  }
  const records = entries.flatMap(({ record }, index) => {
    const place = places.get(index)
    if (place === undefined) return []
    const moved = record.slice()
    new DataView(moved.buffer).setUint32(42, place, true)
    return [moved]
  })
  return { pieces, records, sizeBytes }
}

function encodeEntry(
  { name, content, mtimeMs, mode }: NewZipEntry,
  offset: number,
): { readonly local: Uint8Array; readonly record: Uint8Array } {
  const rawName = new TextEncoder().encode(name)
  if (rawName.length > 0xffff) throw unsupported('a name is too long')
  const deflated = content.length === 0 ? content : deflateSync(content, { level: 6 })
  const isSmaller = deflated.length < content.length
  const packed = isSmaller ? deflated : content
  const time = dosTime(mtimeMs)
  const extra = universalTime(mtimeMs)
  const shared = (view: DataView, at: number): void => {
    view.setUint16(at, versionNeeded, true)
    view.setUint16(at + 2, utf8Flag, true)
    view.setUint16(at + 4, isSmaller ? 8 : 0, true)
    view.setUint32(at + 6, time, true)
    view.setUint32(at + 10, crc32(content), true)
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
  record.setUint32(38, ((regularFile | mode) << 16) >>> 0, true)
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
