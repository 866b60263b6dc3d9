// The table at the end of a zip archive that says what it holds. It is read before anything is unpacked: only it knows links and
// permission bits, and what is written in front of an entry may say otherwise. Source: PKWARE APPNOTE 6.3.10, 4.3 to 4.5.

import { readExactly, type RangeReader } from '../bytes.ts'
import { damaged, unsupported } from '../error.ts'
import { decodeName } from './names.ts'

export interface ZipEntry {
  readonly name: string
  /** Made by a program for Windows, where 'c:' is a drive. */
  readonly isWindows: boolean
  /** When it was last changed. */
  readonly mtimeMs: number
  readonly kind: 'file' | 'directory' | 'symlink' | 'other'
  /** Permission bits, if the archive was made by a system that has them. */
  readonly mode: number | undefined
  readonly isEncrypted: boolean
  /** 0 is stored, 8 is deflated. */
  readonly method: number
  readonly checksum: number
  readonly packedBytes: number
  readonly sizeBytes: number
  /** Where its own header lies in the archive. */
  readonly headerOffset: number
  /** Its row of the table, byte for byte. */
  readonly record: Uint8Array
}

export interface ZipDirectory {
  readonly entries: readonly ZipEntry[]
  /** Where the table begins. */
  readonly start: number
  /** Sizes or places have 64 bits. */
  readonly isZip64: boolean
  readonly comment: Uint8Array
}

export const endSignature = 0x06054b50
const end64Signature = 0x06064b50
const end64LocatorSignature = 0x07064b50
export const entrySignature = 0x02014b50
export const localSignature = 0x04034b50
export const endBytes = 22
export const entryBytes = 46
export const localBytes = 30
const [end64Bytes, end64LocatorBytes] = [56, 20]
const maxCommentBytes = 0xffff
/** A table is read at once. */
const maxTableBytes = 64 * 1024 * 1024
const maxEntries = 500_000
const full32 = 0xffffffff
/** Systems that number their permission bits as POSIX does: Unix, and macOS. */
const unixLike: readonly number[] = [3, 19]
/** MS-DOS and NTFS, whose archives may have names with their own separator. */
const windowsLike: readonly number[] = [0, 10, 11]

/** Throws `CodecError`. An entry that cannot be unpacked is listed like the others. */
export async function readDirectory(archive: RangeReader): Promise<ZipDirectory> {
  const tailStart = Math.max(0, archive.sizeBytes - endBytes - maxCommentBytes - end64LocatorBytes)
  const tail = await archive.read(tailStart, archive.sizeBytes)
  const view = viewOf(tail)
  const endAt = findEnd(view)
  const [disk, directoryDisk, countHere, count] = [4, 6, 8, 10].map(at => view.getUint16(endAt + at, true))
  const comment = tail.slice(endAt + endBytes)
  let place = {
    count: count ?? 0,
    sizeBytes: view.getUint32(endAt + 12, true),
    start: view.getUint32(endAt + 16, true),
    end: tailStart + endAt,
  }
  const isZip64 = endAt >= end64LocatorBytes && view.getUint32(endAt - end64LocatorBytes, true) === end64LocatorSignature
  if (isZip64) place = await readEnd64(archive, view, endAt - end64LocatorBytes)
  else if (disk !== 0 || directoryDisk !== 0 || countHere !== count) throw unsupported('it is one of several parts')
  if (place.count > maxEntries) throw unsupported(`it contains more than ${maxEntries} entries`)
  if (place.sizeBytes > maxTableBytes) throw unsupported(`its table is larger than ${maxTableBytes} bytes`)
  if (place.start + place.sizeBytes > place.end) throw damaged('its table is beyond its end')
  const table = await readExactly(archive, place.start, place.start + place.sizeBytes, 'its table')
  return { entries: readEntries(table, place), start: place.start, isZip64, comment }
}

/** The record at the end has a comment behind it that may be anything, so it is looked for from the back. */
function findEnd(view: DataView): number {
  for (let at = view.byteLength - endBytes; at >= 0; at--) {
    if (view.getUint32(at, true) === endSignature && at + endBytes + view.getUint16(at + 20, true) === view.byteLength) return at
  }
  throw damaged('it does not end as a zip archive does')
}

interface TablePlace {
  readonly count: number
  readonly sizeBytes: number
  readonly start: number
  /** Where the table must have ended. */
  readonly end: number
}

async function readEnd64(archive: RangeReader, tail: DataView, locatorAt: number): Promise<TablePlace> {
  const at = asOffset(tail.getBigUint64(locatorAt + 8, true))
  if (tail.getUint32(locatorAt + 16, true) > 1) throw unsupported('it is one of several parts')
  const view = viewOf(await readExactly(archive, at, at + end64Bytes, 'its 64-bit end'))
  if (view.getUint32(0, true) !== end64Signature) throw damaged('its 64-bit end is not where it should be')
  const [countHere, count, sizeBytes, start] = [24, 32, 40, 48].map(field => asOffset(view.getBigUint64(field, true)))
  if (view.getUint32(16, true) !== 0 || view.getUint32(20, true) !== 0 || countHere !== count)
    throw unsupported('it is one of several parts')
  return { count: count ?? 0, sizeBytes: sizeBytes ?? 0, start: start ?? 0, end: at }
}

