// The files of a store in memory, so that a copy can be examined and repaired while the original does not change.

import { joinBytes } from '../../../core/bytes.ts'
import type { LogFile, LogStorage } from './storage.ts'

class MemoryFile implements LogFile {
  #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get bytes(): Uint8Array {
    return this.#bytes
  }

  sizeBytes(): number {
    return this.#bytes.length
  }

  read(target: Uint8Array, offset: number): number {
    const found = this.#bytes.subarray(offset, offset + target.length)
    target.set(found)
    return found.length
  }

  append(bytes: Uint8Array): void {
    this.#bytes = joinBytes([this.#bytes, bytes])
  }

  truncate(sizeBytes: number): void {
    this.#bytes = this.#bytes.slice(0, sizeBytes)
  }

  flush(): void {}
}

export class MemoryStorage implements LogStorage {
  readonly files: readonly LogFile[]
  readonly #open: MemoryFile[]

  /** `contents` has one entry per file. */
  constructor(contents: readonly Uint8Array[]) {
    this.#open = contents.map(bytes => new MemoryFile(bytes))
    this.files = [...this.#open]
  }

  /** The contents of every file that is not empty. */
  get contents(): readonly Uint8Array[] {
    return this.#open.map(({ bytes }) => bytes).filter(({ length }) => length > 0)
  }

  take(): LogFile {
    const file = new MemoryFile(new Uint8Array())
    this.#open.push(file)
    return file
  }

  discard(file: LogFile): void {
    file.truncate(0)
  }

  async settle(): Promise<void> {}

  async close(): Promise<void> {}
}
