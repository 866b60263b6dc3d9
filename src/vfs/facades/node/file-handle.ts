// Node's `FileHandle`: a descriptor whose functions are methods.

import { defined, isRecord } from '../../../core/record.ts'
import { run, type Steps } from '../../steps.ts'
import type { DescriptorVerbs, ReadInto } from './descriptor-verbs.ts'
import { started } from './callbacks.ts'
import { checkEncoding, chunkBytes, isIterableData, type NodeData, plainBytesOf, unknownEncoding } from './encodings.ts'
import { Emitter } from './emitter.ts'
import { nodeModule } from './platform.ts'
import { checkBoolean, checkSignal, invalidType, optionsOf } from './arguments.ts'
import { abortError, invalidState, ownError, systemError } from './errors.ts'
import type { Descriptor } from './open-files.ts'
import type { BigIntStats, NodeStats } from './stats.ts'
import type { NodeSystem } from './system.ts'

type Position = number | bigint | null
type ContentOptions =
  | string
  | null
  | { readonly encoding?: string | null; readonly signal?: AbortSignal | undefined; readonly flush?: boolean | null }

interface ReadOptions extends ReadInto {
  readonly buffer?: ArrayBufferView
}

/** The size in which `readLines` and streams read a file. */
const pieceBytes = 64 * 1024

/** Node's `FileHandle`. After `close` every method fails with EBADF. */
export class NodeFileHandle extends Emitter {
  /** As programs see it in Node. */
  static override readonly name: string = 'FileHandle'
  readonly #system: NodeSystem
  readonly #verbs: DescriptorVerbs
  readonly #file: Descriptor
  #isClosed = false
  #isLocked = false
  /** The handle itself until `close`, and each stream on it. The file is closed when nobody uses it. */
  #uses = 1
  #closing: Promise<void> | undefined
  #endWaiting: () => void = () => {}
  /** Operations run one after the other, because they share the position. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(system: NodeSystem, verbs: DescriptorVerbs, file: Descriptor) {
    super()
    this.#system = system
    this.#verbs = verbs
    this.#file = file
    // For `await using`. Not in the types: a consumer's compiler may not know the symbol, and a platform may not have it.
    const { asyncDispose: symbol } = Symbol as { readonly asyncDispose?: symbol }
    if (symbol !== undefined) Object.defineProperty(this, symbol, { value: () => this.close() })
  }

  /** The descriptor's number; -1 once it is closed. */
  get fd(): number {
    return this.#isClosed ? -1 : this.#file.number
  }

