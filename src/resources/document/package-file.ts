// The ZIP file that most document formats use: its members by name, unpacked within limits and verified.

import { joinBytes } from '../../core/bytes.ts'
import { Inflate } from 'fflate'
import { DocumentTrouble } from './trouble.ts'
import type { DocumentWork } from './work.ts'

interface Entry {
  readonly method: number
  readonly isEncrypted: boolean
  readonly crc: number
  readonly packedBytes: number
  readonly sizeBytes: number
  readonly headerOffset: number
}

const directorySignature = 0x02014b50
const endSignature = 0x06054b50
const headerSignature = 0x04034b50
const endBytes = 22
const commentMaxBytes = 0xffff
const entriesMax = 65_535
/** A packed byte may become a thousand: this much may be unpacked before the limits are checked again. */
const chunkBytes = 8 * 1024

/** A packed document. */
export class PackageFile {
  readonly #bytes: Uint8Array
  readonly #work: DocumentWork
  readonly #entries: ReadonlyMap<string, Entry>

  /** Throws {@link DocumentTrouble} `damaged`. */
  constructor(bytes: Uint8Array, work: DocumentWork) {
    this.#bytes = bytes
    this.#work = work
    this.#entries = directoryOf(bytes)
  }

  get names(): Iterable<string> {
    return this.#entries.keys()
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** The content of a member; `undefined` if it is missing. Throws {@link DocumentTrouble}. */
  async read(name: string): Promise<Uint8Array | undefined> {
    const entry = this.#entries.get(name)
    if (entry === undefined) return undefined
    if (entry.isEncrypted) throw new DocumentTrouble('encrypted', 'it is protected by a password')
    const packed = this.#packedBytes(entry)
    const content = entry.method === 0 ? packed : await this.#inflate(packed, entry)
    if (entry.method === 0) this.#work.countUnpacked(content.length, this.#bytes.length)
    if (crc32(content) !== entry.crc) throw new DocumentTrouble('damaged', `its part ${name} has a wrong checksum`)
    return content
  }

  /** The same for a required member. */
  async demand(name: string): Promise<Uint8Array> {
    const content = await this.read(name)
    if (content === undefined) throw new DocumentTrouble('damaged', `its part ${name} is missing`)
    return content
  }

  #packedBytes({ headerOffset, packedBytes }: Entry): Uint8Array {
    const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength)
    if (headerOffset + 30 > view.byteLength || view.getUint32(headerOffset, true) !== headerSignature)
      throw new DocumentTrouble('damaged', 'its list of parts points at something else')
    const start = headerOffset + 30 + view.getUint16(headerOffset + 26, true) + view.getUint16(headerOffset + 28, true)
    if (start + packedBytes > view.byteLength) throw new DocumentTrouble('damaged', 'it ends in the middle of a part')
    return this.#bytes.subarray(start, start + packedBytes)
  }

  async #inflate(packed: Uint8Array, entry: Entry): Promise<Uint8Array> {
    if (entry.method !== 8) throw new DocumentTrouble('unsupported', `a part is packed by method ${entry.method}`)
    const pieces: Uint8Array[] = []
    let total = 0
    const inflate = new Inflate(piece => {
      total += piece.length
      this.#work.countUnpacked(piece.length, this.#bytes.length)
      if (total > entry.sizeBytes) throw new DocumentTrouble('damaged', 'a part is larger than it says')
      pieces.push(piece)
    })
    try {
      for (let at = 0; at < packed.length; at += chunkBytes) {
        inflate.push(packed.subarray(at, at + chunkBytes), at + chunkBytes >= packed.length)
        await this.#work.pause()
      }
    } catch (error) {
      if (error instanceof DocumentTrouble || this.#work.signal.aborted) throw error
      throw new DocumentTrouble('damaged', 'a part cannot be unpacked', { cause: error })
    }
    return joinBytes(pieces, total)
  }
}

function directoryOf(bytes: Uint8Array): ReadonlyMap<string, Entry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOf(view)
  const entries = new Map<string, Entry>()
  let at = view.getUint32(end + 16, true)
  const count = Math.min(view.getUint16(end + 10, true), entriesMax)
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== directorySignature)
      throw new DocumentTrouble('damaged', 'its list of parts is broken')
    const nameBytes = view.getUint16(at + 28, true)
    // Some programs write backslashes; a leading slash means the same name.
    const name = new TextDecoder()
      .decode(bytes.subarray(at + 46, at + 46 + nameBytes))
      .replaceAll('\\', '/')
      .replace(/^\//, '')
    // Of two equal names, the one that other readers show.
    if (!entries.has(name)) {
      entries.set(name, {
        isEncrypted: (view.getUint16(at + 8, true) & 1) !== 0,
        method: view.getUint16(at + 10, true),
        crc: view.getUint32(at + 16, true),
        packedBytes: view.getUint32(at + 20, true),
        sizeBytes: view.getUint32(at + 24, true),
        headerOffset: view.getUint32(at + 42, true),
      })
    }
    at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

function endOf(view: DataView): number {
  for (let at = view.byteLength - endBytes; at >= Math.max(0, view.byteLength - endBytes - commentMaxBytes); at--) {
    if (view.getUint32(at, true) === endSignature) return at
  }
  throw new DocumentTrouble('damaged', 'it has no list of parts; it may be cut off')
}

const crcTable = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ 0xedb88320
  return value
})

function crc32(bytes: Uint8Array): number {
  let value = -1
  for (const byte of bytes) value = (value >>> 8) ^ (crcTable[(value ^ byte) & 0xff] ?? 0)
  return (value ^ -1) >>> 0
}
