// Files as streams: Node's own classes if the platform has them, over this filesystem, and web streams otherwise.

import { run } from '../../steps.ts'
import { checkInteger, invalidType, optionsOf, outOfRange } from './arguments.ts'
import type { DescriptorVerbs } from './descriptor-verbs.ts'
import { checkEncoding, plainBytesOf } from './encodings.ts'
import { ownError } from './errors.ts'
import { NodeFileHandle } from './file-handle.ts'
import type { PathVerbs } from './path-verbs.ts'
import { type NodePath, pathText } from './paths.ts'
import { nodeModule, type StreamClass } from './platform.ts'
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

type Callback = (error?: Error | null) => void

/** The functions that Node's stream classes call, as they are at that moment: a program may replace them. */
interface StreamFs {
  readonly close: (fd: number, callback: Callback) => void
}

/** The facade's own `ReadStream` and `WriteStream`: Node's classes, with this filesystem as their default. */
export interface StreamClasses {
  readonly ReadStream: StreamClass
  readonly WriteStream: StreamClass
}

/** `undefined` in a page, which has no such classes. `fsOf` returns the facade, which does not exist yet. */
export function streamClasses(fsOf: () => object): StreamClasses | undefined {
  const base = nodeModule('node:fs')
  if (base === undefined) return undefined
  return { ReadStream: derived(base.ReadStream, fsOf), WriteStream: derived(base.WriteStream, fsOf) }
}

/** A function and not a class, because libraries that wrap `fs` call it on their own objects. */
function derived(base: StreamClass, fsOf: () => object): StreamClass {
  function Stream(this: unknown, path: unknown, options?: unknown): unknown {
    if (!(this instanceof Stream)) return new made(path, (options ?? {}) as object)
    const given = withFs(options, fsOf()) as object
    const { fd } = Object(options) as { readonly fd?: unknown }
    if (!(fd instanceof NodeFileHandle)) return void base.call(this, path, given)
    NodeFileHandle.retain(fd)
    try {
      base.call(this, path, given)
    } catch (error) {
      NodeFileHandle.release(fd)
      throw error
    }
    fd.on('close', () => (this as { close(): void }).close())
    return undefined
  }
  Object.setPrototypeOf(Stream.prototype, base.prototype)
  Object.setPrototypeOf(Stream, base)
  Object.defineProperty(Stream, 'name', { value: Object.getOwnPropertyDescriptor(base, 'name')?.value })
  const made = Stream as unknown as StreamClass
  return made
}

/** Options that are neither text nor an object are passed on, for Node to refuse. */
function withFs(options: unknown, fs: object): unknown {
  if (options === undefined || options === null) return { fs }
  if (typeof options === 'string') return { encoding: options, fs }
  if (typeof options !== 'object') return options
  const { fd } = options as { readonly fd?: unknown }
  const given: Record<string, unknown> = { fs }
  const { fs: own } = options as { readonly fs?: unknown }
  if (fd instanceof NodeFileHandle && own)
    throw ownError('ERR_METHOD_NOT_IMPLEMENTED', 'The FileHandle with fs method is not implemented')
  // Node takes inherited options too.
  for (const name in options) given[name] = Reflect.get(options, name)
  if (!given['fs']) given['fs'] = fs
  return fd instanceof NodeFileHandle ? Object.assign(given, ofHandle(fd, fs)) : given
}

/** A stream on a handle closes the handle. */
function ofHandle(handle: NodeFileHandle, fs: object): { readonly fd: number; readonly fs: object } {
  const own: StreamFs = {
    close: (_fd, callback) => void closing(handle, callback),
  }
  return { fd: handle.fd, fs: Object.setPrototypeOf(own, fs) }
}

async function closing(handle: NodeFileHandle, callback: Callback): Promise<void> {
  let failure: Error | undefined
  try {
    NodeFileHandle.release(handle)
    await handle.close()
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
  }
  queueMicrotask(() => callback(failure))
}

