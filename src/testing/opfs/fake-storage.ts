// A disk for the log that records every write, so that a test can simulate a power failure after any byte, or lose any write that was not
// flushed.

import type { LogFile, LogStorage } from '../../backends/opfs/log/storage.ts'
import type { Random } from '../random.ts'

export type DiskWrite = { readonly file: number } & (
  | { readonly kind: 'append'; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly sizeBytes: number }
  | { readonly kind: 'flush' }
)

export class FakeDisk {
  readonly writes: DiskWrite[] = []
  /** `isShared`: the buffer is used elsewhere, and is copied before it is changed. */
  readonly #files: { buffer: Uint8Array; sizeBytes: number; isShared?: boolean }[]
  /** The limit for all files together. Above it, appends fail like a full disk, after writing a part. */
  quotaBytes: number = Infinity

  constructor(contents: readonly Uint8Array[] = []) {
    this.#files = contents.map(content => ({ buffer: content, sizeBytes: content.length, isShared: true }))
  }

  storage(): LogStorage {
    const spare: number[] = []
    const file = (index: number): LogFile => ({
      sizeBytes: () => this.#at(index).length,
      read: (target, offset) => {
        const found = this.#at(index).subarray(offset, offset + target.length)
        target.set(found)
        return found.length
      },
      append: bytes => this.#append(index, bytes),
      truncate: sizeBytes => this.#do({ file: index, kind: 'truncate', sizeBytes }),
      flush: () => this.#do({ file: index, kind: 'flush' }),
    })
    const files = this.#files.map((_, index) => file(index))
    const indexes = new Map(files.map((open, index) => [open, index]))
    for (const [index, { sizeBytes }] of this.#files.entries()) if (sizeBytes === 0) spare.push(index)
    return {
      files,
      take: () => {
        const index = spare.pop() ?? this.#files.push({ buffer: new Uint8Array(64), sizeBytes: 0 }) - 1
        const open = file(index)
        indexes.set(open, index)
        return open
      },
      discard(open) {
        open.truncate(0)
        open.flush()
        const index = indexes.get(open)
        if (index !== undefined) spare.push(index)
      },
      settle: async () => {},
      close: async () => {},
    }
  }

  get usedBytes(): number {
    return this.#files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  }

  contents(): readonly Uint8Array[] {
    return this.#files.map((_, index) => this.#at(index).slice())
  }

  #at(index: number): Uint8Array {
    const file = this.#files[index]
    return file === undefined ? new Uint8Array() : file.buffer.subarray(0, file.sizeBytes)
  }

  #append(index: number, bytes: Uint8Array): void {
    const offset = this.#at(index).length
    const room = Math.max(0, this.quotaBytes - this.usedBytes)
    this.#do({ file: index, kind: 'append', offset, bytes: bytes.slice(0, room) })
    if (bytes.length > room) throw new DOMException('there is no more room', 'QuotaExceededError')
  }

  #do(write: DiskWrite): void {
    this.writes.push(write)
    const file = this.#files[write.file]
    if (file === undefined || write.kind === 'flush') return
    const end = write.kind === 'truncate' ? write.sizeBytes : write.offset + write.bytes.length
    if (file.isShared === true) {
      file.buffer = file.buffer.slice()
      file.isShared = false
    }
    if (end > file.buffer.length) {
      const larger = new Uint8Array(end * 2)
      larger.set(file.buffer.subarray(0, file.sizeBytes))
      file.buffer = larger
    }
    if (write.kind === 'append') file.buffer.set(write.bytes, write.offset)
    // Bytes after a shorter end must not reappear.
    else file.buffer.fill(0, end, file.sizeBytes)
    file.sizeBytes = end
  }
}

function applyWrite(contents: Uint8Array[], write: DiskWrite): void {
  const old = contents[write.file] ?? new Uint8Array()
  while (contents.length <= write.file) contents.push(new Uint8Array())
  if (write.kind === 'flush') return
  const sizeBytes = write.kind === 'truncate' ? write.sizeBytes : Math.max(old.length, write.offset + write.bytes.length)
  const grown = new Uint8Array(sizeBytes)
  grown.set(old.subarray(0, sizeBytes))
  if (write.kind === 'append') grown.set(write.bytes, write.offset)
  contents[write.file] = grown
}

/** Yields every state of the disk that a power failure can leave if writes are in order: after each write, and within each append. */
export function* everyCut(
  writes: readonly DiskWrite[],
): Generator<{ readonly writeCount: number; readonly contents: readonly Uint8Array[] }, void> {
  const contents: Uint8Array[] = []
  for (const [index, write] of writes.entries()) {
    if (write.kind === 'append') {
      for (let length = 0; length < write.bytes.length; length++) {
        const torn = [...contents]
        applyWrite(torn, { ...write, bytes: write.bytes.subarray(0, length) })
        yield { writeCount: index, contents: torn }
      }
    }
    applyWrite(contents, write)
    yield { writeCount: index + 1, contents: [...contents] }
  }
}

/** The disk after a loss of power: of the writes to a file since its last flush, any may be lost, in any combination. */
export function lossy(writes: readonly DiskWrite[], random: Random): readonly Uint8Array[] {
  const contents: Uint8Array[] = []
  const lastFlush = new Map<number, number>()
  for (const [index, { file, kind }] of writes.entries()) if (kind === 'flush') lastFlush.set(file, index)
  for (const [index, write] of writes.entries()) {
    const isDurable = index <= (lastFlush.get(write.file) ?? -1)
    if (isDurable || random.chance(0.5)) applyWrite(contents, write)
  }
  return contents
}
