// Reads packs (version 2) with their index (version 1 and 2). The whole index is kept; of a large pack, only the requested ranges are read.

import { joinBytes } from '../../core/bytes.ts'
import { SizedLru } from '../../core/lru.ts'
import { fatal } from '../errors.ts'
import type { GitFiles } from '../files.ts'
import { inflate, InflateError } from './inflate.ts'
import type { GitObject, ObjectId, ObjectType } from './object-format.ts'
import { fromHex, toHex } from './sha1.ts'

const wholePackMaxBytes = 32 << 20
/** Git makes chains of at most 50 by default, and never more than 4,095. */
const maxDeltaDepth = 4096
const types: Readonly<Record<number, ObjectType>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' }

export class Pack {
  readonly #files: GitFiles
  readonly #path: string
  readonly #index: Uint8Array
  readonly #view: DataView
  readonly #isVersion1: boolean
  readonly count: number
  #whole: Uint8Array | undefined
  #sizeBytes = 0
  #sortedOffsets: Float64Array | undefined
  readonly #bases = new SizedLru<number, GitObject>(16 << 20)

  static async open(files: GitFiles, indexPath: string): Promise<Pack | undefined> {
    const index = await files.read(indexPath)
    const path = `${indexPath.slice(0, -'.idx'.length)}.pack`
    const stat = await files.stat(path)
    if (index === undefined || stat === undefined) return undefined
    const pack = new Pack(files, path, indexPath, index)
    await pack.#check(stat.sizeBytes)
    return pack
  }

  private constructor(files: GitFiles, path: string, indexPath: string, index: Uint8Array) {
    this.#files = files
    this.#path = path
    this.#index = index
    this.#view = new DataView(index.buffer, index.byteOffset, index.byteLength)
    this.#isVersion1 = index.length < 8 || this.#view.getUint32(0) !== 0xff744f63
    if (!this.#isVersion1 && this.#view.getUint32(4) !== 2) throw fatal(`index file ${indexPath} is of an unknown version`)
    const head = this.#isVersion1 ? 0 : 8
    if (index.length < head + 1024 + 40) throw fatal(`index file ${indexPath} is too small`)
    this.count = this.#view.getUint32(head + 255 * 4)
    if (index.length < head + 1024 + this.count * 24 + 40) throw fatal(`index file ${indexPath} is too small`)
  }

  async #check(sizeBytes: number): Promise<void> {
    this.#sizeBytes = sizeBytes
    const head = await this.#files.readRange(this.#path, 0, 12)
    const isPack = head !== undefined && head.length === 12 && toHex(head, 0, 8) === '5041434b00000002'
    if (!isPack || new DataView(head.buffer, head.byteOffset).getUint32(8) !== this.count || sizeBytes < 32) {
      throw fatal(`packfile ${this.#path} does not match its index`)
    }
  }

  /** The position of the object in the pack. */
  offsetOf(oid: ObjectId): number | undefined {
    const found = this.#search(fromHex(oid))
    return found.isExact ? this.#offsetAt(found.position) : undefined
  }

  /** IDs that begin with `prefix`, 2 to 40 hexadecimal digits. */
  idsFrom(prefix: string): readonly ObjectId[] {
    const { position } = this.#search(fromHex(prefix.padEnd(40, '0')))
    const found: ObjectId[] = []
    for (let at = position; at < this.count; at++) {
      const oid = this.#idAt(at)
      if (!oid.startsWith(prefix)) break
      found.push(oid)
    }
    return found
  }

  *ids(): Generator<ObjectId> {
    for (let at = 0; at < this.count; at++) yield this.#idAt(at)
  }

  /** `base` reads a delta's base that is not in this pack. */
  async read(offset: number, base: (oid: ObjectId) => Promise<GitObject | undefined>): Promise<GitObject> {
    try {
      return await this.#read(offset, base)
    } catch (error) {
      if (error instanceof InflateError)
        throw fatal(`packed object at offset ${offset} in ${this.#path} is corrupt: ${error.message}`)
      throw error
    }
  }

  async #read(offset: number, base: (oid: ObjectId) => Promise<GitObject | undefined>): Promise<GitObject> {
    const deltas: Uint8Array[] = []
    const offsets = [offset]
    let object: GitObject | undefined
    for (let at = offset; object === undefined;) {
      object = this.#bases.get(at)
      if (object !== undefined) break
      const entry = await this.#entry(at)
      if (entry.kind === 'object') {
        object = entry.object
        break
      }
      deltas.push(entry.delta)
      if (deltas.length > maxDeltaDepth) throw fatal(`${this.#path}: a chain of deltas never ends`)
      const next = entry.baseOffset ?? (entry.baseId === undefined ? undefined : this.offsetOf(entry.baseId))
      if (next === undefined) {
        object = await base(entry.baseId ?? '')
        if (object === undefined) throw fatal(`${this.#path}: the base of a delta is missing: ${entry.baseId}`)
      } else {
        if (next <= 0 || next >= this.#sizeBytes) throw fatal(`${this.#path}: delta base offset out of bounds`)
        at = next
        offsets.push(at)
      }
    }
    for (let index = deltas.length - 1; index >= 0; index--) {
      const delta = deltas[index]
      if (delta === undefined) continue
      object = { type: object.type, bytes: applyDelta(object.bytes, delta) }
      const own = offsets[index]
      if (own !== undefined && object.bytes.length < 1 << 20) this.#bases.set(own, object, object.bytes.length + 100)
    }
    return object
  }

