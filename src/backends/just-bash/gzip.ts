// gzip compression of whole buffers, in parts, so that an abort takes effect in between.

import { Deflate, Gunzip, Gzip } from 'fflate'
import { crc32 } from '../../codec/crc32.ts'
import { joinBytes } from '../../core/bytes.ts'
import { encodeText } from '../../shell/byte-text.ts'
import type { Pace } from './commands/pace.ts'

/** The constants of zlib.h. */
export const constants = { Z_BEST_SPEED: 1, Z_BEST_COMPRESSION: 9, Z_DEFAULT_COMPRESSION: -1 } as const

/** What a file was before it was packed. */
export interface GzipHeader {
  readonly name: string
  readonly mtimeMs: number
}

interface Options {
  readonly level?: number
  readonly maxOutputLength?: number
}

/**
 * Decompresses all members. Throws if a member is damaged, or if the result exceeds `maxOutputLength` bytes. The checksum is
 * verified only if there is a single member.
 */
export async function gunzipInParts(
  data: Uint8Array,
  pace: Pace,
  { maxOutputLength = Number.POSITIVE_INFINITY }: Options = {},
): Promise<Uint8Array> {
  if (data.length < 18 || data[0] !== 0x1f || data[1] !== 0x8b) throw new Error('incorrect header check')
  const parts: Uint8Array[] = []
  let sizeBytes = 0
  let laterMembers = 0
  let checksum = 0
  const gunzip = new Gunzip(part => {
    sizeBytes += part.length
    if (sizeBytes > maxOutputLength) throw new RangeError(`Cannot create a buffer larger than ${maxOutputLength} bytes`)
    parts.push(part)
    checksum = crc32(part, checksum)
  })
  gunzip.onmember = () => {
    laterMembers += 1
  }
  // A part of the input gives at most a thousand times as much output.
  for (let at = 0; at < data.length; at += packedPartBytes) {
    const before = sizeBytes
    gunzip.push(data.subarray(at, at + packedPartBytes), at + packedPartBytes >= data.length)
    if (pace.isDue(packedPartBytes + sizeBytes - before)) await pace.rest()
  }
  // The decoder verifies neither checksum nor length. With a single member, the trailer covers all of the output.
  if (laterMembers === 0) {
    const footer = new DataView(data.buffer, data.byteOffset + data.length - 8, 8)
    if (footer.getUint32(0, true) !== checksum) throw new Error('incorrect data check')
    if (footer.getUint32(4, true) !== sizeBytes % 2 ** 32) throw new Error('incorrect length check')
  }
  return joinBytes(parts, sizeBytes)
}

export async function gzipInParts(
  data: Uint8Array,
  pace: Pace,
  { level = constants.Z_DEFAULT_COMPRESSION, header }: Pick<Options, 'level'> & { readonly header?: GzipHeader | undefined } = {},
): Promise<Uint8Array> {
  // As in zlib, no modification time is stored unless it is given, so equal inputs give equal files.
  const named =
    header === undefined
      ? { mtime: 0 }
      : {
          mtime: Math.max(header.mtimeMs, 0),
          filename: Array.from(encodeText(header.name), byte => String.fromCharCode(byte)).join(''),
        }
  return packInParts(data, pace, onPart => new Gzip({ level: compressionLevel(level), ...named }, onPart))
}

/** Level 0 only stores, so that `data` itself is returned. */
export async function deflateInParts(data: Uint8Array, level: number, pace: Pace): Promise<Uint8Array> {
  if (data.length === 0 || level === 0) return data
  return packInParts(data, pace, onPart => new Deflate({ level: compressionLevel(level) }, onPart))
}

async function packInParts(
  data: Uint8Array,
  pace: Pace,
  open: (onPart: (part: Uint8Array) => void) => { push(part: Uint8Array, isLast: boolean): void },
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  const packer = open(part => parts.push(part))
  for (let at = 0; at < data.length || at === 0; at += plainPartBytes) {
    packer.push(data.subarray(at, at + plainPartBytes), at + plainPartBytes >= data.length)
    if (pace.isDue(4 * plainPartBytes)) await pace.rest()
  }
  return joinBytes(parts)
}

const packedPartBytes = 16 * 1024
const plainPartBytes = 64 * 1024

type Level = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
const levels: readonly Level[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

function compressionLevel(level: number): Level {
  return levels[level] ?? 6
}
