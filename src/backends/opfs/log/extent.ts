// How a content is stored in a file: its bytes, and after a large one a table with the checksum of each of its blocks, so that a part can
// be read and verified alone.
//   bytes | checksum u32 of each 64 KiB, if there are more than 64 KiB
// A reference to a content holds its length and one checksum: of the bytes, or of the table if there is one.

import { crc32c } from './crc32c.ts'

export const blockBytes: number = 64 * 1024

export interface Summed {
  readonly checksum: number
  readonly table: Uint8Array | undefined
}

/** The space that a content of `length` bytes takes, in bytes. */
export function storedBytes(length: number): number {
  return length + tableBytes(length)
}

export function tableBytes(length: number): number {
  return length > blockBytes ? 4 * Math.ceil(length / blockBytes) : 0
}

export function summed(bytes: Uint8Array): Summed {
  if (bytes.length <= blockBytes) return { checksum: crc32c(bytes), table: undefined }
  const table = new Uint8Array(tableBytes(bytes.length))
  const view = new DataView(table.buffer)
  for (let at = 0, entry = 0; at < bytes.length; at += blockBytes, entry += 4)
    view.setUint32(entry, crc32c(bytes, at, Math.min(at + blockBytes, bytes.length)), true)
  return { checksum: crc32c(table), table }
}

/** The number of the first of `blocks` whose checksum is wrong; `undefined` if there is none. `blocks` start with block `first`. */
export function firstDamagedBlock(blocks: Uint8Array, first: number, table: Uint8Array): number | undefined {
  const view = new DataView(table.buffer, table.byteOffset, table.length)
  for (let at = 0, block = first; at < blocks.length; at += blockBytes, block++) {
    const sum = crc32c(blocks, at, Math.min(at + blockBytes, blocks.length))
    if (sum !== view.getUint32(block * 4, true)) return block
  }
  return undefined
}
