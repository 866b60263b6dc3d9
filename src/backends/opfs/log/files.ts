// The store's files by number: the kind of each, and how to begin a new one.

import { encodeHeader, type FileKind, formatVersion, headerBytes, type NumberedFile } from './header.ts'
import type { Discarding, LogFile, LogStorage } from './storage.ts'

/** The number that stands for the place of a content that is lost. */
export const lostNumber = 0xffff_ffff

export class StoreFiles {
  nextNumber = 1
  readonly storage: LogStorage
  readonly #byNumber = new Map<number, NumberedFile>()
  /** Files that are referred to and do not exist. */
  readonly missing: Set<number> = new Set()

  /** Files that a checkpoint or a record refers to as the place of a content. */
  readonly referenced: Set<number> = new Set()
  #lastReferenced = 0
  readonly #absent = new Map<number, NumberedFile & { number: number }>()

  constructor(storage: LogStorage) {
    this.storage = storage
  }

  /** Adds an existing file with a valid header. */
  add(file: LogFile, kind: FileKind, number: number, version: number): void {
    this.#byNumber.set(number, { file, kind, number, version, sizeBytes: file.sizeBytes(), isGone: false })
    this.nextNumber = Math.max(this.nextNumber, number + 1)
  }

  /** The file that holds a content. Number 0 means no file: the content is empty. */
  at(number: number): NumberedFile {
    // Contents that were written together are usually in the same file.
    if (number !== this.#lastReferenced) this.referenced.add(number)
    this.#lastReferenced = number
    const found = this.#byNumber.get(number)
    if (found !== undefined) return found
    if (number !== 0 && number !== lostNumber) this.missing.add(number)
    const absent = this.#absent.get(number) ?? { ...absentFile, number }
    this.#absent.set(number, absent)
    return absent
  }

  /** The loss of the files that do not exist was accepted: what is stored from now on does not name them. */
  acceptMissing(): void {
    for (const number of this.missing) {
      const absent = this.#absent.get(number)
      if (absent !== undefined) absent.number = lostNumber
    }
    this.missing.clear()
  }

  /** The size of all files with contents, whether in use or not. */
  get contentFileBytes(): number {
    let sum = 0
    for (const { kind, sizeBytes } of this.#byNumber.values()) if (kind === 'segment' || kind === 'side') sum += sizeBytes
    return sum
  }

  /** In the order of their numbers. */
  of(kind: FileKind): NumberedFile[] {
    return [...this.#byNumber.values()].filter(file => file.kind === kind).sort((a, b) => a.number - b.number)
  }

  /** Begins a file and flushes its header before anything can follow. `undefined` if there is no spare file. */
  begin(kind: FileKind): NumberedFile | undefined {
    const file = this.storage.take()
    if (file === undefined) return undefined
    const number = this.nextNumber
    try {
      file.append(encodeHeader(kind, number))
      file.flush()
    } catch (error) {
      this.storage.discard(file)
      throw error
    }
    const begun = { file, kind, number, version: formatVersion, sizeBytes: headerBytes, isGone: false }
    this.nextNumber++
    this.#byNumber.set(number, begun)
    return begun
  }

  discard(numbered: NumberedFile, when: Discarding = 'at once'): void {
    numbered.isGone = true
    this.#byNumber.delete(numbered.number)
    this.storage.discard(numbered.file, when)
  }
}

const nothing: LogFile = {
  sizeBytes: () => 0,
  read: () => 0,
  append() {
    throw new Error('a file that is not there was written')
  },
  truncate() {},
  flush() {},
}

const absentFile: Omit<NumberedFile, 'number'> = {
  file: nothing,
  kind: 'side',
  version: formatVersion,
  sizeBytes: 0,
  isGone: false,
}
