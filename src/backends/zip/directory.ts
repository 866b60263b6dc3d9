// The table at the end of an archive that says what it holds. It is read before anything is unpacked: only it knows links and
// permission bits, and what is written in front of an entry may say otherwise. Source: PKWARE APPNOTE 6.3.10, 4.3 and 4.4.

import { damagedZip, maxEntries, unsupportedZip } from './limits.ts'
import { decodeName } from './names.ts'

export interface ZipEntry {
  /** Made by a program for Windows, where 'c:' is a drive. */
  readonly isWindows: boolean
  /** When it was last changed. */
  readonly mtimeMs: number
  readonly name: string
  readonly kind: 'file' | 'directory' | 'symlink'
  /** Permission bits, if the archive was made by a system that has them. */
  readonly mode: number | undefined
  readonly isCompressed: boolean
  readonly checksum: number
  readonly packedBytes: number
  readonly sizeBytes: number
  /** Where its bytes lie in the archive. */
  readonly offset: number
}

const endSignature = 0x06054b50
const end64LocatorSignature = 0x07064b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50
const [endBytes, entryBytes, localBytes] = [22, 46, 30]
const maxCommentBytes = 0xffff
/** Systems that number their permission bits as POSIX does: Unix, and macOS. */
const unixLike: readonly number[] = [3, 19]
/** MS-DOS and NTFS, whose archives may have names with their own separator. */
const windowsLike: readonly number[] = [0, 10, 11]

/** Throws `AnchorageError` `zip-damaged` or `zip-unsupported`. */
export function readDirectory(archive: Uint8Array): readonly ZipEntry[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength)
  const endAt = findEnd(view)
  const [disk, directoryDisk, countHere, count] = [4, 6, 8, 10].map(at => view.getUint16(endAt + at, true))
  if (endAt >= 20 && view.getUint32(endAt - 20, true) === end64LocatorSignature) throw unsupportedZip('it is a zip64 archive')
  if (count === undefined || count === 0xffff) throw unsupportedZip('it is a zip64 archive')
  if (disk !== 0 || directoryDisk !== 0 || countHere !== count) throw unsupportedZip('it is one of several parts')
  if (count > maxEntries) throw unsupportedZip(`it holds more than ${maxEntries} entries`)
  const [sizeBytes, start] = [view.getUint32(endAt + 12, true), view.getUint32(endAt + 16, true)]
  if (start + sizeBytes > endAt) throw damagedZip('its table lies beyond its end')
  const entries: ZipEntry[] = []
  let at = start
  for (let index = 0; index < count; index++) {
    if (at + entryBytes > endAt || view.getUint32(at, true) !== entrySignature) throw damagedZip('its table is cut off')
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map(field => view.getUint16(at + field, true))
    const end = at + entryBytes + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0)
    if (end > endAt) throw damagedZip('its table is cut off')
    entries.push(readEntry(archive, view, at, nameBytes ?? 0, start))
    at = end
  }
  if (at !== start + sizeBytes) throw damagedZip('its table is not as long as it says')
  return entries
}

/** The record at the end has a comment behind it that may be anything, so it is looked for from the back. */
function findEnd(view: DataView): number {
  const first = Math.max(0, view.byteLength - endBytes - maxCommentBytes)
  for (let at = view.byteLength - endBytes; at >= first; at--) {
    if (view.getUint32(at, true) === endSignature && at + endBytes + view.getUint16(at + 20, true) === view.byteLength) return at
  }
  throw damagedZip('it does not end as a zip archive does')
}

function readEntry(archive: Uint8Array, view: DataView, at: number, nameBytes: number, directoryStart: number): ZipEntry {
  const [system, flags, method] = [view.getUint8(at + 5), view.getUint16(at + 8, true), view.getUint16(at + 10, true)]
  const [checksum = 0, packedBytes = 0, sizeBytes = 0] = [16, 20, 24].map(field => view.getUint32(at + field, true))
  const rawName = decodeName(archive.subarray(at + entryBytes, at + entryBytes + nameBytes), (flags & 0x800) !== 0)
  const name = windowsLike.includes(system) && !rawName.includes('/') ? rawName.replaceAll('\\', '/') : rawName
  const localAt = view.getUint32(at + 42, true)
  if ((flags & 0x41) !== 0) throw unsupportedZip(`${JSON.stringify(name)} in it is encrypted`)
  if ([packedBytes, sizeBytes, localAt].includes(0xffffffff)) throw unsupportedZip('it is a zip64 archive')
  if (method !== 0 && method !== 8) throw unsupportedZip(`${JSON.stringify(name)} in it is compressed by method ${method}`)
  if (method === 0 && packedBytes !== sizeBytes) throw damagedZip(`${JSON.stringify(name)} has two sizes`)
  if (localAt + localBytes > directoryStart || view.getUint32(localAt, true) !== localSignature) {
    throw damagedZip(`${JSON.stringify(name)} is not where it should be`)
  }
  const offset = localAt + localBytes + view.getUint16(localAt + 26, true) + view.getUint16(localAt + 28, true)
  if (offset + packedBytes > directoryStart) throw damagedZip(`${JSON.stringify(name)} is cut off`)
  const external = view.getUint32(at + 38, true)
  const unixMode = unixLike.includes(system) && external >>> 16 !== 0 ? external >>> 16 : undefined
  return {
    name,
    isWindows: windowsLike.includes(system),
    mtimeMs: timeOf(view, at, nameBytes),
    kind: kindOf(name, unixMode),
    mode: unixMode === undefined ? undefined : unixMode & 0o777,
    isCompressed: method === 8,
    checksum,
    packedBytes,
    sizeBytes,
    offset,
  }
}

/** Info-ZIP's "extended timestamp" has seconds since 1970. The format's own time has no zone and is taken for local time. */
function timeOf(view: DataView, at: number, nameBytes: number): number {
  const start = at + entryBytes + nameBytes
  const end = start + view.getUint16(at + 30, true)
  for (let field = start; field + 4 <= end; field += 4 + view.getUint16(field + 2, true)) {
    const sizeBytes = view.getUint16(field + 2, true)
    const hasTime = view.getUint16(field, true) === 0x5455 && sizeBytes >= 5 && field + 4 + sizeBytes <= end
    if (hasTime && (view.getUint8(field + 4) & 1) !== 0) return view.getInt32(field + 5, true) * 1000
  }
  const [time, date] = [view.getUint16(at + 12, true), view.getUint16(at + 14, true)]
  const [year, month, day] = [1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31]
  return new Date(year, month, day, time >> 11, (time >> 5) & 63, (time & 31) * 2).getTime()
}

function kindOf(name: string, unixMode: number | undefined): ZipEntry['kind'] {
  const type = (unixMode ?? 0) & 0o170000
  if (name.endsWith('/')) return 'directory'
  if (type === 0o120000) return 'symlink'
  if (type !== 0 && type !== 0o100000) throw unsupportedZip(`${JSON.stringify(name)} in it is no file, directory or symlink`)
  return 'file'
}
