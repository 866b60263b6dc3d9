// An open file. The filesystem below has no descriptors, so a handle is a path, a position and how it was opened; every read and
// write goes through at once, as with Node, and a write in the middle names the revision it was based on, so that none is lost.
// What a descriptor could do and this cannot: a file that was removed or renamed meanwhile is ENOENT, and is not made again.

import { isVfsError } from '../../error.ts'
import type { Vfs } from '../../vfs.ts'
import { argumentError, asNode, ownError, systemError } from './errors.ts'
import { bytesOf, decoded, encoded, type NodeData } from './encodings.ts'
import type { OpenMode } from './flags.ts'
import { NodeStats } from './stats.ts'

/** How often a write in the middle is tried again when somebody else was faster. */
const maxAttempts = 16

interface ReadOptions {
  readonly buffer?: ArrayBufferView
  readonly offset?: number | null
  readonly length?: number | null
  readonly position?: number | bigint | null
}

type EncodingOptions = string | null | { readonly encoding?: string | null }

export interface OpenFile {
  readonly vfs: Vfs
  /** Real, so that it is still the same file after a symlink to it changed. */
  readonly path: string
  readonly mode: OpenMode
  readonly descriptor: number
  /** Whether a write may name the revision that it replaces. */
  readonly hasRevisions: boolean
}

