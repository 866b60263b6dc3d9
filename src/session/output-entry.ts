// One stored output: its bytes in chunks, in memory or in the storage, and the number of lost bytes.

import { joinPieces } from '../core/bytes.ts'
import { OutputChunks, type Chunk, type SavedChunks } from './output-chunks.ts'

export interface StoredOutput {
  readonly id: number
  readonly address: string
  /** A title for the user: `bash: npm test`. */
  readonly title: string
  /** Grows while the command runs. */
  readonly sizeBytes: number
  /** Lines end at LF. A last line without LF counts. */
  readonly lineCount: number
  /** The number of bytes that were dropped. A page that contains such a gap shows a note in its place. */
  readonly lostBytes: number
  /** The bytes from `startByte` to `endByte` (exclusive), clamped to the size. A gap is replaced by a sentence. */
  read(startByte: number, endByte: number): Promise<Uint8Array>
  /** The position at which line `lineIndex` (0-based) begins, or the end of the output if there is no such line. */
  startOfLine(lineIndex: number): Promise<number>
}

export interface OutputTitle {
  readonly id: number
  readonly title: string
}

export interface OutputWriter extends StoredOutput {
  /** Appends bytes. While the promise is pending, memory is full and the writer should wait. Never rejects. */
  readonly write: (bytes: Uint8Array) => Promise<void> | undefined
  /** Ends the output. Nothing can be written afterwards. */
  end(): void
  /** Discards the output. Its address must not have been given to anyone. */
  discard(): void
}

const gap = (lostBytes: number): Uint8Array => new TextEncoder().encode(`\n[… ${lostBytes} bytes were not kept …]\n`)

export class OutputEntry implements StoredOutput {
  readonly id: number
  readonly address: string
  readonly title: string
  readonly chunks: OutputChunks
  readonly #load: (chunk: Chunk) => Promise<Uint8Array>
  #movedBytes = 0
  #firstInMemory = 0
  #lostBytes = 0
  #isEnded = false

  /** `saved` is an output of an earlier session, to which nothing more is written. */
  constructor(about: OutputTitle, load: (chunk: Chunk) => Promise<Uint8Array>, saved?: SavedChunks) {
    this.id = about.id
    this.address = `artifact://${about.id}`
    this.title = about.title
    this.#load = load
    this.chunks = saved === undefined ? new OutputChunks() : OutputChunks.restored(saved)
    if (saved === undefined) return
    this.#isEnded = true
    this.#movedBytes = this.sizeBytes
    this.#lostBytes = this.#sizeIn('lost')
  }

  /** The total size of the chunks in the storage. */
  get storedBytes(): number {
    return this.#sizeIn('stored')
  }

  #sizeIn(kind: Chunk['place']['kind']): number {
    return this.chunks.full.reduce((sum, chunk) => sum + (chunk.place.kind === kind ? chunk.sizeBytes : 0), 0)
  }

  get sizeBytes(): number {
    return this.chunks.sizeBytes
  }

  get lineCount(): number {
    return this.chunks.lineCount
  }

  get lostBytes(): number {
    return this.#lostBytes
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  get memoryBytes(): number {
    const inChunks = (this.chunks.full.at(-1)?.startByte ?? 0) + (this.chunks.full.at(-1)?.sizeBytes ?? 0) - this.#movedBytes
    return inChunks + this.chunks.bufferBytes
  }

  get firstInMemory(): Chunk | undefined {
    // Chunks that have left memory are never loaded again.
    for (;;) {
      const chunk = this.chunks.full[this.#firstInMemory]
      if (chunk === undefined || chunk.place.kind === 'memory') return chunk
      this.#firstInMemory += 1
    }
  }

  finish(): void {
    this.#isEnded = true
    this.chunks.finish()
  }

  move(chunk: Chunk, place: Exclude<Chunk['place'], { kind: 'memory' }>): void {
    if (chunk.place.kind === 'memory') this.#movedBytes += chunk.sizeBytes
    if (place.kind === 'lost') this.#lostBytes += chunk.sizeBytes
    chunk.place = place
  }

  async read(startByte: number, endByte: number): Promise<Uint8Array> {
    const end = Math.min(endByte, this.sizeBytes)
    const parts: Uint8Array[] = []
    let missingBytes = 0
    const closeGap = (): void => {
      if (missingBytes > 0) parts.push(gap(missingBytes))
      missingBytes = 0
    }
    for (let at = Math.max(0, startByte); at < end;) {
      const chunk = this.chunks.at(at)
      if (chunk === undefined) break
      const bytes = await this.#load(chunk)
      const stop = Math.min(end, chunk.startByte + chunk.sizeBytes)
      if (bytes.length === 0) {
        missingBytes += stop - at
      } else {
        closeGap()
        parts.push(bytes.subarray(at - chunk.startByte, stop - chunk.startByte))
      }
      at = stop
    }
    closeGap()
    return joinPieces(parts)
  }

  async startOfLine(lineIndex: number): Promise<number> {
    if (lineIndex <= 0) return 0
    const chunk = this.chunks.withNewline(lineIndex)
    if (chunk === undefined) return this.sizeBytes
    const bytes = await this.#load(chunk)
    let at = -1
    for (let newlines = chunk.startNewlines; newlines < lineIndex; newlines++) {
      at = bytes.indexOf(0x0a, at + 1)
      // The line begins in a chunk that was lost.
      if (at === -1) return chunk.startByte
    }
    return chunk.startByte + at + 1
  }
}
