// Files as streams: Node's classes if the platform has them, so that `pipe` and `pipeline` work, and web streams otherwise.

import { run } from '../../steps.ts'
import { checkInteger, invalidType, optionsOf, outOfRange } from './arguments.ts'
import type { DescriptorVerbs } from './descriptor-verbs.ts'
import { checkEncoding, plainBytesOf } from './encodings.ts'
import { NodeFileHandle } from './file-handle.ts'
import type { PathVerbs } from './path-verbs.ts'
import { type NodePath, pathText } from './paths.ts'
import type { NodeSystem } from './system.ts'

/** The part of Node's streams that is typed here; the object is an instance of the platform's class. */
export interface NodeStream extends AsyncIterable<Uint8Array | string> {
  readonly path: string | Uint8Array | URL | undefined
  on(event: string, listener: (...args: never[]) => void): this
  once(event: string, listener: (...args: never[]) => void): this
  pipe<T>(destination: T): T
  write(chunk: string | Uint8Array): boolean
  end(chunk?: string | Uint8Array): this
  destroy(error?: Error): this
}

interface StreamOptions {
  readonly flags: string | number
  readonly encoding: string | null
  readonly fd: number | NodeFileHandle | null
  readonly mode: number | string
  readonly autoClose: boolean
  readonly emitClose: boolean
  readonly start: number
  readonly end: number
  readonly highWaterMark: number
  readonly signal: AbortSignal
}

type Done = (error?: Error | null, data?: unknown) => void
type StreamClass = new (
  options: object,
) => NodeStream & { push(chunk: Uint8Array | null): boolean; emit(event: string, ...args: unknown[]): boolean }

interface Verbs {
  readonly path: PathVerbs
  readonly descriptor: DescriptorVerbs
}

/** Node's `stream` module if the platform provides it; `undefined` in a page. */
function nodeStreams(): { readonly Readable: StreamClass; readonly Writable: StreamClass } | undefined {
  const { process } = globalThis as { readonly process?: { readonly getBuiltinModule?: (name: string) => unknown } }
  return process?.getBuiltinModule?.('node:stream') as
    | { readonly Readable: StreamClass; readonly Writable: StreamClass }
    | undefined
}

function parse(path: unknown, given: unknown): Partial<StreamOptions> & { readonly start?: number } {
  const options = optionsOf<StreamOptions>(given)
  checkEncoding(options.encoding)
  if (options.fd === undefined || options.fd === null) pathText(path)
  else if (typeof options.fd !== 'number' && !(options.fd instanceof NodeFileHandle)) {
    throw invalidType('options.fd', 'of type number or an instance of FileHandle', options.fd)
  }
  if (options.start !== undefined) checkInteger('start', options.start, 0)
  if (options.end !== undefined && options.end !== Infinity) checkInteger('end', options.end, 0)
  if (options.start !== undefined && options.end !== undefined && options.start > options.end) {
    throw outOfRange('start', `<= "end" (here: ${options.end})`, options.start)
  }
  return options
}

/** The file behind one stream. */
class StreamFile {
  readonly #system: NodeSystem
  readonly #verbs: Verbs
  readonly #options: Partial<StreamOptions>
  #position: number | undefined
  fd: number | undefined

  constructor(system: NodeSystem, verbs: Verbs, options: Partial<StreamOptions>) {
    this.#system = system
    this.#verbs = verbs
    this.#options = options
    this.#position = options.start
  }

