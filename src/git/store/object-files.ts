// The files that objects are stored in. Packs of whole objects have their index beside them, so that an `add` of thousands of files writes
// two files instead of one for each.

import { joinBytes } from '../../core/bytes.ts'
import { encodeText } from '../../shell/byte-text.ts'
import { deflate } from './deflate.ts'
import { compareText, type GitObject, type ObjectId } from './object-format.ts'
import { fromHex, Sha1, toHex } from './sha1.ts'

export interface PackFiles {
  /** The hash in the names of both files. */
  readonly name: string
  readonly pack: Uint8Array
  readonly index: Uint8Array
}

const typeNumbers = { commit: 1, tree: 2, blob: 3, tag: 4 } as const
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (let at = 0; at < bytes.length; at++) crc = (crcTable[(crc ^ (bytes[at] as number)) & 255] as number) ^ (crc >>> 8)
  return ~crc >>> 0
}

function entryHead(type: GitObject['type'], size: number): number[] {
  const head: number[] = []
  let byte = (typeNumbers[type] << 4) | (size & 15)
  for (let rest = Math.floor(size / 16); ; rest = Math.floor(rest / 128)) {
    if (rest === 0) return [...head, byte]
    head.push(byte | 128)
    byte = rest & 127
  }
}

export function looseFile({ type, bytes }: GitObject): Uint8Array {
  return deflate(joinBytes([encodeText(`${type} ${bytes.length}\0`), bytes]))
}

export function writePack(objects: ReadonlyMap<ObjectId, GitObject>): PackFiles {
  const head = new Uint8Array(12)
  const view = new DataView(head.buffer)
  view.setUint32(0, 0x5041434b)
  view.setUint32(4, 2)
  view.setUint32(8, objects.size)
  const parts: Uint8Array[] = [head]
  const rows: { oid: ObjectId; offset: number; crc: number }[] = []
  let offset = 12
  for (const [oid, { type, bytes }] of objects) {
    const entry = joinBytes([Uint8Array.from(entryHead(type, bytes.length)), deflate(bytes)])
    rows.push({ oid, offset, crc: crc32(entry) })
    parts.push(entry)
    offset += entry.length
  }
  const hash = new Sha1()
  for (const part of parts) hash.update(part)
  const checksum = hash.digest()
  parts.push(checksum)
  rows.sort((a, b) => compareText(a.oid, b.oid))
  return { name: toHex(checksum), pack: joinBytes(parts), index: encodeIndex(rows, checksum) }
}

function encodeIndex(
  rows: readonly { readonly oid: ObjectId; readonly offset: number; readonly crc: number }[],
  checksum: Uint8Array,
): Uint8Array {
  const large = rows.filter(({ offset }) => offset >= 0x80000000)
  const bytes = new Uint8Array(8 + 1024 + rows.length * 28 + large.length * 8 + 40)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, 0xff744f63)
  view.setUint32(4, 2)
  const counts = new Uint32Array(256)
  let largeAt = 0
  rows.forEach(({ oid, offset, crc }, position) => {
    const id = fromHex(oid)
    counts[id[0] ?? 0] = (counts[id[0] ?? 0] ?? 0) + 1
    bytes.set(id, 1032 + position * 20)
    view.setUint32(1032 + rows.length * 20 + position * 4, crc)
    const at = 1032 + rows.length * 24 + position * 4
    if (offset < 0x80000000) view.setUint32(at, offset)
    else {
      view.setUint32(at, 0x80000000 + largeAt)
      const wide = 1032 + rows.length * 28 + largeAt++ * 8
      view.setUint32(wide, Math.floor(offset / 0x100000000))
      view.setUint32(wide + 4, offset >>> 0)
    }
  })
  let total = 0
  counts.forEach((count, byte) => view.setUint32(8 + byte * 4, (total += count)))
  bytes.set(checksum, bytes.length - 40)
  bytes.set(new Sha1().update(bytes.subarray(0, bytes.length - 20)).digest(), bytes.length - 20)
  return bytes
}
