// Open files and file descriptors. Duplicated descriptors share one description, also in subshells. Closing the last of them
// closes the file.

import { joinBytes } from '../../../core/bytes.ts'
import { nextTurn } from '../../../core/pause.ts'
import { BrokenPipeError } from '../../../shell/commands.ts'
import { encodeText } from '../../../shell/byte-text.ts'
import type { Awaitable } from '../../../shell/files.ts'

export interface OpenFile {
  /** The kind of file, for `test -t`, `/dev/stdin` and commands that ask whether they have an input. */
  readonly kind: 'file' | 'pipe' | 'terminal' | 'null' | 'device'
  readonly canRead: boolean
  readonly canWrite: boolean
  /** Returns at least one byte, or `undefined` at the end of input. */
  read(): Awaitable<Uint8Array | undefined>
  /** Throws a `BrokenPipeError` if the reader has closed the pipe. */
  write(bytes: Uint8Array): Awaitable<void>
  /** Whether the reader of a pipe has ended. */
  readonly isBroken?: () => boolean
  /** Puts back bytes that were read too far. The next read returns them. */
  unread(bytes: Uint8Array): void
  close(): Awaitable<void>
  /** The absolute path of a regular file. */
  readonly path?: string
}

export class Description {
  readonly file: OpenFile
  /** Called when the last descriptor of the file is closed, to release its lock. */
  onClosed: (() => void) | undefined
  #users = 0

  constructor(file: OpenFile) {
    this.file = file
  }

  retain(): this {
    this.#users += 1
    return this
  }

  get isHeld(): boolean {
    return this.#users > 0
  }

  release(): Awaitable<void> {
    this.#users -= 1
    if (this.#users > 0) return
    this.onClosed?.()
    return this.file.close()
  }
}

/** The file descriptors of one shell. */
export class Descriptors {
  readonly #open: Map<number, Description>

  constructor(open: Iterable<readonly [number, Description]> = []) {
    this.#open = new Map(open)
    for (const description of this.#open.values()) description.retain()
  }

  get(fd: number): Description | undefined {
    return this.#open.get(fd)
  }

  /** Replaces the description at `fd` and releases the previous one. */
  async set(fd: number, description: Description | undefined): Promise<void> {
    const before = this.#open.get(fd)
    if (before === description) return
    if (description === undefined) this.#open.delete(fd)
    else this.#open.set(fd, description.retain())
    if (before !== undefined) await before.release()
  }

  fork(): Descriptors {
    return new Descriptors(this.#open)
  }

  numbers(): number[] {
    return [...this.#open.keys()]
  }

  async closeInputs(): Promise<void> {
    for (const [fd, { file }] of [...this.#open]) if (file.kind === 'pipe' && file.canRead) await this.set(fd, undefined)
  }

  async closeAll(): Promise<void> {
    const all = [...this.#open.values()]
    this.#open.clear()
    for (const description of all) await description.release()
  }
}

/** The capacity of a pipe. A writer waits while it is full. */
const pipeBytes = 64 * 1024

/** Creates a pipe. A writer waits for space in the buffer, a reader for bytes. */
export function createPipe(): { readonly reader: OpenFile; readonly writer: OpenFile } {
  return new Pipe().ends
}

// In bash, a reader is mostly a program, and a writer of few lines ends before that program starts: the writer never sees a broken pipe. So a
// reader here takes only what was written before the last turn of the event loop, or reads a pipe that is full.
class Pipe {
  #parts: Uint8Array[] = []
  #settledParts = 0
  #sizeBytes = 0
  #isWriterClosed = false
  #isReaderClosed = false
  #waiting: (() => void)[] = []
  readonly ends: { readonly reader: OpenFile; readonly writer: OpenFile }

  constructor() {
    const shared = { kind: 'pipe' as const }
    this.ends = {
      reader: {
        ...shared,
        canRead: true,
        canWrite: false,
        read: () => this.#read(),
        unread: bytes => this.#unread(bytes),
        write: refuseWriting,
        close: () => {
          this.#isReaderClosed = true
          this.#parts = []
          this.#wake()
        },
      },
      writer: {
        ...shared,
        canRead: false,
        canWrite: true,
        read: refuseReading,
        unread: () => undefined,
        write: bytes => this.#write(bytes),
        isBroken: () => this.#isReaderClosed,
        close: () => {
          this.#isWriterClosed = true
          this.#wake()
        },
      },
    }
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }

  #change(): Promise<void> {
    return new Promise(resolve => this.#waiting.push(resolve))
  }

  #read(): Awaitable<Uint8Array | undefined> {
    const isSettled = this.#settledParts > 0 || this.#isWriterClosed || this.#sizeBytes > pipeBytes
    if (!isSettled && this.#parts.length > 0) return this.#settle().then(() => this.#read())
    const part = this.#parts.shift()
    if (part !== undefined) {
      this.#settledParts = Math.max(0, this.#settledParts - 1)
      this.#sizeBytes -= part.length
      this.#wake()
      return part
    }
    if (this.#isWriterClosed || this.#isReaderClosed) return undefined
    return this.#change().then(() => this.#read())
  }

  async #settle(): Promise<void> {
    await nextTurn()
    this.#settledParts = this.#parts.length
  }

  #unread(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#parts.unshift(bytes)
    this.#settledParts += 1
    this.#sizeBytes += bytes.length
  }

  #write(bytes: Uint8Array): Awaitable<void> {
    if (this.#isReaderClosed) throw new BrokenPipeError()
    if (bytes.length === 0) return
    this.#parts.push(bytes)
    this.#sizeBytes += bytes.length
    this.#wake()
    return this.#sizeBytes > pipeBytes ? this.#waitForRoom() : undefined
  }

  async #waitForRoom(): Promise<void> {
    while (this.#sizeBytes > pipeBytes) {
      if (this.#isReaderClosed) throw new BrokenPipeError()
      await this.#change()
    }
  }
}

export function refuseReading(): never {
  throw Object.assign(new Error('EBADF: bad file descriptor, read'), { code: 'EBADF' })
}

export function refuseWriting(): never {
  throw Object.assign(new Error('EBADF: bad file descriptor, write'), { code: 'EBADF' })
}

const nothing = new Uint8Array()

export const nullFile: OpenFile = {
  kind: 'null',
  canRead: true,
  canWrite: true,
  read: () => undefined,
  unread: () => undefined,
  write: () => undefined,
  close: () => undefined,
}

/** A file for reading with the given content. */
export function inputFile(bytes: Uint8Array, kind: OpenFile['kind'] = 'pipe'): OpenFile {
  let rest = bytes
  return {
    kind,
    canRead: true,
    canWrite: false,
    read: () => {
      const next = rest
      rest = nothing
      return next.length === 0 ? undefined : next
    },
    unread: unread => {
      rest = joinTwo(unread, rest)
    },
    write: refuseWriting,
    close: () => undefined,
  }
}

export function outputFile(write: (bytes: Uint8Array) => Awaitable<void>, kind: OpenFile['kind'] = 'terminal'): OpenFile {
  return { kind, canRead: false, canWrite: true, read: refuseReading, unread: () => undefined, write, close: () => undefined }
}

function joinTwo(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (second.length === 0) return first
  if (first.length === 0) return second
  return joinBytes([first, second])
}

export function bytesOfData(data: Uint8Array | string): Uint8Array {
  return typeof data === 'string' ? encodeText(data) : data
}
