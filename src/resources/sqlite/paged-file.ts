// A file for SQLite: read in pieces on demand, changed in memory only. SQLite reads synchronously, while bytes may arrive
// later; then the read fails, the missing pieces are fetched, and the caller starts the work again.

/** The bytes of a file, in ranges. `end` is exclusive. May answer at once or later. */
export interface RangeSource {
  readonly sizeBytes: number
  read(start: number, end: number): Uint8Array | Promise<Uint8Array>
}

/** A source whose bytes are in memory. */
export function sourceOf(bytes: Uint8Array): RangeSource {
  return { sizeBytes: bytes.length, read: (start, end) => bytes.subarray(start, end) }
}

const pieceBytes = 64 * 1024
/** Above this size, drops pieces that can be read again at once. */
const keptPieces = 1024

/** A range is being fetched: wait for {@link PieceCache.arrived} and try again. */
export class MissingBytes extends Error {}

/** The pieces of one source that are in memory. Kept between the attempts of one call, so that each gets further. */
export class PieceCache {
  readonly sizeBytes: number
  readonly #source: RangeSource
  readonly #pieces = new Map<number, Uint8Array>()
  readonly #maxBytes: number
  #pending: Promise<void> | undefined
  #readAheadPieces = 4
  #fetchedBytes = 0

  /** @param maxBytes how much of a source that answers later is kept */
  constructor(source: RangeSource, maxBytes: number) {
    this.#source = source
    this.sizeBytes = source.sizeBytes
    this.#maxBytes = maxBytes
  }

  get isWaiting(): boolean {
    return this.#pending !== undefined
  }

  /** Whether more was needed than may be kept. */
  get isOverLimit(): boolean {
    return this.#fetchedBytes > this.#maxBytes
  }

  /** Resolves when the missing pieces are here. */
  async arrived(): Promise<void> {
    const pending = this.#pending
    await pending
    this.#pending = undefined
  }

  /** The piece with number `index`, which the caller must not change. Throws {@link MissingBytes}. */
  piece(index: number): Uint8Array {
    const known = this.#pieces.get(index)
    if (known !== undefined) return known
    const start = index * pieceBytes
    const found = this.#source.read(start, Math.min(this.sizeBytes, start + pieceBytes))
    if (found instanceof Uint8Array) {
      this.#keep(index, found)
      return found
    }
    // The first answer shows that this source is slow: from then on each attempt asks for more.
    this.#pending ??= this.#fetch(index, found)
    throw new MissingBytes()
  }

  #keep(index: number, piece: Uint8Array): void {
    if (this.#pieces.size >= keptPieces) {
      for (const oldest of this.#pieces.keys()) {
        this.#pieces.delete(oldest)
        break
      }
    }
    this.#pieces.set(index, piece)
  }

  async #fetch(index: number, first: Promise<Uint8Array>): Promise<void> {
    const start = (index + 1) * pieceBytes
    const end = Math.min(this.sizeBytes, (index + this.#readAheadPieces) * pieceBytes)
    const bytes = [await first, start < end ? await this.#source.read(start, end) : new Uint8Array()]
    this.#readAheadPieces = Math.min(this.#readAheadPieces * 2, 256)
    for (const [offset, run] of [
      [index, bytes[0]],
      [index + 1, bytes[1]],
    ] as const) {
      if (run === undefined) continue
      this.#fetchedBytes += run.length
      for (let at = 0; at < run.length; at += pieceBytes)
        this.#pieces.set(offset + at / pieceBytes, run.subarray(at, at + pieceBytes))
    }
  }
}

/** The file that SQLite reads and writes. Writes stay in memory until {@link PagedFile.bytes} collects them. */
export class PagedFile {
  readonly #base: PieceCache | undefined
  /** How much of the original is still valid: a file that was cut and has grown again contains zeros there. */
  #baseBytes: number
  readonly #changed = new Map<number, Uint8Array>()
  #sizeBytes: number
  #isChanged = false

  constructor(base?: PieceCache) {
    this.#base = base
    this.#baseBytes = base?.sizeBytes ?? 0
    this.#sizeBytes = this.#baseBytes
  }

  get sizeBytes(): number {
    return this.#sizeBytes
  }

  get isChanged(): boolean {
    return this.#isChanged
  }

  /** Fills `into` from `offset`, with 0 after the end. Returns the number of existing bytes. Throws {@link MissingBytes}. */
  read(offset: number, into: Uint8Array): number {
    const there = Math.max(0, Math.min(into.length, this.#sizeBytes - offset))
    for (let at = 0; at < there;) {
      const index = Math.floor((offset + at) / pieceBytes)
      const within = offset + at - index * pieceBytes
      const length = Math.min(there - at, pieceBytes - within)
      this.#copyPiece(index, within, into.subarray(at, at + length))
      at += length
    }
    into.fill(0, there)
    return there
  }

  write(offset: number, from: Uint8Array): void {
    for (let at = 0; at < from.length;) {
      const index = Math.floor((offset + at) / pieceBytes)
      const within = offset + at - index * pieceBytes
      const length = Math.min(from.length - at, pieceBytes - within)
      this.#writable(index).set(from.subarray(at, at + length), within)
      at += length
    }
    this.#sizeBytes = Math.max(this.#sizeBytes, offset + from.length)
    this.#isChanged = true
  }

  truncate(sizeBytes: number): void {
    if (sizeBytes === this.#sizeBytes) return
    for (const [index, piece] of this.#changed) {
      const start = index * pieceBytes
      if (start >= sizeBytes) this.#changed.delete(index)
      else if (start + pieceBytes > sizeBytes) piece.fill(0, sizeBytes - start)
    }
    this.#baseBytes = Math.min(this.#baseBytes, sizeBytes)
    this.#sizeBytes = sizeBytes
    this.#isChanged = true
  }

  /** The whole content. Throws {@link MissingBytes}. */
  bytes(): Uint8Array {
    const bytes = new Uint8Array(this.#sizeBytes)
    this.read(0, bytes)
    return bytes
  }

  #copyPiece(index: number, within: number, into: Uint8Array): void {
    const changed = this.#changed.get(index)
    if (changed !== undefined) {
      into.set(changed.subarray(within, within + into.length))
      return
    }
    const start = index * pieceBytes + within
    const fromBase = Math.max(0, Math.min(into.length, this.#baseBytes - start))
    const found = fromBase === 0 ? undefined : this.#base?.piece(index).subarray(within, within + fromBase)
    if (found !== undefined) into.set(found)
    // A file that became shorter meanwhile is read as zeros; the caller that opened it notices its new revision.
    into.fill(0, found?.length ?? 0)
  }

  #writable(index: number): Uint8Array {
    const known = this.#changed.get(index)
    if (known !== undefined) return known
    const piece = new Uint8Array(pieceBytes)
    this.#copyPiece(index, 0, piece)
    this.#changed.set(index, piece)
    return piece
  }
}
