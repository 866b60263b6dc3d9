// Space that is kept for deletions when the disk is full: a file that is then emptied.

import { isQuotaError, storageError } from './failure.ts'
import type { StoreFiles } from './files.ts'
import { headerBytes, type NumberedFile } from './header.ts'

const reserveBytes = 1024 * 1024

export class Reserve {
  readonly #files: StoreFiles
  #file: NumberedFile | undefined

  constructor(files: StoreFiles) {
    this.#files = files
    const [found, ...extra] = files.of('reserve')
    this.#file = found
    for (const file of extra) files.discard(file)
  }

  /** Best effort: on a full disk there is no reserve. Throws `VfsError` EIO. */
  keep(): void {
    if (this.#file !== undefined && this.#file.sizeBytes > reserveBytes) return
    let begun: NumberedFile | undefined
    try {
      begun = this.#file ?? this.#files.begin('reserve')
      if (begun === undefined) return
      this.#file = begun
      begun.file.append(new Uint8Array(reserveBytes))
      begun.sizeBytes += reserveBytes
    } catch (error) {
      if (!isQuotaError(error)) throw storageError(error, 'write')
      begun?.file.truncate(headerBytes)
    }
  }

  /** Whether its space was given away and is not back yet. */
  get isOpen(): boolean {
    return this.#file !== undefined && this.#file.sizeBytes <= headerBytes
  }

  /** Frees the space of the reserve. Returns whether there was any. */
  open(): boolean {
    if (this.#file === undefined || this.#file.sizeBytes <= headerBytes) return false
    this.#file.file.truncate(headerBytes)
    this.#file.sizeBytes = headerBytes
    return true
  }
}
