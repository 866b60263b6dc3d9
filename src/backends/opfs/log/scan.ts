// Finds every record of a segment, and the ranges between them that cannot be read. After an unreadable record it looks for the next one.

import { crc32c } from './crc32c.ts'
import { blockBytes, tableBytes } from './extent.ts'
import type { NumberedFile } from './header.ts'
import { type FoundRecord, nextMagic, readRecord } from './record.ts'
import { factsAtBytes, readRecordOfVersion1 } from './record-version1.ts'
import { FileWindow } from './window.ts'

export type Scanned = { readonly segment: NumberedFile } & (
  | { readonly is: 'record'; readonly record: FoundRecord }
  | { readonly is: 'gap'; readonly startOffset: number; readonly endOffset: number }
)

/** From `start` to the end of the file. Throws `UnknownRecord`. */
export function scanSegment(segment: NumberedFile, start: number): Scanned[] {
  const window = new FileWindow(segment.file)
  const found: Scanned[] = []
  for (let offset = start; offset < window.sizeBytes;) {
    const record = recordAt(window, segment, offset, true)
    if (record !== undefined) {
      found.push({ segment, is: 'record', record })
      offset = record.endOffset
      continue
    }
    const next = nextRecord(window, segment, offset + 1)
    found.push({ segment, is: 'gap', startOffset: offset, endOffset: next ?? window.sizeBytes })
    if (next === undefined) break
    offset = next
  }
  return found
}

function recordAt(window: FileWindow, segment: NumberedFile, offset: number, isExpected: boolean): FoundRecord | undefined {
  if (segment.version === 1) return readRecordOfVersion1(window, offset, isExpected)
  return readRecord(window, segment.number, offset)
}

function nextRecord(window: FileWindow, segment: NumberedFile, from: number): number | undefined {
  for (let offset = from; offset + factsAtBytes <= window.sizeBytes; offset++) {
    if (segment.version !== 1) {
      const candidate = nextMagic(window, offset)
      if (candidate === undefined) return undefined
      offset = candidate
    }
    if (recordAt(window, segment, offset, false) !== undefined) return offset
  }
  return undefined
}

/** Whether the content in `record` has the right checksum. */
export function isContentWhole({ file }: NumberedFile, record: FoundRecord): boolean {
  const { contentOffset, contentLength, contentChecksum, version } = record
  const window = new FileWindow(file)
  if (version === 1 || contentLength <= blockBytes) return window.checksum(contentOffset, contentLength) === contentChecksum
  const table = new Uint8Array(tableBytes(contentLength))
  file.read(table, contentOffset + contentLength)
  if (crc32c(table) !== contentChecksum) return false
  const sums = new DataView(table.buffer)
  for (let at = 0, entry = 0; at < contentLength; at += blockBytes, entry += 4) {
    const sum = window.checksum(contentOffset + at, Math.min(blockBytes, contentLength - at))
    if (sum !== sums.getUint32(entry, true)) return false
  }
  return true
}
