// The contents of the files that a program has open. What it writes is kept here and replaces the file in one step when the file is closed,
// so that a program that is ended leaves no half of a file.

import { joinBytes } from '../../core/bytes.ts'
import type { FileStat } from '../../shell/files.ts'

export interface FileCalls {
  lstat(path: string): FileStat
  readFile(path: string, range?: { readonly start: number; readonly end: number }): Uint8Array
  writeFile(
    path: string,
    data: Uint8Array,
    options: { readonly append?: boolean; readonly mode?: number; readonly create?: 'if-missing' | 'exclusive' },
  ): void
}

/** Larger files are read in windows as long as nothing is written to them. */
const mostWholeBytes = 4 * 1024 * 1024
const windowBytes = 1024 * 1024

/** Numbers for files that exist for the program only. */
let nextIno = 2 ** 40

export class OpenFile {
  /** `undefined` after the file was removed. */
  path: string | undefined
  users = 0
  /** The program has made the file, and nobody else sees it yet. */
  isNew: boolean
  mode: number | undefined
  /** It stays the same while the file is open: SQLite takes another number for another file. */
  readonly ino: number
  readonly #calls: FileCalls
  /** The whole content, or `undefined` if it is still only where it was. */
  #bytes: Uint8Array | undefined
  /** The size of `#bytes` that is used, or of the file where nothing of it is held. */
  #sizeBytes: number
  #appended: Uint8Array[] = []
  #appendedBytes = 0
  #isChanged = false
  #window: { readonly start: number; readonly bytes: Uint8Array } | undefined
  changedMs: number | undefined

  constructor(calls: FileCalls, path: string, known: { readonly sizeBytes: number; readonly ino: number } | 'new') {
    this.#calls = calls
    this.path = path
    this.isNew = known === 'new'
    this.ino = known === 'new' ? nextIno++ : known.ino
    this.#bytes = known === 'new' ? new Uint8Array() : undefined
    this.#sizeBytes = known === 'new' ? 0 : known.sizeBytes
  }

  get sizeBytes(): number {
    return this.#sizeBytes + this.#appendedBytes
  }

  get isChanged(): boolean {
    return this.#isChanged || this.isNew || this.#appendedBytes > 0
  }

  read(into: Uint8Array, position: number): number {
    if (this.#bytes === undefined && (this.#appendedBytes > 0 || this.#sizeBytes <= mostWholeBytes)) this.#hold()
    const bytes = this.#bytes
    if (bytes !== undefined) {
      const piece = bytes.subarray(Math.min(position, this.#sizeBytes), Math.min(position + into.length, this.#sizeBytes))
      into.set(piece)
      return piece.length
    }
    const window = this.#windowAt(position)
    const piece = window.bytes.subarray(position - window.start, position - window.start + into.length)
    into.set(piece)
    return piece.length
  }

  write(data: Uint8Array, position: number, isAppend: boolean): void {
    this.#changed()
    if (isAppend && this.#bytes === undefined) {
      this.#appended.push(data.slice())
      this.#appendedBytes += data.length
      return
    }
    const bytes = this.#reserve(position + data.length)
    bytes.set(data, position)
    this.#isChanged = true
  }

  truncate(sizeBytes: number): void {
    this.#changed()
    this.#isChanged = true
    if (sizeBytes === 0) {
      this.#bytes = new Uint8Array()
      this.#sizeBytes = 0
      this.#appended = []
      this.#appendedBytes = 0
      return
    }
    const bytes = this.#reserve(sizeBytes)
    bytes.fill(0, sizeBytes)
    this.#sizeBytes = sizeBytes
  }

  /** Writes what was changed to the file. */
  commit(): void {
    if (!this.isChanged || this.path === undefined) return
    const mode = this.mode === undefined ? {} : { mode: this.mode }
    const isAppendOnly = !this.#isChanged && !this.isNew
    const data = isAppendOnly ? joinBytes(this.#appended) : this.#hold().slice(0, this.#sizeBytes)
    this.#calls.writeFile(
      this.path,
      data,
      isAppendOnly ? { append: true } : { create: this.isNew ? 'exclusive' : 'if-missing', ...mode },
    )
    if (isAppendOnly) {
      this.#sizeBytes += this.#appendedBytes
      this.#appended = []
      this.#appendedBytes = 0
    }
    this.isNew = false
    this.#isChanged = false
    this.changedMs = undefined
  }

  #changed(): void {
    this.changedMs = Date.now()
    this.#window = undefined
  }

  #hold(): Uint8Array {
    if (this.#bytes === undefined) {
      if (this.path === undefined) return new Uint8Array()
      const before = this.#calls.readFile(this.path)
      this.#isChanged ||= this.#appendedBytes > 0
      this.#bytes = joinBytes([before, ...this.#appended])
      this.#sizeBytes = this.#bytes.length
      this.#appended = []
      this.#appendedBytes = 0
    }
    return this.#bytes
  }

  /** The content, with room for `sizeBytes`. */
  #reserve(sizeBytes: number): Uint8Array {
    let bytes = this.#hold()
    if (sizeBytes > bytes.length) {
      const larger = new Uint8Array(Math.max(sizeBytes, bytes.length * 2, 1024))
      larger.set(bytes.subarray(0, this.#sizeBytes))
      bytes = larger
      this.#bytes = larger
    }
    this.#sizeBytes = Math.max(this.#sizeBytes, sizeBytes)
    return bytes
  }

  #windowAt(position: number): { readonly start: number; readonly bytes: Uint8Array } {
    const window = this.#window
    if (window !== undefined && position >= window.start && position < window.start + window.bytes.length) return window
    if (this.path === undefined || position >= this.#sizeBytes) return { start: position, bytes: new Uint8Array() }
    const bytes = this.#calls.readFile(this.path, { start: position, end: position + windowBytes })
    this.#window = { start: position, bytes }
    return this.#window
  }
}