function asOffset(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged('it names a place that no archive has')
  return Number(value)
}

function readEntries(table: Uint8Array, { count, start, sizeBytes }: TablePlace): readonly ZipEntry[] {
  const view = viewOf(table)
  const entries: ZipEntry[] = []
  let at = 0
  for (let index = 0; index < count; index++) {
    if (at + entryBytes > table.length || view.getUint32(at, true) !== entrySignature) throw damaged('its table is cut off')
    const [nameBytes = 0, extraBytes = 0, commentBytes = 0] = [28, 30, 32].map(field => view.getUint16(at + field, true))
    const end = at + entryBytes + nameBytes + extraBytes + commentBytes
    if (end > table.length) throw damaged('its table is cut off')
    const entry = readEntry(table.subarray(at, end), nameBytes, extraBytes)
    if (entry.headerOffset + localBytes > start) throw damaged(`${JSON.stringify(entry.name)} is not where it should be`)
    entries.push(entry)
    at = end
  }
  if (at !== sizeBytes) throw damaged('its table is not as long as it says')
  return entries
}

function readEntry(record: Uint8Array, nameBytes: number, extraBytes: number): ZipEntry {
  const view = viewOf(record)
  const [system, flags, method] = [view.getUint8(5), view.getUint16(8, true), view.getUint16(10, true)]
  const rawName = decodeName(record.subarray(entryBytes, entryBytes + nameBytes), (flags & 0x800) !== 0)
  const isWindows = windowsLike.includes(system)
  const name = isWindows && !rawName.includes('/') ? rawName.replaceAll('\\', '/') : rawName
  const extras = extraFields(view, entryBytes + nameBytes, entryBytes + nameBytes + extraBytes)
  const sizes = sizesOf(view, extras.get(1), name)
  if (method === 0 && sizes.packedBytes !== sizes.sizeBytes && (flags & 0x41) === 0)
    throw damaged(`${JSON.stringify(name)} has two sizes`)
  const external = view.getUint32(38, true)
  const unixMode = unixLike.includes(system) && external >>> 16 !== 0 ? external >>> 16 : undefined
  return {
    ...sizes,
    name,
    isWindows,
    mtimeMs: timeOf(view, extras.get(0x5455)),
    kind: kindOf(name, unixMode),
    mode: unixMode === undefined ? undefined : unixMode & 0o777,
    isEncrypted: (flags & 0x41) !== 0,
    method,
    checksum: view.getUint32(16, true),
    record: record.slice(),
  }
}

type Sizes = Pick<ZipEntry, 'packedBytes' | 'sizeBytes' | 'headerOffset'>

/** A number of all ones stands for the next one of the 64-bit field. */
function sizesOf(view: DataView, field: DataView | undefined, name: string): Sizes {
  let at = 0
  const read = (short: number): number => {
    if (short !== full32) return short
    if (field === undefined || at + 8 > field.byteLength) throw damaged(`${JSON.stringify(name)} has no 64-bit sizes`)
    at += 8
    return asOffset(field.getBigUint64(at - 8, true))
  }
  const sizeBytes = read(view.getUint32(24, true))
  const packedBytes = read(view.getUint32(20, true))
  return { sizeBytes, packedBytes, headerOffset: read(view.getUint32(42, true)) }
}

function extraFields(view: DataView, start: number, end: number): ReadonlyMap<number, DataView> {
  const fields = new Map<number, DataView>()
  for (let at = start; at + 4 <= end; at += 4 + view.getUint16(at + 2, true)) {
    const sizeBytes = view.getUint16(at + 2, true)
    if (at + 4 + sizeBytes > end) break
    fields.set(view.getUint16(at, true), new DataView(view.buffer, view.byteOffset + at + 4, sizeBytes))
  }
  return fields
}

/** Info-ZIP's "extended timestamp" has seconds since 1970. The format's own time has no zone and is taken for local time. */
function timeOf(view: DataView, extended: DataView | undefined): number {
  if (extended !== undefined && extended.byteLength >= 5 && (extended.getUint8(0) & 1) !== 0)
    return extended.getInt32(1, true) * 1000
  const [time, date] = [view.getUint16(12, true), view.getUint16(14, true)]
  const [year, month, day] = [1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31]
  return new Date(year, month, day, time >> 11, (time >> 5) & 63, (time & 31) * 2).getTime()
}

function kindOf(name: string, unixMode: number | undefined): ZipEntry['kind'] {
  const type = (unixMode ?? 0) & 0o170000
  if (name.endsWith('/')) return 'directory'
  if (type === 0o120000) return 'symlink'
  return type === 0 || type === 0o100000 || type === 0o040000 ? 'file' : 'other'
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
