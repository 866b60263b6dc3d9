// The Web APIs that browsers, workers, edge runtimes and Node share, and nothing else: the portable project has this file in place of
// lib.dom and @types/node. What is missing here is missing on purpose (console, fetch, MessageChannel); a room that needs more takes it as
// a parameter. Signatures are those of lib.dom, so that code checked against both means the same; members we do not use are left out.

declare class DOMException extends Error {
  constructor(message?: string, name?: string)
  readonly name: string
  readonly message: string
}

interface Event {
  readonly type: string
}

interface AddEventListenerOptions {
  once?: boolean
  passive?: boolean
  capture?: boolean
  signal?: AbortSignal
}

interface AbortSignal {
  readonly aborted: boolean
  // oxlint-disable-next-line typescript/no-explicit-any -- lib.dom says any, and both must accept the same code
  readonly reason: any
  onabort: ((this: AbortSignal, event: Event) => unknown) | null
  throwIfAborted(): void
  addEventListener(
    type: 'abort',
    listener: (this: AbortSignal, event: Event) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void
  removeEventListener(
    type: 'abort',
    listener: (this: AbortSignal, event: Event) => unknown,
    options?: boolean | { capture?: boolean },
  ): void
}
declare var AbortSignal: {
  prototype: AbortSignal
  abort(reason?: unknown): AbortSignal
  any(signals: AbortSignal[]): AbortSignal
  timeout(milliseconds: number): AbortSignal
}

declare class AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}

declare class TextEncoder {
  readonly encoding: string
  encode(input?: string): Uint8Array<ArrayBuffer>
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number }
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  readonly encoding: string
  readonly fatal: boolean
  readonly ignoreBOM: boolean
  decode(input?: ArrayBuffer | ArrayBufferView | null, options?: { stream?: boolean }): string
}

// A number in browsers and an object in Node: opaque here, so that no code depends on either.
interface TimerHandle {
  readonly __timer: unique symbol
}
declare function setTimeout(handler: () => void, timeoutMs?: number): TimerHandle
/** If it exists, it runs without delay, whereas a timer waits for a millisecond. */
declare const setImmediate: ((work: () => void) => unknown) | undefined
declare function clearTimeout(handle: TimerHandle | undefined): void
declare function queueMicrotask(callback: () => void): void
declare function structuredClone<T>(value: T, options?: { transfer?: ArrayBuffer[] }): T
declare function atob(data: string): string
declare function btoa(data: string): string

declare const performance: { now(): number }

declare const crypto: {
  getRandomValues<T extends ArrayBufferView<ArrayBuffer>>(array: T): T
  randomUUID(): `${string}-${string}-${string}-${string}-${string}`
  /** Absent in pages without a secure context. */
  readonly subtle?: { digest(algorithm: string, data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> }
}

interface URLSearchParams extends Iterable<[string, string]> {
  readonly size: number
  append(name: string, value: string): void
  delete(name: string): void
  get(name: string): string | null
  getAll(name: string): string[]
  has(name: string): boolean
  set(name: string, value: string): void
  toString(): string
}
declare var URLSearchParams: {
  prototype: URLSearchParams
  new (init?: string | string[][] | Record<string, string>): URLSearchParams
}

declare class URL {
  constructor(url: string | URL, base?: string | URL)
  static canParse(url: string | URL, base?: string | URL): boolean
  hash: string
  host: string
  hostname: string
  href: string
  readonly origin: string
  password: string
  pathname: string
  port: string
  protocol: string
  search: string
  readonly searchParams: URLSearchParams
  username: string
  toString(): string
  toJSON(): string
}

interface ReadableStreamDefaultReader<R> {
  readonly closed: Promise<undefined>
  read(): Promise<{ done: false; value: R } | { done: true; value?: undefined }>
  cancel(reason?: unknown): Promise<void>
  releaseLock(): void
}

interface ReadableStreamDefaultController<R> {
  readonly desiredSize: number | null
  enqueue(chunk?: R): void
  close(): void
  error(reason?: unknown): void
}

interface UnderlyingDefaultSource<R> {
  type?: undefined
  start?: (controller: ReadableStreamDefaultController<R>) => unknown
  pull?: (controller: ReadableStreamDefaultController<R>) => void | PromiseLike<void>
  cancel?: (reason?: unknown) => void | PromiseLike<void>
}

interface ReadableByteStreamController {
  readonly byobRequest: { readonly view: ArrayBufferView<ArrayBuffer> | null; respond(bytesWritten: number): void } | null
  close(): void
}

interface ReadableStream<R> {
  readonly locked: boolean
  getReader(): ReadableStreamDefaultReader<R>
  cancel(reason?: unknown): Promise<void>
  tee(): [ReadableStream<R>, ReadableStream<R>]
}
declare var ReadableStream: {
  prototype: ReadableStream<unknown>
  new (source: {
    type: 'bytes'
    autoAllocateChunkSize?: number
    pull?: (controller: ReadableByteStreamController) => void | PromiseLike<void>
    cancel?: (reason?: unknown) => void | PromiseLike<void>
  }): ReadableStream<Uint8Array<ArrayBuffer>>
  new <R>(
    source?: UnderlyingDefaultSource<R>,
    strategy?: { highWaterMark?: number; size?: (chunk: R) => number },
  ): ReadableStream<R>
}

interface WritableStream<W> {
  readonly locked: boolean
  abort(reason?: unknown): Promise<void>
  close(): Promise<void>
}
declare var WritableStream: {
  prototype: WritableStream<unknown>
  new <W>(sink?: {
    start?: () => unknown
    write?: (chunk: W) => void | PromiseLike<void>
    close?: () => void | PromiseLike<void>
    abort?: (reason?: unknown) => void | PromiseLike<void>
  }): WritableStream<W>
}

interface Blob {
  readonly size: number
  readonly type: string
  arrayBuffer(): Promise<ArrayBuffer>
  slice(start?: number, end?: number, type?: string): Blob
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>
}
declare var Blob: {
  prototype: Blob
  new (parts: readonly (string | Uint8Array<ArrayBuffer>)[], options?: { type?: string }): Blob
}

/** Only its type: the host passes a fetch function. */
interface Response {
  readonly ok: boolean
  readonly status: number
  readonly statusText: string
  readonly url: string
  readonly redirected: boolean
  readonly headers: { get(name: string): string | null; has(name: string): boolean }
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null
  arrayBuffer(): Promise<ArrayBuffer>
  text(): Promise<string>
}

interface CompressionStream {
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>
  readonly writable: {
    getWriter(): { write(chunk: Uint8Array<ArrayBuffer>): Promise<void>; close(): Promise<void> }
  }
}
declare var CompressionStream: {
  prototype: CompressionStream
  new (format: 'deflate' | 'deflate-raw' | 'gzip'): CompressionStream
}

/** The URL of a module; bundlers recognise this form. */
interface ImportMeta {
  readonly url: string
}
