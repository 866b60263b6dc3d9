// The first directory of a TIFF: its tags and their values. Counts are checked against the file's size before anything is read.
// Source: TIFF 6.0, section 2, and the BigTIFF design.

import { numberTable } from '../../core/words.ts'
import { ImageError, needBytes, viewOf } from './pixels.ts'

export interface TiffDirectory {
  readonly isLittleEndian: boolean
  /** Throws `ImageError` if the file ends before the values do. */
  numbers(tag: number): readonly number[]
  /** The first value of a tag. */
  number(tag: number, fallback: number): number
  /** The values as they are stored. */
  bytes(tag: number): Uint8Array
}

interface Entry {
  readonly type: number
  readonly count: number
  readonly start: number
}

const maxEntries = 4096
/** In bytes, by the number of the type. */
const sizeOfType: Readonly<Record<number, number>> = numberTable(`
  1 1, 2 1, 3 2, 4 4, 5 8, 6 1, 7 1, 8 2, 9 4, 10 8, 11 4, 12 8, 13 4, 16 8, 17 8, 18 8
`)

/** Throws `ImageError`. */
export function readTiffDirectory(bytes: Uint8Array): TiffDirectory {
  needBytes(bytes, 8)
  const view = viewOf(bytes)
  const isLittleEndian = bytes[0] === 0x49
  const version = view.getUint16(2, isLittleEndian)
  if (version !== 42 && version !== 43) throw new ImageError('image-damaged', 'it does not have the signature of a TIFF')
  const isBig = version === 43
  const offset = (at: number): number => {
    if (!isBig) return view.getUint32(at, isLittleEndian)
    const [low, high] = [
      view.getUint32(at + (isLittleEndian ? 0 : 4), isLittleEndian),
      view.getUint32(at + (isLittleEndian ? 4 : 0), isLittleEndian),
    ]
    return high * 2 ** 32 + low
  }
  const start = offset(isBig ? 8 : 4)
  needBytes(bytes, start + (isBig ? 8 : 2))
  const count = isBig ? offset(start) : view.getUint16(start, isLittleEndian)
  if (count > maxEntries)
    throw new ImageError('image-damaged', `its directory has ${count} entries; at most ${maxEntries} are read`)
  const [entryBytes, valueBytes] = isBig ? [20, 8] : [12, 4]
  const first = start + (isBig ? 8 : 2)
  needBytes(bytes, first + count * entryBytes)
  const entries = new Map<number, Entry>()
  for (let at = first; at < first + count * entryBytes; at += entryBytes) {
    const type = view.getUint16(at + 2, isLittleEndian)
    const length = offset(at + 4)
    const valueAt = at + entryBytes - valueBytes
    const fits = length * (sizeOfType[type] ?? 0) <= valueBytes
    entries.set(view.getUint16(at, isLittleEndian), { type, count: length, start: fits ? valueAt : offset(valueAt) })
  }
  return directoryOf(bytes, isLittleEndian, entries)
}

function directoryOf(bytes: Uint8Array, isLittleEndian: boolean, entries: ReadonlyMap<number, Entry>): TiffDirectory {
  const view = viewOf(bytes)
  const valueAt = (type: number, at: number): number => {
    switch (type) {
      case 3:
        return view.getUint16(at, isLittleEndian)
      case 4:
      case 13:
        return view.getUint32(at, isLittleEndian)
      case 16:
      case 18:
        return Number(view.getBigUint64(at, isLittleEndian))
      case 1:
      case 7:
        return view.getUint8(at)
      default:
        throw new ImageError('image-damaged', `values of type ${type} must be numbers`)
    }
  }
  const bytesOf = (entry: Entry): Uint8Array => {
    const end = entry.start + entry.count * (sizeOfType[entry.type] ?? 1)
    needBytes(bytes, end)
    return bytes.subarray(entry.start, end)
  }
  const numbers = (tag: number): readonly number[] => {
    const entry = entries.get(tag)
    if (entry === undefined) return []
    bytesOf(entry)
    const size = sizeOfType[entry.type] ?? 1
    return Array.from({ length: entry.count }, (_, index) => valueAt(entry.type, entry.start + index * size))
  }
  return {
    isLittleEndian,
    numbers,
    number: (tag, fallback) => numbers(tag)[0] ?? fallback,
    bytes: tag => {
      const entry = entries.get(tag)
      return entry === undefined ? new Uint8Array() : bytesOf(entry)
    },
  }
}
