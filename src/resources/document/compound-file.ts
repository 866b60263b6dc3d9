// The container of older Office files ([MS-CFB]): a small filesystem of sectors inside one file.

import { DocumentTrouble } from './trouble.ts'

const endOfChain = 0xfffffffe
const headerBytes = 512
const directoryEntryBytes = 128
const rootType = 5
const streamType = 2

/** The streams of one file by name. */
export class CompoundFile {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #sectorBytes: number
  readonly #miniSectorBytes: number
  readonly #miniLimit: number
  readonly #next: Uint32Array
  readonly #miniNext: Uint32Array
  readonly #streams = new Map<string, { readonly start: number; readonly sizeBytes: number }>()
  #miniStream: Uint8Array = new Uint8Array()

  /** Throws {@link DocumentTrouble}, and `RangeError` for positions beyond the end. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (bytes.length < headerBytes) throw new DocumentTrouble('damaged', 'it is cut off')
    const [shift, miniShift] = [this.#view.getUint16(30, true), this.#view.getUint16(32, true)]
    if ((shift !== 9 && shift !== 12) || miniShift !== 6) throw new DocumentTrouble('damaged', 'its head is broken')
    this.#sectorBytes = 1 << shift
    this.#miniSectorBytes = 1 << miniShift
    this.#miniLimit = this.#view.getUint32(56, true)
    this.#next = this.#readTable(this.#tableSectors())
    const miniTable = this.#view.getUint32(60, true)
    this.#miniNext = this.#readTable(miniTable >= endOfChain ? [] : this.#chain(miniTable))
    this.#readDirectory()
  }

  /** The content of a stream; `undefined` if there is none with that name. */
  stream(name: string): Uint8Array | undefined {
    const found = this.#streams.get(name.toLowerCase())
    if (found === undefined) return undefined
    const { start, sizeBytes } = found
    if (sizeBytes >= this.#miniLimit) return this.#join(this.#chain(start, sizeBytes), this.#sectorBytes, sizeBytes)
    const pieces: number[] = []
    let sector = start
    while (sector < endOfChain && pieces.length * this.#miniSectorBytes < sizeBytes) {
      pieces.push(sector)
      sector = this.#miniNext[sector] ?? endOfChain
    }
    const joined = new Uint8Array(pieces.length * this.#miniSectorBytes)
    for (const [index, piece] of pieces.entries()) {
      const at = piece * this.#miniSectorBytes
      joined.set(this.#miniStream.subarray(at, at + this.#miniSectorBytes), index * this.#miniSectorBytes)
    }
    return joined.subarray(0, sizeBytes)
  }

  /** The same for a required stream. */
  demand(name: string): Uint8Array {
    const found = this.stream(name)
    if (found !== undefined) return found
    const isProtected = this.#streams.has('encryptedpackage')
    throw isProtected
      ? new DocumentTrouble('encrypted', 'it is protected by a password')
      : new DocumentTrouble('damaged', `it contains no ${name}, so its format differs from its name`)
  }

  has(name: string): boolean {
    return this.#streams.has(name.toLowerCase())
  }

  #offset(sector: number): number {
    return (sector + 1) * this.#sectorBytes
  }

  /** The position of the table of sectors: the header names the first 109, and a chain of sectors the others. */
  #tableSectors(): readonly number[] {
    const sectors: number[] = []
    const most = Math.ceil(this.#bytes.length / this.#sectorBytes)
    for (let index = 0; index < 109; index++) sectors.push(this.#view.getUint32(76 + index * 4, true))
    let more = this.#view.getUint32(68, true)
    for (let count = 0; more < endOfChain && count < most; count++) {
      const at = this.#offset(more)
      const perSector = this.#sectorBytes / 4 - 1
      for (let index = 0; index < perSector; index++) sectors.push(this.#view.getUint32(at + index * 4, true))
      more = this.#view.getUint32(at + perSector * 4, true)
    }
    return sectors.filter(sector => sector < endOfChain).slice(0, most)
  }

  #readTable(sectors: readonly number[]): Uint32Array {
    const perSector = this.#sectorBytes / 4
    const table = new Uint32Array(sectors.length * perSector)
    for (const [index, sector] of sectors.entries()) {
      const at = this.#offset(sector)
      for (let entry = 0; entry < perSector && at + entry * 4 + 4 <= this.#bytes.length; entry++)
        table[index * perSector + entry] = this.#view.getUint32(at + entry * 4, true)
    }
    return table
  }

  /** A broken file may contain a cycle: no chain is longer than the file. */
  #chain(start: number, sizeBytes: number = this.#bytes.length): readonly number[] {
    const sectors: number[] = []
    const most = Math.ceil(Math.min(sizeBytes, this.#bytes.length) / this.#sectorBytes)
    for (let sector = start; sector < endOfChain && sectors.length < most; sector = this.#next[sector] ?? endOfChain)
      sectors.push(sector)
    return sectors
  }

  #join(sectors: readonly number[], sectorBytes: number, sizeBytes: number): Uint8Array {
    const joined = new Uint8Array(sectors.length * sectorBytes)
    for (const [index, sector] of sectors.entries()) {
      const at = this.#offset(sector)
      joined.set(this.#bytes.subarray(at, at + sectorBytes), index * sectorBytes)
    }
    return joined.subarray(0, Math.min(sizeBytes, joined.length))
  }

  #readDirectory(): void {
    const sectors = this.#chain(this.#view.getUint32(48, true))
    const directory = this.#join(sectors, this.#sectorBytes, sectors.length * this.#sectorBytes)
    const view = new DataView(directory.buffer, directory.byteOffset, directory.byteLength)
    for (let at = 0; at + directoryEntryBytes <= directory.length; at += directoryEntryBytes) {
      const type = directory[at + 66]
      const nameBytes = Math.max(0, Math.min(64, view.getUint16(at + 64, true)) - 2)
      const name = new TextDecoder('utf-16le').decode(directory.subarray(at, at + nameBytes))
      const entry = { start: view.getUint32(at + 116, true), sizeBytes: view.getUint32(at + 120, true) }
      if (type === rootType)
        this.#miniStream = this.#join(this.#chain(entry.start, entry.sizeBytes), this.#sectorBytes, entry.sizeBytes)
      // Streams of embedded objects may have the same names: those of the document come first.
      else if (type === streamType && !this.#streams.has(name.toLowerCase())) this.#streams.set(name.toLowerCase(), entry)
    }
  }
}