/** Node's `FileHandle`. After `close` everything is EBADF. */
export class NodeFileHandle {
  readonly fd: number
  readonly #file: OpenFile
  #position = 0
  #isClosed = false
  /** Operations run one after the other: the position belongs to one at a time. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(file: OpenFile) {
    this.#file = file
    this.fd = file.descriptor
  }

  /** Fills a part of a buffer. `position` null or left out reads on from where the last one ended. */
  async read<B extends ArrayBufferView = Uint8Array<ArrayBuffer>>(
    target?: B | ReadOptions,
    offsetOrOptions?: number | ReadOptions | null,
    length?: number | null,
    position?: number | bigint | null,
  ): Promise<{ bytesRead: number; buffer: B }> {
    const options = readOptions(target, offsetOrOptions, length, position)
    const view = new Uint8Array(options.buffer.buffer, options.buffer.byteOffset, options.buffer.byteLength)
    const offset = options.offset ?? 0
    const wanted = options.length ?? view.byteLength - offset
    if (offset < 0 || wanted < 0 || offset + wanted > view.byteLength) {
      throw ownError('ERR_OUT_OF_RANGE', `A read of ${wanted} bytes at ${offset} does not fit into ${view.byteLength}`)
    }
    return this.#go('read', async () => {
      if (!this.#file.mode.reads) throw systemError('EBADF', { syscall: 'read' })
      const at = positionOf(options.position)
      const start = at ?? this.#position
      const bytes = await this.#file.vfs.readFile(this.#file.path, { start, end: start + wanted })
      view.set(bytes, offset)
      if (at === undefined) this.#position += bytes.length
      // What came in as B goes out as B; without one it is the Uint8Array that was made here.
      return { bytesRead: bytes.length, buffer: options.buffer as B }
    })
  }

  async write(
    data: string | ArrayBufferView,
    offsetOrPosition?: number | { readonly offset?: number; readonly length?: number; readonly position?: number | null } | null,
    lengthOrEncoding?: number | string | null,
    position?: number | null,
  ): Promise<{ bytesWritten: number; buffer: string | ArrayBufferView }> {
    let bytes: Uint8Array
    let at: number | undefined
    if (typeof data === 'string') {
      bytes = encoded(data, typeof lengthOrEncoding === 'string' ? lengthOrEncoding : undefined)
      at = positionOf(typeof offsetOrPosition === 'number' ? offsetOrPosition : undefined)
    } else {
      const all = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      const options =
        typeof offsetOrPosition === 'object' && offsetOrPosition !== null
          ? offsetOrPosition
          : { offset: offsetOrPosition ?? 0, length: lengthOrEncoding, position }
      const offset = options.offset ?? 0
      const length = typeof options.length === 'number' ? options.length : all.length - offset
      if (offset < 0 || length < 0 || offset + length > all.length) {
        throw ownError('ERR_OUT_OF_RANGE', `A write of ${length} bytes from ${offset} goes beyond ${all.length}`)
      }
      bytes = all.subarray(offset, offset + length)
      at = positionOf(options.position)
    }
    return this.#go('write', async () => {
      await this.#put(bytes, at)
      return { bytesWritten: bytes.length, buffer: data }
    })
  }

  /** From the position to the end. */
  async readFile(options?: EncodingOptions): Promise<Uint8Array | string> {
    return this.#go('read', async () => {
      if (!this.#file.mode.reads) throw systemError('EBADF', { syscall: 'read' })
      const bytes = await this.#file.vfs.readFile(this.#file.path, { start: this.#position })
      this.#position += bytes.length
      return decoded(bytes, encodingOf(options))
    })
  }

  /** From the position on; what lies behind it stays, as with Node. */
  async writeFile(data: NodeData, options?: EncodingOptions): Promise<void> {
    const bytes = await bytesOf(data, encodingOf(options))
    await this.#go('write', () => this.#put(bytes, undefined))
  }

  async appendFile(data: NodeData, options?: EncodingOptions): Promise<void> {
    await this.writeFile(data, options)
  }

  async stat(): Promise<NodeStats> {
    return this.#go('fstat', async () => new NodeStats(await this.#file.vfs.stat(this.#file.path)))
  }

  async truncate(length = 0): Promise<void> {
    await this.#go('ftruncate', async () => {
      if (!this.#file.mode.writes) throw systemError('EINVAL', { syscall: 'ftruncate' })
      await this.#change(async bytes => resized(bytes, Math.max(0, length)))
    })
  }

  async chmod(mode: number): Promise<void> {
    await this.#go('fchmod', () => this.#file.vfs.chmod(this.#file.path, mode))
  }

  async utimes(_atime: number | string | Date, mtime: number | string | Date): Promise<void> {
    await this.#go('futime', () => this.#file.vfs.utimes(this.#file.path, milliseconds(mtime)))
  }

  async sync(): Promise<void> {
    await this.#go('fsync', () => this.#file.vfs.flush())
  }

  async datasync(): Promise<void> {
    await this.#go('fdatasync', () => this.#file.vfs.flush())
  }

  /** Waits for what is under way. Calling it twice is fine. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#last
  }

  #go<T>(syscall: string, act: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(ownError('EBADF', 'file closed', { syscall }))
    const run = this.#last.then(() => asNode({ syscall }, act))
    // The next operation starts whether or not this one failed; its caller hears of the failure from `run`.
    this.#last = run.then(
      () => undefined,
      () => undefined,
    )
    return run
  }

  async #put(bytes: Uint8Array, at: number | undefined): Promise<void> {
    const { vfs, path, mode } = this.#file
    if (!mode.writes) throw systemError('EBADF', { syscall: 'write' })
    if (mode.appends) {
      await vfs.writeFile(path, bytes, { append: true, create: 'never' })
      return
    }
    const start = at ?? this.#position
    await this.#change(async old => {
      const next = resized(old, Math.max(old.length, start + bytes.length))
      next.set(bytes, start)
      return next
    })
    if (at === undefined) this.#position += bytes.length
  }

  async #change(change: (bytes: Uint8Array) => Promise<Uint8Array>): Promise<void> {
    const { vfs, path, hasRevisions } = this.#file
    for (let attempt = 1; ; attempt++) {
      const { rev } = await vfs.stat(path)
      const next = await change(await vfs.readFile(path))
      try {
        await vfs.writeFile(path, next, { create: 'never', ...(hasRevisions ? { ifRev: rev } : {}) })
        return
      } catch (error) {
        if (!isVfsError(error, 'ESTALE') || attempt >= maxAttempts) throw error
      }
    }
  }
}

function readOptions(
  target: ArrayBufferView | ReadOptions | undefined,
  offsetOrOptions: number | ReadOptions | null | undefined,
  length: number | null | undefined,
  position: number | bigint | null | undefined,
): ReadOptions & { readonly buffer: ArrayBufferView } {
  if (target === undefined || !ArrayBuffer.isView(target)) return { buffer: new Uint8Array(16_384), ...target }
  if (typeof offsetOrOptions === 'object' && offsetOrOptions !== null) return { ...offsetOrOptions, buffer: target }
  return { buffer: target, offset: offsetOrOptions ?? 0, length: length ?? null, position: position ?? null }
}

/** `undefined` means "where the last one ended", which Node writes as null or -1. */
function positionOf(position: number | bigint | null | undefined): number | undefined {
  if (position === undefined || position === null || Number(position) < 0) return undefined
  return Number(position)
}

function resized(bytes: Uint8Array, length: number): Uint8Array {
  const next = new Uint8Array(length)
  next.set(bytes.subarray(0, length))
  return next
}

function encodingOf(options: EncodingOptions | undefined): string | null | undefined {
  return typeof options === 'object' && options !== null ? options.encoding : options
}

/** Node counts times in seconds. */
export function milliseconds(time: number | string | Date): number {
  const timeMs = time instanceof Date ? time.getTime() : Number(time) * 1000
  if (!Number.isFinite(timeMs))
    throw argumentError('ERR_INVALID_ARG_TYPE', `A time must be a Date or seconds since 1970. Received ${String(time)}`)
  // Seconds as a fraction are a little off: 1.234 * 1000 is a little below 1234.
  return Math.floor(timeMs + 1e-6)
}
