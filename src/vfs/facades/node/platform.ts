// Node's own modules, where the facade runs on Node: its stream classes take any filesystem, and libraries check for them.

import type { NodeStream } from './streams.ts'

/** A stream class of `node:fs`. It is also called as a function, on an object that inherits from it. */
export interface StreamClass {
  new (path: unknown, options: object): NodeStream
  (this: object, path: unknown, options: object): unknown
  readonly prototype: object
}

interface NodeFsModule {
  readonly ReadStream: StreamClass
  readonly WriteStream: StreamClass
  readonly Utf8Stream?: new (options: object) => object
}

interface ReadlineModule {
  createInterface(options: object): AsyncIterable<string>
}

interface UtilModule {
  inspect(value: unknown): string
}

interface Modules {
  readonly 'node:fs': NodeFsModule
  readonly 'node:readline': ReadlineModule
  readonly 'node:util': UtilModule
}

/** `undefined` in a page. */
export function nodeModule<K extends keyof Modules>(name: K): Modules[K] | undefined {
  const { process } = globalThis as { readonly process?: { readonly getBuiltinModule?: (name: string) => unknown } }
  // The interfaces above describe the used part of the module with this name.
  return process?.getBuiltinModule?.(name) as Modules[K] | undefined
}

const warned = new Set<string>()

/** Emits a warning if the platform has Node's process. Node shows a deprecation, which has a code, only once. */
export function warn(message: string, code?: string): void {
  const { process } = globalThis as { readonly process?: { readonly emitWarning?: (...args: readonly unknown[]) => void } }
  if (code !== undefined && warned.has(code)) return
  if (code !== undefined) warned.add(code)
  process?.emitWarning?.(message, ...(code === undefined ? [] : ['DeprecationWarning', code]))
}
