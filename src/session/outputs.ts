// Whole outputs that were too long to show. Each can be read again, page by page, as `artifact://<id>` (DESIGN §4.5). They are written
// while a command runs, first into memory, and from there into a storage, oldest first, so that an output may be larger than memory.

import { OutputChunks, type Chunk } from './output-chunks.ts'
import type { OpenOutputStorage, OutputStorage } from '../core/output-storage.ts'

export interface OutputLimits {
  /** Kept in memory, all outputs of the session together. */
  readonly maxMemoryBytes: number
  /** Put away, likewise. */
  readonly maxStoredBytes: number
}

export interface StoredOutput {
  readonly id: number
  readonly address: string
  /** What it is, for a person: `bash: npm test`. */
  readonly title: string
  /** Still growing while the command runs. */
  readonly sizeBytes: number
  /** Lines end at LF; a last one without it counts. */
  readonly lineCount: number
  /** Bytes that had no room anywhere; a page with such a gap says so in their place. */
  readonly lostBytes: number
  /** The bytes from `startByte` to before `endByte`, clamped to what is there. A gap is replaced by a sentence. */
  read(startByte: number, endByte: number): Promise<Uint8Array>
  /** Where line `lineIndex` (from 0 on) begins; the end of the output when there is no such line. */
  startOfLine(lineIndex: number): Promise<number>
}

export interface OutputWriter extends StoredOutput {
  /** Takes bytes for good. While the promise is pending, memory is full and the writer should wait. Never rejects. */
  readonly write: (bytes: Uint8Array) => Promise<void> | undefined
  /** Nothing more is written. */
  end(): void
  /** Forgets it: nobody was told its address. */
  discard(): void
}

// A writer waits when memory is over its bound by more than this.
const slackBytes = 4 * 1024 * 1024
const gap = (lostBytes: number): Uint8Array => new TextEncoder().encode(`\n[… ${lostBytes} bytes were not kept …]\n`)

export class OutputStore {
  readonly #entries = new Map<number, Entry>()
  readonly #limits: OutputLimits
  readonly #openStorage: OpenOutputStorage | undefined
  #storage: Promise<OutputStorage | undefined> | undefined
  #storageProblem: string | undefined
  #memoryBytes = 0
  #storedBytes = 0
  #nextId = 1
  #makingRoom: Promise<void> | undefined
  #isClosed = false
  #lastLoaded: { readonly chunk: Chunk; readonly bytes: Uint8Array } | undefined

  constructor(limits: OutputLimits, openStorage?: OpenOutputStorage) {
    this.#limits = limits
    this.#openStorage = openStorage
  }

  /** Why outputs cannot be put away, when that was tried and failed. */
  get storageProblem(): string | undefined {
    return this.#storageProblem
  }

  /** Keeps `text` and gives its address. */
  save(title: string, text: string): string {
    const writer = this.open(title)
    void writer.write(new TextEncoder().encode(text))
    writer.end()
    return writer.address
  }

