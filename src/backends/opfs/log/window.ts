// Reads a file from start to end in large pieces, because a call to the platform costs more than copying the bytes.

import { crc32c } from './crc32c.ts'
import type { LogFile } from './storage.ts'

const windowBytes = 1024 * 1024

export class FileWindow {
  readonly sizeBytes: number
  readonly #file: LogFile
  readonly #buffer: Uint8Array
  #start = 0
  #length = 0

  constructor(file: LogFile) {
    this.#file = file
    this.sizeBytes = file.sizeBytes()
    this.#buffer = new Uint8Array(Math.min(windowBytes, this.sizeBytes))
  }

  /** At most the size of a window, and only existing bytes. Valid until the next call. */
  read(offset: number, sizeBytes: number): Uint8Array {
    if (offset < this.#start || offset + sizeBytes > this.#start + this.#length) {
      this.#start = offset
      this.#length = this.#file.read(this.#buffer, offset)
    }
    return this.#buffer.subarray(offset - this.#start, Math.min(offset - this.#start + sizeBytes, this.#length))
  }

  /** The available bytes from `offset` on: at least `sizeBytes`, if the file has that many. Valid until the next call. */
  readSome(offset: number, sizeBytes: number): Uint8Array {
    this.read(offset, sizeBytes)
    return this.#buffer.subarray(offset - this.#start, this.#length)
  }

  checksum(offset: number, sizeBytes: number): number {
    let sum = 0
    for (let done = 0; done < sizeBytes;) {
      const piece = this.read(offset + done, Math.min(sizeBytes - done, this.#buffer.length))
      if (piece.length === 0) break
      sum = crc32c(piece, 0, piece.length, sum)
      done += piece.length
    }
    return sum
  }
}