interface StreamOptions {
  readonly flags: string | number
  readonly encoding: string | null
  readonly fd: number | NodeFileHandle | null
  readonly mode: number | string
  readonly start: number
  readonly end: number
  readonly highWaterMark: number
}

interface Verbs {
  readonly path: PathVerbs
  readonly descriptor: DescriptorVerbs
}

function parse(path: unknown, given: unknown): Partial<StreamOptions> & { start?: number } {
  const options = optionsOf<StreamOptions>(given)
  checkEncoding(options.encoding)
  if (options.fd === undefined || options.fd === null) pathText(path)
  else if (typeof options.fd !== 'number' && !(options.fd instanceof NodeFileHandle)) {
    throw invalidType('options.fd', 'of type number or an instance of FileHandle', options.fd)
  }
  if (options.start !== undefined) checkInteger('start', options.start, 0)
  if (options.end !== undefined && options.end !== Infinity) checkInteger('end', options.end, 0)
  if (options.start !== undefined && options.end !== undefined && options.start > options.end)
    throw outOfRange('start', `<= "end" (here: ${options.end})`, options.start)
  return options
}

/** The file behind one web stream. */
class StreamFile {
  readonly #system: NodeSystem
  readonly #verbs: Verbs
  readonly #options: Partial<StreamOptions>
  #position: number | undefined
  #fd: number | undefined

  constructor(system: NodeSystem, verbs: Verbs, options: Partial<StreamOptions>) {
    this.#system = system
    this.#verbs = verbs
    this.#options = options
    this.#position = options.start
  }

  async open(path: NodePath, flags: string): Promise<void> {
    const { fd, mode } = this.#options
    if (fd !== undefined && fd !== null) this.#fd = typeof fd === 'number' ? fd : fd.fd
    else {
      const steps = this.#verbs.path.open(path, this.#options.flags ?? flags, mode)
      this.#fd = (await run(this.#system.on, steps)).number
    }
  }

  /** `undefined` at the end. */
  async read(wanted: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { end = Infinity } = this.#options
    const position = this.#position
    const left = position === undefined ? Infinity : end + 1 - position
    const buffer = new Uint8Array(Math.max(0, Math.min(wanted, left)))
    if (buffer.length === 0) return undefined
    const count = await run(this.#system.on, this.#verbs.descriptor.read(this.#fd ?? -1, buffer, 0, buffer.length, position))
    if (position !== undefined) this.#position = position + count
    return count === 0 ? undefined : buffer.subarray(0, count)
  }

  async write(bytes: Uint8Array): Promise<void> {
    const position = this.#position
    const count = await run(this.#system.on, this.#verbs.descriptor.write(this.#fd ?? -1, bytes, 0, bytes.length, position))
    if (position !== undefined) this.#position = position + count
  }

  async close(): Promise<void> {
    const fd = this.#fd
    this.#fd = undefined
    if (fd !== undefined) await run(this.#system.on, this.#verbs.descriptor.close(fd))
  }
}

export function webReadStream(system: NodeSystem, verbs: Verbs, path: NodePath, given: unknown): ReadableStream<Uint8Array> {
  const options = { highWaterMark: 64 * 1024, ...parse(path, given) }
  if (options.end !== undefined && options.start === undefined) options.start = 0
  const file = new StreamFile(system, verbs, options)
  return new ReadableStream<Uint8Array>({
    start: () => file.open(path, 'r'),
    async pull(controller) {
      const bytes = await file.read(options.highWaterMark)
      if (bytes !== undefined) return controller.enqueue(bytes)
      await file.close()
      controller.close()
    },
    cancel: () => file.close(),
  })
}

export function webWriteStream(
  system: NodeSystem,
  verbs: Verbs,
  path: NodePath,
  given: unknown,
): WritableStream<Uint8Array | string> {
  const options = parse(path, given)
  const file = new StreamFile(system, verbs, options)
  return new WritableStream<Uint8Array | string>({
    start: () => file.open(path, 'w'),
    write: chunk => file.write(plainBytesOf(chunk, options.encoding)),
    close: () => file.close(),
    abort: () => file.close(),
  })
}
