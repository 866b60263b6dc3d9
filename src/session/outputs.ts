// Complete outputs that were too long to show, which can be read in pages as `artifact://<id>`. They are written while a command
// runs, first to memory and then to a storage, oldest first, so that an output can be larger than memory. Saving the state of the
// session writes all of them to the storage, so that they outlive the session.

import type { CloseOptions } from '../core/tool.ts'
import type { OpenOutputStorage, OutputStorage } from '../core/output-storage.ts'
import type { Chunk } from './output-chunks.ts'
import { OutputEntry, type OutputWriter, type StoredOutput } from './output-entry.ts'
import { OutputPlace } from './output-place.ts'
import type { SavedOutputs } from './saved-outputs.ts'

export interface OutputLimits {
  /** The memory limit for all outputs of the session together. */
  readonly maxMemoryBytes: number
  /** The storage limit for all outputs of the session together. */
  readonly maxStoredBytes: number
}

export type FoundOutput =
  | { readonly kind: 'kept'; readonly output: StoredOutput }
  /** The output never existed, or was dropped in favour of newer ones. */
  | { readonly kind: 'unknown' }
  /** The output belongs to an earlier session. `why` is a sentence with the reason why it cannot be read. */
  | { readonly kind: 'gone'; readonly why: string }

// A writer waits while memory exceeds its limit by more than this.
const slackBytes = 4 * 1024 * 1024

export class OutputStore {
  readonly #entries = new Map<number, OutputEntry>()
  readonly #limits: OutputLimits
  readonly #place: OutputPlace
  /** Outputs with a lower ID are from an earlier session. */
  readonly #firstOwnId: number
  readonly #restored: SavedOutputs | undefined
  #memoryBytes = 0
  #storedBytes = 0
  #nextId: number
  #puttingAway: Promise<void> | undefined
  #isClosed = false
  #lastLoaded: { readonly chunk: Chunk; readonly bytes: Uint8Array } | undefined

  /** `saved` is from an earlier session, and has been checked. */
  constructor(limits: OutputLimits, openStorage?: OpenOutputStorage, saved?: SavedOutputs) {
    this.#limits = limits
    this.#nextId = saved?.nextId ?? 1
    this.#firstOwnId = this.#nextId
    this.#restored = saved
    this.#place = new OutputPlace(
      openStorage,
      saved?.place === undefined ? undefined : { name: saved.place, nextOutputId: saved.nextId },
    )
    if (saved?.place === undefined) return
    for (const { id, title, chunks } of saved.outputs) {
      const entry = new OutputEntry({ id, title }, chunk => this.#load(id, chunk), chunks)
      this.#entries.set(id, entry)
      this.#storedBytes += entry.storedBytes
    }
  }

  /** Stores `text` and returns its address. */
  save(title: string, text: string): string {
    const writer = this.open(title)
    void writer.write(new TextEncoder().encode(text))
    writer.end()
    return writer.address
  }

