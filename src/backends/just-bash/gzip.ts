// gzip compression of whole buffers, for platforms without node:zlib.

import { Gunzip, gzipSync as compress } from 'fflate'
import { crc32 } from '../../codec/crc32.ts'
import { joinBytes } from '../../core/bytes.ts'

/** The constants of zlib.h. */
export const constants = { Z_BEST_SPEED: 1, Z_BEST_COMPRESSION: 9, Z_DEFAULT_COMPRESSION: -1 } as const

interface Options {
  readonly level?: number
  readonly maxOutputLength?: number
}

/**
 * Decompresses all members. Throws if a member is damaged, or if the result exceeds `maxOutputLength` bytes. The checksum is
 * verified only if there is a single member.
 */
export function gunzipSync(data: Uint8Array, { maxOutputLength = Number.POSITIVE_INFINITY }: Options = {}): Uint8Array {
  if (data.length < 18 || data[0] !== 0x1f || data[1] !== 0x8b) throw new Error('incorrect header check')
  const parts: Uint8Array[] = []
  let sizeBytes = 0
  let laterMembers = 0
  const gunzip = new Gunzip(part => {
    sizeBytes += part.length
    if (sizeBytes > maxOutputLength) throw new RangeError(`Cannot create a buffer larger than ${maxOutputLength} bytes`)
    parts.push(part)
  })
  gunzip.onmember = () => {
    laterMembers += 1
  }
  gunzip.push(data, true)
  // The decoder verifies neither checksum nor length. With a single member, the trailer covers all of the output.
  if (laterMembers === 0) {
    const footer = new DataView(data.buffer, data.byteOffset + data.length - 8, 8)
    if (footer.getUint32(0, true) !== parts.reduce((sum, part) => crc32(part, sum), 0)) throw new Error('incorrect data check')
    if (footer.getUint32(4, true) !== sizeBytes % 2 ** 32) throw new Error('incorrect length check')
  }
  return joinBytes(parts, sizeBytes)
}

export function gzipSync(
  data: Uint8Array,
  { level = constants.Z_DEFAULT_COMPRESSION, maxOutputLength = Number.POSITIVE_INFINITY }: Options = {},
): Uint8Array {
  // As in zlib, no modification time is stored, so equal inputs give equal files.
  const compressed = compress(data, { level: compressionLevel(level), mtime: 0 })
  if (compressed.length > maxOutputLength) throw new RangeError(`Cannot create a buffer larger than ${maxOutputLength} bytes`)
  return compressed
}

type Level = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
const levels: readonly Level[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

function compressionLevel(level: number): Level {
  return levels[level] ?? 6
}