  /** Fills a part of a buffer. Without `position`, or with null, it continues where the last read ended. */
  async read<B extends ArrayBufferView = Uint8Array<ArrayBuffer>>(
    target?: B | ReadOptions | null,
    offsetOrOptions?: number | ReadInto | null,
    length?: number | null,
    position?: Position,
  ): Promise<{ bytesRead: number; buffer: B }> {
    this.#mustBeOpen('read')
    const isView = ArrayBuffer.isView(target)
    if (!isView && (target ?? undefined) !== undefined && !isRecord(target))
      throw invalidType('options', 'of type object', target)
    const options: ReadOptions = isView || target === undefined || target === null ? {} : target
    const buffer = isView ? target : (options.buffer ?? this.#system.bytes(new Uint8Array(16_384)))
    // Node takes null here as an offset and not as options, and the length of an array as the number of bytes to read.
    const placed: ReadInto = Array.isArray(offsetOrOptions)
      ? { length: offsetOrOptions.length }
      : typeof offsetOrOptions === 'object' && offsetOrOptions !== null
        ? offsetOrOptions
        : defined({ offset: offsetOrOptions, length, position })
    const given: ReadInto = isView ? placed : options
    // The function for descriptors takes null as a length of 0.
    const steps = this.#verbs.read(this.fd, buffer, { ...given, length: given.length ?? undefined })
    const bytesRead = await this.#go('read', () => steps)
    // A given buffer has type B. Otherwise this is the Uint8Array that was created here.
    return plainly({ bytesRead, buffer: buffer as B })
  }

  async readv<B extends ArrayBufferView>(
    buffers: readonly B[],
    position?: Position,
  ): Promise<{ bytesRead: number; buffers: readonly B[] }> {
    return plainly({ bytesRead: await this.#go('readv', fd => this.#verbs.readv(fd, buffers, position)), buffers })
  }

  async write<D extends string | ArrayBufferView>(
    data: D,
    offsetOrPosition?: number | { readonly offset?: number; readonly length?: number; readonly position?: number | null } | null,
    lengthOrEncoding?: number | string | null,
    position?: number | null,
  ): Promise<{ bytesWritten: number; buffer: D }> {
    this.#mustBeOpen('write')
    // Node makes no system call to write nothing.
    if (ArrayBuffer.isView(data) && data.byteLength === 0) return plainly({ bytesWritten: 0, buffer: data })
    const bytesWritten = await this.#go('write', fd => this.#verbs.write(fd, data, offsetOrPosition, lengthOrEncoding, position))
    return plainly({ bytesWritten, buffer: data })
  }

  async writev<B extends ArrayBufferView>(
    buffers: readonly B[],
    position?: number | null,
  ): Promise<{ bytesWritten: number; buffers: readonly B[] }> {
    this.#mustBeOpen('writev')
    if (Array.isArray(buffers) && buffers.length === 0) return plainly({ bytesWritten: 0, buffers })
    return plainly({ bytesWritten: await this.#go('writev', fd => this.#verbs.writev(fd, buffers, position)), buffers })
  }

  /** Reads from the position to the end. */
  async readFile(options?: ContentOptions): Promise<Uint8Array | string> {
    this.#mustBeOpen('readFile')
    const { encoding, signal } = contentOptions(options)
    if (encoding === 'buffer') throw unknownEncoding()
    checkAborted(signal)
    await started([{ signal }])
    checkAborted(signal)
    const system = this.#system
    const { open } = system
    const file = this.#file
    return this.#go('readFile', function* () {
      if (!file.mode.reads) throw systemError('EBADF', { syscall: 'read' })
      const bytes = yield* open.read(file.node, file.position, Infinity)
      file.position += bytes.length
      return system.shown(bytes, encoding)
    })
  }

  /** Writes from the position on, chunk after chunk; what follows the written bytes stays, as in Node. */
  async writeFile(data: NodeData, options?: ContentOptions): Promise<void> {
    this.#mustBeOpen('writeFile')
    const { encoding, signal, flush } = contentOptions(options)
    if (flush !== undefined && flush !== null) checkBoolean('options.flush', flush)
    const chunks = isIterableData(data) ? data : [plainBytesOf(data, encoding)]
    checkAborted(signal)
    await started([{ signal }])
    for await (const chunk of chunks) {
      checkAborted(signal)
      const bytes = chunkBytes(chunk, encoding)
      if (bytes.length > 0) await this.#go('writeFile', fd => this.#verbs.write(fd, bytes))
    }
  }

  async appendFile(data: NodeData, options?: ContentOptions): Promise<void> {
    await this.writeFile(data, options)
  }

  async stat(options?: { readonly bigint?: boolean }): Promise<NodeStats>
  async stat(options: { readonly bigint: true }): Promise<BigIntStats>
  async stat(options?: { readonly bigint?: boolean }): Promise<NodeStats | BigIntStats> {
    return this.#go('fstat', fd => this.#verbs.fstat(fd, options))
  }

  async truncate(length: number | null = 0): Promise<void> {
    await this.#go('ftruncate', fd => this.#verbs.ftruncate(fd, length))
  }

  async chmod(mode: number | string): Promise<void> {
    await this.#go('fchmod', fd => this.#verbs.fchmod(fd, mode))
  }

  async chown(uid: number, gid: number): Promise<void> {
    await this.#go('fchown', fd => this.#verbs.fchown(fd, uid, gid))
  }

  async utimes(atime: number | string | Date, mtime: number | string | Date): Promise<void> {
    await this.#go('futimes', fd => this.#verbs.futimes(fd, atime, mtime))
  }

  async sync(): Promise<void> {
    await this.#go('fsync', fd => this.#verbs.fsync(fd))
  }

  async datasync(): Promise<void> {
    await this.#go('fdatasync', fd => this.#verbs.fdatasync(fd))
  }

  /** Lines without their ends, from the position on: an interface of `node:readline` if the platform has it. Closes the handle at the end. */
  readLines(options: { readonly encoding?: string } = {}): AsyncIterable<string> {
    const readline = nodeModule('node:readline')
    return readline === undefined
      ? this.#lines(options.encoding)
      : readline.createInterface({ input: this.createReadStream(options), crlfDelay: Infinity })
  }

  async *#lines(encoding = 'utf-8'): AsyncGenerator<string, void> {
    const decoder = new TextDecoder(encoding, { ignoreBOM: true })
    let rest = ''
    try {
      for await (const piece of this.readableWebStream()) {
        const lines = (rest + decoder.decode(piece, { stream: true })).split(/\r\n|\n|\r(?!$)/)
        rest = lines.pop() ?? ''
        yield* lines
      }
      rest += decoder.decode()
      if (rest !== '') yield rest.replace(/\r$/, '')
    } finally {
      await this.close()
    }
  }

  /** The bytes from the position on, once for each handle. The handle stays open unless `autoClose` is true. */
  readableWebStream(
    options: { readonly type?: 'bytes'; readonly autoClose?: boolean } = {},
  ): ReadableStream<Uint8Array<ArrayBuffer>> & AsyncIterable<Uint8Array<ArrayBuffer>> {
    if (this.#isClosed) throw invalidState('The FileHandle is closed')
    if (this.#isLocked) throw invalidState('The FileHandle is locked')
    const { autoClose = false } = optionsOf<{ autoClose: boolean }>(options, false)
    checkBoolean('options.autoClose', autoClose)
    this.#isLocked = true
    const ended = async (): Promise<void> => {
      if (autoClose) await this.close()
    }
    const stream = new ReadableStream({
      type: 'bytes',
      autoAllocateChunkSize: pieceBytes,
      pull: async controller => {
        const { byobRequest } = controller
        const view = byobRequest?.view
        if (byobRequest === null || view === null || view === undefined) return
        const { bytesRead } = await this.read(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))
        if (bytesRead === 0) {
          controller.close()
          await ended()
        }
        byobRequest.respond(bytesRead)
      },
      cancel: ended,
    }) as ReadableStream<Uint8Array<ArrayBuffer>>
    // Some platforms' streams are not iterable yet.
    return Symbol.asyncIterator in stream
      ? (stream as ReadableStream<Uint8Array<ArrayBuffer>> & AsyncIterable<Uint8Array<ArrayBuffer>>)
      : Object.assign(stream, { [Symbol.asyncIterator]: () => piecesOf(stream) })
  }

  /** A stream on this handle, which closes it at the end unless `autoClose` is false. */
  createReadStream(options: object = {}): unknown {
    return this.#system.streams?.read(undefined, { ...options, fd: this })
  }

  createWriteStream(options: object = {}): unknown {
    return this.#system.streams?.write(undefined, { ...options, fd: this })
  }

  /** Handles of this facade belong to no asynchronous resource. */
  getAsyncId(): number {
    return this.#file.number
  }

  /** For a stream that starts to use this handle. */
  static retain(handle: NodeFileHandle): void {
    handle.#uses++
  }

  /** For a stream that has ended, or never started. */
  static release(handle: NodeFileHandle): void {
    handle.#uses--
    if (handle.#uses === 0) handle.#endWaiting()
  }

  /** Notifies the streams on this handle, and waits until they are closed and all operations are done. May be called twice. */
  close(): Promise<void> {
    if (this.#closing !== undefined) return this.#closing
    this.#uses--
    this.#closing =
      this.#uses === 0
        ? this.#closeNow()
        : new Promise((resolve, reject) => {
            this.#endWaiting = () => void this.#closeNow().then(resolve, reject)
          })
    this.emit('close')
    return this.#closing
  }

  async #closeNow(): Promise<void> {
    const closed = this.#go('close', fd => this.#verbs.close(fd))
    this.#isClosed = true
    await closed
  }

  /** Before any check of arguments, as in Node. */
  #mustBeOpen(syscall: string): void {
    if (this.#isClosed) throw ownError('EBADF', 'file closed', { syscall })
  }

  async #go<T>(syscall: string, make: (fd: number) => Steps<T>): Promise<T> {
    this.#mustBeOpen(syscall)
    const act = (): Promise<T> => run(this.#system.on, make(this.#file.number))
    const done = this.#last.then(act)
    // The next operation starts whether or not this one failed; its caller receives the failure from `done`.
    this.#last = done.then(
      () => undefined,
      () => undefined,
    )
    return await done
  }
}

async function* piecesOf<T>(stream: ReadableStream<T>): AsyncGenerator<T, void> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    reader.releaseLock()
  }
}

/** Without a prototype, like the results of Node's handles. */
function plainly<T extends object>(result: T): T {
  return Object.setPrototypeOf(result, null) as T
}

interface ParsedContentOptions {
  readonly encoding: string | null
  readonly signal: AbortSignal
  readonly flush: unknown
}

function contentOptions(given: unknown): Partial<ParsedContentOptions> {
  const options = optionsOf<ParsedContentOptions>(given)
  checkEncoding(options.encoding)
  checkSignal(options.signal)
  return options
}

function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortError(signal)
}
