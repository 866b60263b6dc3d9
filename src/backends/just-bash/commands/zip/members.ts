// The members of a zip archive, read from its directory at the end. Sizes, sums and names come from anywhere and are believed only after they
// were checked. Source: APPNOTE 6.3.3, without its extensions for 64 bits and without encryption.

import { inflateSync } from 'fflate'
import { crc32 } from '../../../../codec/crc32.ts'
import { latin1Text } from '../../encoding.ts'
import { shownText } from '../inputs.ts'

export interface ZipMember {
  /** As written. A directory's ends in '/'. */
  readonly name: string
  readonly sizeBytes: number
  readonly modified: Date
  /** `undefined` where the archive was not made on a Unix. */
  readonly mode: number | undefined
  readonly isLink: boolean
  /** Unpacked and held against its sum. Throws for what is damaged or not understood. */
  readonly content: () => Uint8Array
}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50
const endBytes = 22
const maxCommentBytes = 65_535
/** What an archive may unpack to: a member lies in memory. */
export const maxUnpackedBytes: number = 512 * 1024 * 1024

/** Throws what is wrong with the archive. */
export function readMembers(archive: Uint8Array): readonly ZipMember[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength)
  const end = findEnd(view)
  const [count, start] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)]
  if (count === 0xffff || start === 0xffffffff)
    throw new Error('it needs the 64-bit extension of the format, which is not available here')
  const members: ZipMember[] = []
  let at = start
  let unpackedBytes = 0
  for (let index = 0; index < count; index++) {
    if (at + 46 > end || view.getUint32(at, true) !== entrySignature) throw new Error('its directory is damaged')
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map(offset => view.getUint16(at + offset, true))
    const nameAt = at + 46
    const extraAt = nameAt + (nameBytes ?? 0)
    const next = extraAt + (extraBytes ?? 0) + (commentBytes ?? 0)
    if (next > end) throw new Error('its directory is damaged')
    const name = shownText(latin1Text(archive.subarray(nameAt, extraAt)))
    const sizeBytes = view.getUint32(at + 24, true)
    unpackedBytes += sizeBytes
    if (unpackedBytes > maxUnpackedBytes) throw new Error(`it unpacks to more than ${maxUnpackedBytes} bytes`)
    const attributes = view.getUint32(at + 38, true) >>> 16
    members.push({
      name,
      sizeBytes,
      modified: unixTime(view, extraAt, extraAt + (extraBytes ?? 0)) ?? dosTime(view.getUint32(at + 12, true)),
      mode: archive[at + 5] === 3 && attributes !== 0 ? attributes & 0o777 : undefined,
      isLink: archive[at + 5] === 3 && (attributes & 0o170000) === 0o120000,
      content: contentOf(archive, view, at, { name, sizeBytes }),
    })
    at = next
  }
  return members
}

function findEnd(view: DataView): number {
  const last = view.byteLength - endBytes
  for (let at = last; at >= Math.max(0, last - maxCommentBytes); at--) {
    if (view.getUint32(at, true) === endSignature) return at
  }
  throw new Error('End-of-central-directory signature not found: this is no zip archive, or not all of it')
}

function contentOf(
  archive: Uint8Array,
  view: DataView,
  entry: number,
  { name, sizeBytes }: Pick<ZipMember, 'name' | 'sizeBytes'>,
): () => Uint8Array {
  const [flags, method] = [view.getUint16(entry + 8, true), view.getUint16(entry + 10, true)]
  const [sum, packedBytes, local] = [16, 20, 42].map(offset => view.getUint32(entry + offset, true))
  return () => {
    if ((flags & 1) !== 0) throw new Error(`${name}: it is encrypted, which is not available here`)
    if (
      local === undefined ||
      packedBytes === undefined ||
      local + 30 > archive.length ||
      view.getUint32(local, true) !== localSignature
    )
      throw new Error(`${name}: the archive is damaged`)
    const begin = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    const packed = archive.subarray(begin, begin + packedBytes)
    if (packed.length !== packedBytes) throw new Error(`${name}: the archive is cut off`)
    const content = unpacked(packed, method, sizeBytes, name)
    if (content.length !== sizeBytes || crc32(content) !== sum) throw new Error(`${name}: bad CRC, the archive is damaged`)
    return content
  }
}

function unpacked(packed: Uint8Array, method: number, sizeBytes: number, name: string): Uint8Array {
  if (method === 0) return packed
  // What unpacks to more than it says does not get the room for it.
  if (method === 8) return inflateSync(packed, { out: new Uint8Array(sizeBytes) })
  throw new Error(`${name}: packed with method ${method}, which is not available here`)
}

/** Info-ZIP's extra field, in seconds. */
function unixTime(view: DataView, start: number, end: number): Date | undefined {
  for (let at = start; at + 4 <= end; at += 4 + view.getUint16(at + 2, true)) {
    const isTime = view.getUint16(at, true) === 0x5455 && view.getUint16(at + 2, true) >= 5 && at + 9 <= end
    if (isTime && (view.getUint8(at + 4) & 1) === 1) return new Date(view.getInt32(at + 5, true) * 1000)
  }
  return undefined
}

/** Of no time zone; taken for UTC, which is the shell's. */
function dosTime(value: number): Date {
  const [year, month, day] = [(value >>> 25) + 1980, (value >>> 21) & 15, (value >>> 16) & 31]
  return new Date(Date.UTC(year, month - 1, day, (value >>> 11) & 31, (value >>> 5) & 63, (value & 31) * 2))
}