  async open(path: NodePath, flags: string): Promise<number> {
    const { fd, mode } = this.#options
    if (fd !== undefined && fd !== null) this.fd = typeof fd === 'number' ? fd : fd.fd
    else {
      const steps = this.#verbs.path.open(path, this.#options.flags ?? flags, mode)
      this.fd = (await run(this.#system.on, steps)).number
    }
    return this.fd
  }

  /** `undefined` at the end. */
  async read(wanted: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { end = Infinity } = this.#options
    const position = this.#position
    const left = position === undefined ? Infinity : end + 1 - position
    const buffer = new Uint8Array(Math.max(0, Math.min(wanted, left)))
    if (buffer.length === 0) return undefined
    const count = await run(this.#system.on, this.#verbs.descriptor.read(this.fd ?? -1, buffer, 0, buffer.length, position))
    if (position !== undefined) this.#position = position + count
    return count === 0 ? undefined : buffer.subarray(0, count)
  }

  async write(bytes: Uint8Array): Promise<number> {
    const position = this.#position
    const count = await run(this.#system.on, this.#verbs.descriptor.write(this.fd ?? -1, bytes, 0, bytes.length, position))
    if (position !== undefined) this.#position = position + count
    return count
  }

  async close(): Promise<void> {
    const { fd } = this
    this.fd = undefined
    if (fd !== undefined) await run(this.#system.on, this.#verbs.descriptor.close(fd))
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

export function readStream(
  system: NodeSystem,
  verbs: Verbs,
  path: NodePath,
  given: unknown,
): NodeStream | ReadableStream<Uint8Array> {
  const options = { highWaterMark: 64 * 1024, ...parse(path, given) }
  if (options.end !== undefined && options.start === undefined) options.start = 0
  const file = new StreamFile(system, verbs, options)
  const classes = nodeStreams()
  if (classes === undefined) {
    return new ReadableStream<Uint8Array>({
      start: async () => void (await file.open(path, 'r')),
      async pull(controller) {
        const bytes = await file.read(options.highWaterMark)
        if (bytes !== undefined) return controller.enqueue(bytes)
        await file.close()
        controller.close()
      },
      cancel: () => file.close(),
    })
  }
  const { encoding, highWaterMark, signal, autoClose = true, emitClose = true } = options
  let bytesRead = 0
  const reading = async (size: number): Promise<void> => {
    try {
      const bytes = await file.read(size)
      bytesRead += bytes?.length ?? 0
      stream.push(bytes === undefined ? null : asBuffer(bytes))
    } catch (error) {
      stream.destroy(toError(error))
    }
  }
  const stream = new classes.Readable({
    highWaterMark,
    emitClose,
    autoDestroy: autoClose,
    ...(encoding === undefined || encoding === null || encoding === 'buffer' ? {} : { encoding }),
    ...(signal === undefined ? {} : { signal }),
    construct: (done: Done) => opening(file, path, 'r', stream, done),
    read(size: number) {
      void reading(size)
    },
    destroy: (error: Error | null, done: Done) => closing(file, error, done),
  })
  return described(stream, path, file, { bytesRead: () => bytesRead })
}

export function writeStream(
  system: NodeSystem,
  verbs: Verbs,
  path: NodePath,
  given: unknown,
): NodeStream | WritableStream<Uint8Array | string> {
  const options = parse(path, given)
  const file = new StreamFile(system, verbs, options)
  const classes = nodeStreams()
  if (classes === undefined) {
    return new WritableStream<Uint8Array | string>({
      start: async () => void (await file.open(path, 'w')),
      write: async chunk => void (await file.write(plainBytesOf(chunk, options.encoding))),
      close: () => file.close(),
      abort: () => file.close(),
    })
  }
  const { encoding, signal, highWaterMark, autoClose = true, emitClose = true } = options
  let bytesWritten = 0
  const put = (chunk: Uint8Array, done: Done): Promise<void> =>
    settle(async () => {
      bytesWritten += await file.write(chunk)
    }, done)
  const stream = new classes.Writable({
    emitClose,
    autoDestroy: autoClose,
    decodeStrings: true,
    ...(encoding === undefined || encoding === null ? {} : { defaultEncoding: encoding }),
    ...(highWaterMark === undefined ? {} : { highWaterMark }),
    ...(signal === undefined ? {} : { signal }),
    construct: (done: Done) => opening(file, path, 'w', stream, done),
    write: (chunk: Uint8Array, _encoding: string, done: Done) => void put(chunk, done),
    destroy: (error: Error | null, done: Done) => closing(file, error, done),
  })
  return described(stream, path, file, { bytesWritten: () => bytesWritten })
}

/** Reports to `done` how `act` ended. */
async function settle(act: () => Promise<void>, done: Done): Promise<void> {
  try {
    await act()
  } catch (error) {
    done(toError(error))
    return
  }
  done()
}

function opening(file: StreamFile, path: NodePath, flags: string, stream: InstanceType<StreamClass>, done: Done): void {
  void settle(
    async () => void (await file.open(path, flags)),
    error => {
      done(error)
      if (error instanceof Error) return
      stream.emit('open', file.fd)
      stream.emit('ready')
    },
  )
}

function closing(file: StreamFile, error: Error | null, done: Done): void {
  void settle(
    () => file.close(),
    failure => done(error ?? failure),
  )
}

/** Node's streams yield Buffers. */
function asBuffer(bytes: Uint8Array): Uint8Array {
  const { Buffer } = globalThis as {
    readonly Buffer?: { from(buffer: ArrayBufferLike, offset: number, length: number): Uint8Array }
  }
  return Buffer?.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) ?? bytes
}

function described(
  stream: NodeStream,
  path: NodePath,
  file: StreamFile,
  counts: Readonly<Record<string, () => number>>,
): NodeStream {
  Object.defineProperty(stream, 'path', { value: path, enumerable: true })
  Object.defineProperty(stream, 'fd', { get: () => file.fd ?? null, enumerable: true })
  Object.defineProperty(stream, 'pending', { get: () => file.fd === undefined, enumerable: true })
  for (const [name, get] of Object.entries(counts)) Object.defineProperty(stream, name, { get, enumerable: true })
  return stream
}