  async #entry(
    offset: number,
  ): Promise<
    | { readonly kind: 'object'; readonly object: GitObject }
    | { readonly kind: 'delta'; readonly delta: Uint8Array; readonly baseOffset?: number; readonly baseId?: ObjectId }
  > {
    const bytes = await this.#bytesAt(offset)
    let at = 0
    let byte = bytes[at++] ?? 0
    const type = (byte >> 4) & 7
    let size = byte & 15
    for (let scale = 16; byte & 128; scale *= 128) {
      byte = bytes[at++] ?? 0
      size += (byte & 127) * scale
    }
    const plain = types[type]
    if (plain !== undefined) return { kind: 'object', object: { type: plain, bytes: inflate(bytes, at, size).bytes } }
    if (type === 6) {
      byte = bytes[at++] ?? 0
      let distance = byte & 127
      while (byte & 128) {
        byte = bytes[at++] ?? 0
        distance = (distance + 1) * 128 + (byte & 127)
      }
      return { kind: 'delta', baseOffset: offset - distance, delta: inflate(bytes, at, size).bytes }
    }
    if (type === 7) {
      return { kind: 'delta', baseId: toHex(bytes, at, at + 20), delta: inflate(bytes, at + 20, size).bytes }
    }
    throw fatal(`${this.#path}: unknown object type ${type} at offset ${offset}`)
  }

  /** From `offset` to where the next object begins. */
  async #bytesAt(offset: number): Promise<Uint8Array> {
    if (this.#sizeBytes <= wholePackMaxBytes) {
      this.#whole ??= await this.#files.read(this.#path)
      if (this.#whole === undefined) throw fatal(`packfile ${this.#path} cannot be read`)
      return this.#whole.subarray(offset, this.#whole.length - 20)
    }
    const end = this.#nextOffset(offset)
    const bytes = await this.#files.readRange(this.#path, offset, end)
    if (bytes === undefined || bytes.length < end - offset) throw fatal(`packfile ${this.#path} is cut`)
    // The inflater's table look-up may read a little beyond the end.
    return joinBytes([bytes, new Uint8Array(4)])
  }

  #nextOffset(offset: number): number {
    this.#sortedOffsets ??= Float64Array.from({ length: this.count }, (_, at) => this.#offsetAt(at)).sort()
    const offsets = this.#sortedOffsets
    let low = 0
    let high = offsets.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((offsets[middle] ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    return offsets[low] ?? this.#sizeBytes - 20
  }

  #idStart(position: number): number {
    return this.#isVersion1 ? 1024 + position * 24 + 4 : 8 + 1024 + position * 20
  }

  #idAt(position: number): ObjectId {
    const start = this.#idStart(position)
    return toHex(this.#index, start, start + 20)
  }

  #offsetAt(position: number): number {
    if (this.#isVersion1) return this.#view.getUint32(1024 + position * 24)
    const small = this.#view.getUint32(8 + 1024 + this.count * 24 + position * 4)
    if (small < 0x80000000) return small
    const at = 8 + 1024 + this.count * 28 + (small - 0x80000000) * 8
    if (at + 8 > this.#index.length) throw fatal(`${this.#path}: its index is cut`)
    return this.#view.getUint32(at) * 0x100000000 + this.#view.getUint32(at + 4)
  }

  #search(id: Uint8Array): { readonly position: number; readonly isExact: boolean } {
    const head = this.#isVersion1 ? 0 : 8
    const first = id[0] ?? 0
    let low = first === 0 ? 0 : this.#view.getUint32(head + (first - 1) * 4)
    let high = Math.min(this.count, this.#view.getUint32(head + first * 4))
    while (low < high) {
      const middle = (low + high) >> 1
      const order = this.#compareAt(middle, id)
      if (order === 0) return { position: middle, isExact: true }
      if (order < 0) low = middle + 1
      else high = middle
    }
    return { position: low, isExact: false }
  }

  #compareAt(position: number, id: Uint8Array): number {
    const start = this.#idStart(position)
    for (let at = 0; at < 20; at++) {
      const difference = (this.#index[start + at] ?? 0) - (id[at] ?? 0)
      if (difference !== 0) return difference
    }
    return 0
  }
}

export function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array {
  let at = 0
  const readSize = (): number => {
    let size = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = delta[at++]
      if (byte === undefined) throw fatal('a delta is cut')
      size += (byte & 127) * scale
      if (byte < 128) return size
    }
  }
  if (readSize() !== base.length) throw fatal('a delta does not fit its base')
  const result = new Uint8Array(readSize())
  let to = 0
  while (at < delta.length) {
    const code = delta[at++] ?? 0
    if (code === 0) throw fatal('a delta holds an unknown instruction')
    if (code < 128) {
      if (at + code > delta.length || to + code > result.length) throw fatal('a delta is cut')
      result.set(delta.subarray(at, at + code), to)
      at += code
      to += code
      continue
    }
    let from = 0
    let size = 0
    for (let bit = 0; bit < 4; bit++) if (code & (1 << bit)) from += (delta[at++] ?? 0) * 2 ** (8 * bit)
    for (let bit = 0; bit < 3; bit++) if (code & (16 << bit)) size |= (delta[at++] ?? 0) << (8 * bit)
    if (size === 0) size = 0x10000
    if (from + size > base.length || to + size > result.length) throw fatal('a delta reaches beyond its base')
    result.set(base.subarray(from, from + size), to)
    to += size
  }
  if (to !== result.length) throw fatal('a delta gives less than it says')
  return result
}
