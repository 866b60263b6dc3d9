// The listing of unzip -Z: a line for each member, as zipinfo prints it.

import { abbreviated, monthNames } from '../../../../core/calendar.ts'
import type { ZipEntry } from '../../../../codec/zip/directory.ts'
import { permissions } from '../program.ts'

/** Members that were made on a system without permission bits cannot be shown. */
export function hasUnixModes(entries: readonly ZipEntry[]): boolean {
  return entries.every(({ record }) => record[5] === 3)
}

/** With all members, also the title and the totals. */
export function zipInfo(archive: string, archiveBytes: number, entries: readonly ZipEntry[], hasTotals: boolean): string {
  const lines = entries.map(infoLine).join('')
  if (!hasTotals) return lines
  const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0)
  const [size, packed] = [sum(entries.map(({ sizeBytes }) => sizeBytes)), sum(entries.map(({ packedBytes }) => packedBytes))]
  const title = `Archive:  ${archive}\nZip file size: ${archiveBytes} bytes, number of entries: ${entries.length}\n`
  const count = `${entries.length} file${entries.length === 1 ? '' : 's'}`
  return `${title}${lines}${count}, ${size} bytes uncompressed, ${packed} bytes compressed:  ${percent(size, packed)}%\n`
}

function percent(sizeBytes: number, packedBytes: number): string {
  return (sizeBytes === 0 ? 0 : (1 - packedBytes / sizeBytes) * 100).toFixed(1)
}

function infoLine({ name, kind, mode, mtimeMs, method, sizeBytes, isEncrypted, record }: ZipEntry): string {
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength)
  const [flags, extraBytes, attributes] = [view.getUint16(8, true), view.getUint16(30, true), view.getUint16(36, true)]
  const letter = kind === 'directory' ? 'd' : kind === 'symlink' ? 'l' : kind === 'file' ? '-' : '?'
  const version = `${Math.floor((record[4] ?? 0) / 10)}.${(record[4] ?? 0) % 10}`
  const content = (attributes & 1) === 1 ? 't' : 'b'
  // Whether sizes stand behind the content, and whether the member has further fields.
  const extension = (flags & 8) !== 0 ? (extraBytes > 0 ? 'X' : 'l') : extraBytes > 0 ? 'x' : '-'
  const how =
    method === 0 ? 'stor' : method === 8 ? `def${'NXFS'.charAt((flags >> 1) & 3)}` : `u${String(method).padStart(3, '0')}`
  const time = new Date(mtimeMs)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${two(time.getUTCFullYear() % 100)}-${abbreviated(monthNames, time.getUTCMonth())}-${two(time.getUTCDate())}`
  const kindLetters = (isEncrypted ? content.toUpperCase() : content) + extension
  const clock = `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`
  return `${letter}${permissions(mode ?? 0)}  ${version} unx ${String(sizeBytes).padStart(8)} ${kindLetters} ${how} ${day} ${clock} ${name}\n`
}