  /** A new output, to be written while it comes into being. */
  open(title: string): OutputWriter {
    const id = this.#nextId++
    const entry = new Entry(id, title, chunk => this.#load(id, chunk))
    this.#entries.set(id, entry)
    this.#memoryBytes += entry.chunks.bufferBytes
    return Object.assign(entry, {
      write: (bytes: Uint8Array) => this.#write(entry, bytes),
      end: () => this.#changing(entry, () => entry.finish()),
      discard: () => this.#discard(entry),
    })
  }

  /** `undefined` when it never was, or was dropped for newer ones. */
  get(id: number): StoredOutput | undefined {
    return this.#entries.get(id)
  }

  /** Forgets everything. Calling it twice is fine. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#entries.clear()
    this.#lastLoaded = undefined
    await this.#makingRoom
    const storage = await this.#storage
    this.#storage = undefined
    await storage?.close()
  }

  #write(entry: Entry, bytes: Uint8Array): Promise<void> | undefined {
    if (this.#isClosed || entry.isEnded) return undefined
    this.#changing(entry, () => entry.chunks.append(bytes))
    if (this.#memoryBytes <= this.#limits.maxMemoryBytes) return undefined
    if (this.#openStorage === undefined || this.#storageProblem !== undefined) {
      this.#dropFromMemory()
      return undefined
    }
    this.#makingRoom ??= this.#makeRoom().finally(() => {
      this.#makingRoom = undefined
    })
    return this.#memoryBytes > this.#limits.maxMemoryBytes + slackBytes ? this.#makingRoom : undefined
  }

  #changing(entry: Entry, change: () => void): void {
    const before = entry.memoryBytes
    change()
    this.#memoryBytes += entry.memoryBytes - before
  }

  /** Puts the oldest pieces away until memory is within its bound. Never rejects. */
  async #makeRoom(): Promise<void> {
    const storage = await this.#openOnce()
    while (storage !== undefined && !this.#isClosed && this.#memoryBytes > this.#limits.maxMemoryBytes) {
      const oldest = this.#oldestInMemory()
      if (oldest === undefined) return
      const { entry, chunk, bytes } = oldest
      try {
        await storage.put(entry.id, chunk.index, bytes)
      } catch (error) {
        this.#storageProblem = messageOf(error)
        break
      }
      if (!this.#entries.has(entry.id)) {
        await this.#forgetStored(entry.id, chunk.index + 1)
        continue
      }
      this.#changing(entry, () => entry.move(chunk, { kind: 'stored' }))
      this.#storedBytes += bytes.length
      await this.#keepStorageWithin(entry)
    }
    if (storage === undefined || this.#storageProblem !== undefined) this.#dropFromMemory()
  }

  #openOnce(): Promise<OutputStorage | undefined> {
    this.#storage ??= (async () => {
      try {
        return await this.#openStorage?.()
      } catch (error) {
        this.#storageProblem = messageOf(error)
        return undefined
      }
    })()
    return this.#storage
  }

  #oldestInMemory(): { readonly entry: Entry; readonly chunk: Chunk; readonly bytes: Uint8Array } | undefined {
    for (const entry of this.#entries.values()) {
      const chunk = entry.firstInMemory
      if (chunk?.place.kind === 'memory') return { entry, chunk, bytes: chunk.place.bytes }
    }
    return undefined
  }

  /** Whole outputs go first, the oldest before others; the one that is written then loses its middle. */
  async #keepStorageWithin(current: Entry): Promise<void> {
    for (const entry of this.#entries.values()) {
      if (this.#storedBytes <= this.#limits.maxStoredBytes) return
      const hasStored = entry.chunks.full.some(chunk => chunk.place.kind === 'stored')
      if (entry !== current && entry.isEnded && hasStored) this.#drop(entry)
    }
    const surplus = current.chunks.full.find(chunk => chunk.index > 0 && chunk.place.kind === 'stored')
    if (this.#storedBytes <= this.#limits.maxStoredBytes || surplus === undefined) return
    this.#storedBytes -= surplus.sizeBytes
    current.move(surplus, { kind: 'lost' })
  }

  /** Without a storage: whole outputs first, then the middle of what is being written. Their first pieces stay. */
  #dropFromMemory(): void {
    const entries = [...this.#entries.values()]
    for (const entry of entries) {
      if (this.#memoryBytes <= this.#limits.maxMemoryBytes) return
      if (entry.isEnded && entry !== entries.at(-1)) this.#drop(entry)
    }
    for (const entry of entries) {
      for (const chunk of entry.chunks.full) {
        if (this.#memoryBytes <= this.#limits.maxMemoryBytes) return
        if (chunk.index > 0 && chunk.place.kind === 'memory') this.#changing(entry, () => entry.move(chunk, { kind: 'lost' }))
      }
    }
  }

  #discard(entry: Entry): void {
    const isLast = entry.id === this.#nextId - 1
    // Nobody was told its number, so the next output may have it; unless pieces of this one still lie in the storage under it.
    if (isLast && this.#entries.has(entry.id) && entry.chunks.full.every(chunk => chunk.place.kind === 'memory'))
      this.#nextId -= 1
    this.#drop(entry)
  }

  #drop(entry: Entry): void {
    if (!this.#entries.delete(entry.id)) return
    this.#memoryBytes -= entry.memoryBytes
    const stored = entry.chunks.full.filter(chunk => chunk.place.kind === 'stored')
    this.#storedBytes -= stored.reduce((sum, chunk) => sum + chunk.sizeBytes, 0)
    entry.finish()
    if (stored.length > 0) void this.#forgetStored(entry.id, entry.chunks.full.length)
  }

  /** What cannot be removed now goes when the session's storage is closed. */
  async #forgetStored(id: number, chunkCount: number): Promise<void> {
    try {
      await (await this.#storage)?.remove(id, chunkCount)
    } catch (error) {
      this.#storageProblem = messageOf(error)
    }
  }

  async #load(id: number, chunk: Chunk): Promise<Uint8Array> {
    const { place } = chunk
    if (place.kind === 'memory') return place.bytes
    if (place.kind === 'lost') return new Uint8Array(0)
    // Neighbouring lines are asked for one after the other.
    if (this.#lastLoaded?.chunk === chunk) return this.#lastLoaded.bytes
    const bytes = await (await this.#storage)?.get(id, chunk.index)
    if (bytes === undefined) {
      // Somebody cleared the storage behind our back, as a browser may under pressure.
      chunk.place = { kind: 'lost' }
      return new Uint8Array(0)
    }
    this.#lastLoaded = { chunk, bytes }
    return bytes
  }
}

class Entry implements StoredOutput {
  readonly id: number
  readonly address: string
  readonly title: string
  readonly chunks = new OutputChunks()
  readonly #load: (chunk: Chunk) => Promise<Uint8Array>
  #movedBytes = 0
  #firstInMemory = 0
  #lostBytes = 0
  #isEnded = false

  constructor(id: number, title: string, load: (chunk: Chunk) => Promise<Uint8Array>) {
    this.id = id
    this.address = `artifact://${id}`
    this.title = title
    this.#load = load
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
    // Pieces leave memory and never come back.
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
    return joined(parts)
  }

  async startOfLine(lineIndex: number): Promise<number> {
    if (lineIndex <= 0) return 0
    const chunk = this.chunks.withNewline(lineIndex)
    if (chunk === undefined) return this.sizeBytes
    const bytes = await this.#load(chunk)
    let at = -1
    for (let newlines = chunk.startNewlines; newlines < lineIndex; newlines++) {
      at = bytes.indexOf(0x0a, at + 1)
      // Only in a piece that is lost.
      if (at === -1) return chunk.startByte
    }
    return chunk.startByte + at + 1
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
