// Files that are open for reading, for writing or for both, and directories.

import { type OpenFile, refuseReading, refuseWriting } from './descriptors.ts'
import type { OpenFiles, Unsaved } from './open-files.ts'
import type { Awaitable } from '../../../shell/files.ts'
import { errno } from '../errno.ts'

/** Large files are read in pieces of this size, so that a command can be interrupted between them. */
const pieceBytes = 128 * 1024

export class FileReader implements OpenFile {
  readonly kind = 'file'
  readonly canRead = true
  readonly canWrite = false
  readonly path: string
  readonly #files: OpenFiles
  readonly #onClosed: () => void
  #content: Uint8Array | undefined
  #position = 0

  constructor(path: string, files: OpenFiles, onClosed: () => void) {
    this.path = path
    this.#files = files
    this.#onClosed = onClosed
  }

  async load(): Promise<Uint8Array> {
    this.#content ??= await this.#files.readFile(this.path)
    return this.#content
  }

  /** Discards the cached content. The next read loads it again. */
  forget(): void {
    this.#content = undefined
  }

  read(): Awaitable<Uint8Array | undefined> {
    return this.#content === undefined ? this.load().then(content => this.#rest(content)) : this.#rest(this.#content)
  }

  #rest(content: Uint8Array): Uint8Array | undefined {
    const piece = content.subarray(this.#position, this.#position + pieceBytes)
    this.#position += piece.length
    return piece.length === 0 ? undefined : piece
  }

  unread(bytes: Uint8Array): void {
    // Callers return bytes only from the last chunk.
    this.#position -= bytes.length
  }

  write: OpenFile['write'] = refuseWriting

  close(): void {
    this.#onClosed()
  }
}

export class FileWriter implements OpenFile {
  readonly kind = 'file'
  readonly canRead = false
  readonly canWrite = true
  readonly path: string
  readonly isAppending: boolean
  readonly #unsaved: Unsaved
  readonly #files: OpenFiles
  #position = 0

  constructor(path: string, unsaved: Unsaved, files: OpenFiles, isAppending: boolean) {
    this.path = path
    this.#unsaved = unsaved
    this.#files = files
    this.isAppending = isAppending
  }

  read: OpenFile['read'] = refuseReading

  unread(): void {
    // The file is open for writing only.
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.isAppending) return this.#files.append(this.#unsaved, bytes)
    const position = this.#position
    this.#position += bytes.length
    return this.#files.writeAt(this.#unsaved, position, bytes)
  }

  close(): Promise<void> {
    return this.#files.release(this.#unsaved)
  }
}

/** A file opened with `<>`, with one position for reading and writing. It rewrites the whole file on each write, since this is rare. */
export class BothWaysFile implements OpenFile {
  readonly kind = 'file'
  readonly canRead = true
  readonly canWrite = true
  readonly path: string
  readonly #files: OpenFiles
  #position = 0

  constructor(path: string, files: OpenFiles) {
    this.path = path
    this.#files = files
  }

  async read(): Promise<Uint8Array | undefined> {
    const rest = (await this.#files.readFile(this.path)).subarray(this.#position)
    this.#position += rest.length
    return rest.length === 0 ? undefined : rest
  }

  unread(bytes: Uint8Array): void {
    this.#position -= bytes.length
  }

  async write(bytes: Uint8Array): Promise<void> {
    const content = await this.#files.readFile(this.path)
    const all = new Uint8Array(Math.max(content.length, this.#position + bytes.length))
    all.set(content)
    all.set(bytes, this.#position)
    this.#position += bytes.length
    await this.#files.writeFile(this.path, all)
  }

  close(): void {
    // Each write is saved immediately.
  }
}

export class DirectoryFile implements OpenFile {
  readonly kind = 'file'
  readonly canRead = true
  readonly canWrite = false
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  read(): never {
    throw errno('EISDIR', 'illegal operation on a directory', this.path)
  }

  unread(): void {
    // Reading a directory always fails, so no bytes can be put back.
  }

  write: OpenFile['write'] = refuseWriting

  close(): void {
    // A directory has no buffered content.
  }
}
