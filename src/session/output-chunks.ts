// The bytes of one output in chunks, which can be moved to a storage separately. The position and the line number of each chunk
// stay in memory, so that a page is found without reading the bytes before it.

const chunkBytes = 256 * 1024
const firstBufferBytes = 1024
const lineFeed = 0x0a

export interface Chunk {
  readonly index: number
  readonly startByte: number
  /** The number of newlines before it. */
  readonly startNewlines: number
  readonly sizeBytes: number
  /** Where the bytes are stored. `lost` if they were dropped. */
  place: { readonly kind: 'memory'; readonly bytes: Uint8Array } | { readonly kind: 'stored' } | { readonly kind: 'lost' }
}

/** The positions of the chunks, for a session that continues later. */
export interface SavedChunks {
  readonly pieces: readonly (readonly [sizeBytes: number, newlines: number, isLost: 0 | 1])[]
  readonly endsWithNewline: boolean
}

export class OutputChunks {
  readonly #chunks: Chunk[] = []
  #buffer = new Uint8Array(firstBufferBytes)
  #bufferBytes = 0
  #bufferNewlines = 0
  #startByte = 0
  #startNewlines = 0
  #endsWithNewline = true

  /** Whether all chunks are in the storage or lost. */
  static restored({ pieces, endsWithNewline }: SavedChunks): OutputChunks {
    const chunks = new OutputChunks()
    for (const [sizeBytes, newlines, isLost] of pieces) {
      chunks.#chunks.push({
        index: chunks.#chunks.length,
        startByte: chunks.#startByte,
        startNewlines: chunks.#startNewlines,
        sizeBytes,
        place: { kind: isLost === 1 ? 'lost' : 'stored' },
      })
      chunks.#startByte += sizeBytes
      chunks.#startNewlines += newlines
    }
    chunks.#endsWithNewline = endsWithNewline
    chunks.#buffer = new Uint8Array(0)
    return chunks
  }

  /** The total size, including the unfinished chunk. */
  save(): SavedChunks {
    const ends = [...this.#chunks.slice(1).map(chunk => chunk.startNewlines), this.#startNewlines]
    const pieces = this.#chunks.map(({ sizeBytes, startNewlines, place }, index) => {
      const newlines = (ends[index] ?? startNewlines) - startNewlines
      return [sizeBytes, newlines, place.kind === 'lost' ? 1 : 0] as const
    })
    const unfinished = this.#bufferBytes === 0 ? [] : [[this.#bufferBytes, this.#bufferNewlines, 0] as const]
    return { pieces: [...pieces, ...unfinished], endsWithNewline: this.#endsWithNewline }
  }

  /** The unfinished chunk, which is created on request. None exists while it is empty. */
  get unfinished(): readonly Chunk[] {
    return this.#bufferBytes === 0 ? [] : [this.#unfinished()]
  }

  get sizeBytes(): number {
    return this.#startByte + this.#bufferBytes
  }

  /** The number of lines. A last line without a line ending counts. */
  get lineCount(): number {
    return this.#startNewlines + this.#bufferNewlines + (this.#endsWithNewline ? 0 : 1)
  }

  /** The chunks, without the unfinished one. */
  get full(): readonly Chunk[] {
    return this.#chunks
  }

  /** The size of the unfinished chunk. */
  get bufferBytes(): number {
    return this.#buffer.length
  }

  /** Appends a copy of the bytes. */
  append(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + chunkBytes - this.#bufferBytes)
      this.#reserve(part.length)
      this.#buffer.set(part, this.#bufferBytes)
      this.#bufferBytes += part.length
      for (let feed = part.indexOf(lineFeed); feed !== -1; feed = part.indexOf(lineFeed, feed + 1)) this.#bufferNewlines += 1
      at += part.length
      if (this.#bufferBytes === chunkBytes) this.#cut()
    }
    if (bytes.length > 0) this.#endsWithNewline = bytes.at(-1) === lineFeed
  }

  /** Finishes the unfinished chunk at exactly its size. */
  finish(): void {
    if (this.#bufferBytes > 0) this.#cut()
    this.#buffer = new Uint8Array(0)
  }

  /** The chunk that contains the byte at `offset`. The unfinished chunk is created on request. */
  at(offset: number): Chunk | undefined {
    if (offset >= this.sizeBytes) return undefined
    if (offset >= this.#startByte) return this.#unfinished()
    return this.#chunks[lastIndexWhere(this.#chunks, chunk => chunk.startByte <= offset)]
  }

  withNewline(count: number): Chunk | undefined {
    if (count > this.#startNewlines + this.#bufferNewlines) return undefined
    if (count > this.#startNewlines) return this.#unfinished()
    return this.#chunks[lastIndexWhere(this.#chunks, chunk => chunk.startNewlines < count)]
  }

  #unfinished(): Chunk {
    return {
      index: this.#chunks.length,
      startByte: this.#startByte,
      startNewlines: this.#startNewlines,
      sizeBytes: this.#bufferBytes,
      place: { kind: 'memory', bytes: this.#buffer.slice(0, this.#bufferBytes) },
    }
  }

  #reserve(moreBytes: number): void {
    const needed = this.#bufferBytes + moreBytes
    if (needed <= this.#buffer.length) return
    const larger = new Uint8Array(Math.min(chunkBytes, Math.max(needed, this.#buffer.length * 2, firstBufferBytes)))
    larger.set(this.#buffer.subarray(0, this.#bufferBytes))
    this.#buffer = larger
  }

  #cut(): void {
    const bytes = this.#bufferBytes === this.#buffer.length ? this.#buffer : this.#buffer.slice(0, this.#bufferBytes)
    this.#chunks.push({
      index: this.#chunks.length,
      startByte: this.#startByte,
      startNewlines: this.#startNewlines,
      sizeBytes: bytes.length,
      place: { kind: 'memory', bytes },
    })
    this.#startByte += bytes.length
    this.#startNewlines += this.#bufferNewlines
    this.#buffer = new Uint8Array(firstBufferBytes)
    this.#bufferBytes = 0
    this.#bufferNewlines = 0
  }
}

/** The last index for which `holds` is true. `holds` must be true for all indices before it. */
function lastIndexWhere<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = -1
  let high = items.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && holds(item)) low = middle
    else high = middle
  }
  return low
}