  open(title: string): OutputWriter {
    const id = this.#nextId++
    const entry = new OutputEntry({ id, title }, chunk => this.#load(id, chunk))
    this.#entries.set(id, entry)
    this.#memoryBytes += entry.chunks.bufferBytes
    return Object.assign(entry, {
      write: (bytes: Uint8Array) => this.#write(entry, bytes),
      end: () => this.#changing(entry, () => entry.finish()),
      discard: () => this.#discard(entry),
    })
  }

  async find(id: number): Promise<FoundOutput> {
    if (this.#restored?.place !== undefined && id < this.#firstOwnId) await this.#openPlace()
    const output = this.#entries.get(id)
    if (output !== undefined) return { kind: 'kept', output }
    if (id < 1 || id >= this.#firstOwnId) return { kind: 'unknown' }
    if (this.#restored?.place === undefined)
      return { kind: 'gone', why: 'It was kept in memory, and was lost with that page or process.' }
    const { whyGone } = this.#place
    return whyGone === undefined ? { kind: 'unknown' } : { kind: 'gone', why: whyGone }
  }

  /**
   * Moves everything to the storage, where it outlives the session, and returns a description. Returns `undefined` if there are
   * no outputs. An output that cannot be stored, or is dropped later, is missing in a session that continues.
   */
  async keep(): Promise<SavedOutputs | undefined> {
    if (this.#nextId === 1) return undefined
    const isAsItWas = this.#nextId === this.#firstOwnId && !this.#place.isOpened
    if (this.#restored !== undefined && isAsItWas) return this.#restored
    while (this.#puttingAway !== undefined) await this.#puttingAway
    let saved: SavedOutputs = { nextId: this.#nextId, place: undefined, outputs: [] }
    await this.#inTurn(async () => {
      if (this.#entries.size > 0) saved = (await this.#keepNow()) ?? saved
    })
    return saved
  }

  /** Returns `undefined` if nothing can be stored. Never rejects. */
  async #keepNow(): Promise<SavedOutputs | undefined> {
    const storage = await this.#openPlace()
    if (storage?.keep === undefined || !this.#place.isUsable) return undefined
    // The description must be consistent, so output that is written meanwhile is left for the next save.
    const nextId = this.#nextId
    const entries = [...this.#entries.values()].map(entry => ({
      entry,
      output: { id: entry.id, title: entry.title, chunks: entry.chunks.save() },
      inMemory: [...entry.chunks.full, ...entry.chunks.unfinished],
    }))
    try {
      for (const { entry, inMemory } of entries)
        for (const chunk of inMemory) if (chunk.place.kind === 'memory') await this.#put(storage, entry, chunk, chunk.place.bytes)
      const place = await storage.keep(this.#storedBytes)
      return { nextId, place, outputs: entries.flatMap(({ entry, output }) => (this.#entries.has(entry.id) ? [output] : [])) }
    } catch {
      this.#place.failed()
      return undefined
    }
  }

  /** Releases all resources. Stored outputs are removed only with `forget`. Can be called twice. */
  async close({ forget = false }: CloseOptions = {}): Promise<void> {
    this.#isClosed = true
    this.#entries.clear()
    this.#lastLoaded = undefined
    await this.#puttingAway
    await this.#place.close(forget)
  }

  #write(entry: OutputEntry, bytes: Uint8Array): Promise<void> | undefined {
    if (this.#isClosed || entry.isEnded) return undefined
    this.#changing(entry, () => entry.chunks.append(bytes))
    if (this.#memoryBytes <= this.#limits.maxMemoryBytes) return undefined
    if (!this.#place.isUsable) {
      this.#dropFromMemory()
      return undefined
    }
    const puttingAway = this.#puttingAway ?? this.#inTurn(() => this.#putAway(this.#limits.maxMemoryBytes))
    return this.#memoryBytes > this.#limits.maxMemoryBytes + slackBytes ? puttingAway : undefined
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const working = work().finally(() => {
      this.#puttingAway = undefined
    })
    this.#puttingAway = working
    return working
  }

  #changing(entry: OutputEntry, change: () => void): void {
    const before = entry.memoryBytes
    change()
    this.#memoryBytes += entry.memoryBytes - before
  }

  /** Moves the oldest chunks to the storage until the full chunks in memory take at most `maxBytes`. Never rejects. */
  async #putAway(maxBytes: number): Promise<void> {
    const storage = await this.#openPlace()
    while (storage !== undefined && !this.#isClosed && this.#memoryBytes > maxBytes) {
      const oldest = this.#oldestInMemory()
      if (oldest === undefined) return
      const { entry, chunk, bytes } = oldest
      try {
        await this.#put(storage, entry, chunk, bytes)
      } catch {
        this.#place.failed()
        break
      }
    }
    if (!this.#place.isUsable) this.#dropFromMemory()
  }

  async #put(storage: OutputStorage, entry: OutputEntry, chunk: Chunk, bytes: Uint8Array): Promise<void> {
    await storage.put(entry.id, chunk.index, bytes)
    if (!this.#entries.has(entry.id)) return this.#forgetStored(entry.id, chunk.index + 1)
    // The unfinished chunk is stored again when it is full.
    if (entry.chunks.full[chunk.index] !== chunk) return
    this.#changing(entry, () => entry.move(chunk, { kind: 'stored' }))
    this.#storedBytes += bytes.length
    await this.#keepStorageWithin(entry)
  }

  async #openPlace(): Promise<OutputStorage | undefined> {
    const storage = await this.#place.storage()
    if (this.#place.whyGone === undefined) return storage
    // The storage is new and does not contain the outputs of the earlier session.
    for (const entry of this.#entries.values()) if (entry.id < this.#firstOwnId) this.#forget(entry)
    return storage
  }

  #oldestInMemory(): { readonly entry: OutputEntry; readonly chunk: Chunk; readonly bytes: Uint8Array } | undefined {
    for (const entry of this.#entries.values()) {
      const chunk = entry.firstInMemory
      if (chunk?.place.kind === 'memory') return { entry, chunk, bytes: chunk.place.bytes }
    }
    return undefined
  }

  /** Drops whole outputs, oldest first, and then the middle of the output that is being written. */
  async #keepStorageWithin(current: OutputEntry): Promise<void> {
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

  /** Without a storage, drops whole outputs first, and then the middle of the output that is being written. The first chunks are kept. */
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

  #discard(entry: OutputEntry): void {
    const isLast = entry.id === this.#nextId - 1
    // No caller knows this number, so the next output can use it, unless the storage still has chunks under it.
    if (isLast && this.#entries.has(entry.id) && entry.chunks.full.every(chunk => chunk.place.kind === 'memory'))
      this.#nextId -= 1
    this.#drop(entry)
  }

  #drop(entry: OutputEntry): void {
    if (!this.#entries.has(entry.id)) return
    this.#forget(entry)
    const hasStored = entry.chunks.full.some(chunk => chunk.place.kind === 'stored')
    if (hasStored) void this.#forgetStored(entry.id, entry.chunks.full.length)
  }

  #forget(entry: OutputEntry): void {
    this.#entries.delete(entry.id)
    this.#memoryBytes -= entry.memoryBytes
    this.#storedBytes -= entry.storedBytes
    entry.finish()
  }

  /** Removes chunks from the storage. Those that cannot be removed now are removed when the storage of the session is closed. */
  async #forgetStored(id: number, chunkCount: number): Promise<void> {
    try {
      await (await this.#place.storage())?.remove(id, chunkCount)
    } catch {
      this.#place.failed()
    }
  }

  async #load(id: number, chunk: Chunk): Promise<Uint8Array> {
    const { place } = chunk
    if (place.kind === 'memory') return place.bytes
    if (place.kind === 'lost') return new Uint8Array(0)
    // Adjacent lines are usually read in succession.
    if (this.#lastLoaded?.chunk === chunk) return this.#lastLoaded.bytes
    const bytes = await (await this.#place.storage())?.get(id, chunk.index)
    if (bytes === undefined || bytes.length < chunk.sizeBytes) {
      // The storage was cleared by something else, for example by a browser that needed space.
      chunk.place = { kind: 'lost' }
      return new Uint8Array(0)
    }
    // The stored chunk is longer if it still grew after the session was saved.
    const wanted = bytes.subarray(0, chunk.sizeBytes)
    this.#lastLoaded = { chunk, bytes: wanted }
    return wanted
  }
}
