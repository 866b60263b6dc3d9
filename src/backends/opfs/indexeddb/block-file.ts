// A file of the log as blocks in memory, and which of them the database does not have yet. It keeps no history: the change to store is
// the difference between the current state and the state that was stored last.

import type { LogFile } from '../log/storage.ts'
import { blockBytes, type FileChange } from './blocks.ts'

export class BlockFile implements LogFile {
  readonly number: number
  /** Each block has its full capacity; only the last one is filled partly, up to the size of the file. */
  readonly #blocks: Uint8Array[] = []
  #sizeBytes = 0
  /** Blocks from this index on differ from what is stored. */
  #dirtyFrom = 0
  #storedBlocks = 0
  readonly #onChange: () => void
  readonly #onFlush: () => void

  constructor(number: number, stored: readonly Uint8Array[], onChange: () => void, onFlush: () => void) {
    this.number = number
    this.#onChange = onChange
    this.#onFlush = onFlush
    for (const block of stored) this.#append(block)
    this.#dirtyFrom = this.#storedBlocks = stored.length
  }

  sizeBytes(): number {
    return this.#sizeBytes
  }

  read(target: Uint8Array, offset: number): number {
    const end = Math.min(this.#sizeBytes, offset + target.length)
    let at = offset
    while (at < end) {
      const within = at % blockBytes
      const length = Math.min(end - at, blockBytes - within)
      const block = this.#blocks[Math.floor(at / blockBytes)]
      if (block === undefined) throw new Error('a file has fewer blocks than its size says')
      target.set(block.subarray(within, within + length), at - offset)
      at += length
    }
    return Math.max(0, at - offset)
  }

  append(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#dirtyFrom = Math.min(this.#dirtyFrom, Math.floor(this.#sizeBytes / blockBytes))
    this.#append(bytes)
    this.#onChange()
  }

  truncate(sizeBytes: number): void {
    if (sizeBytes >= this.#sizeBytes) return
    this.#sizeBytes = sizeBytes
    this.#blocks.length = Math.ceil(sizeBytes / blockBytes)
    // A block that was full may be on its way to the database, so it is never overwritten.
    const last = this.#blocks.pop()
    if (last !== undefined) this.#blocks.push(last.slice())
    this.#dirtyFrom = Math.min(this.#dirtyFrom, Math.floor(sizeBytes / blockBytes))
    this.#onChange()
  }

  flush(): void {
    this.#onFlush()
  }

  /** Gives the change to store now and counts it as stored from then on. `undefined` if there is none. */
  takeChange(): FileChange | undefined {
    const count = this.#blocks.length
    const drop = this.#storedBlocks > count ? { from: count, until: this.#storedBlocks } : undefined
    const puts: { readonly index: number; readonly bytes: Uint8Array }[] = []
    for (let index = this.#dirtyFrom; index < count; index++) {
      const block = this.#blocks[index]
      if (block === undefined) continue
      const isFull = (index + 1) * blockBytes <= this.#sizeBytes
      puts.push({ index, bytes: isFull ? block : block.slice(0, this.#sizeBytes - index * blockBytes) })
    }
    this.#storedBlocks = count
    this.#dirtyFrom = count
    return drop === undefined && puts.length === 0 ? undefined : { file: this.number, drop, puts }
  }

  /** Gives the next part of removing a file: at most `maxBlocks` of its last blocks. `undefined` once none are left. */
  takeDrop(maxBlocks: number): FileChange | undefined {
    const until = this.#storedBlocks
    if (until === 0) return undefined
    const from = Math.max(0, until - maxBlocks)
    this.#storedBlocks = from
    return { file: this.number, drop: { from, until }, puts: [] }
  }

  #append(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) {
      const within = this.#sizeBytes % blockBytes
      const index = Math.floor(this.#sizeBytes / blockBytes)
      const block = (this.#blocks[index] ??= new Uint8Array(blockBytes))
      const piece = bytes.subarray(done, done + blockBytes - within)
      block.set(piece, within)
      done += piece.length
      this.#sizeBytes += piece.length
    }
  }
}
