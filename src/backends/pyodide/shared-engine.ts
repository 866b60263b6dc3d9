// The WebAssembly module of Pyodide, compiled once in a worker. Pyodide compiles it for each interpreter, which takes most of an
// interpreter's start in Firefox, and it waits for ever if no instance can be made.

import { deferred } from '../../core/deferred.ts'

// The platform, for which this folder has no types.
interface WebAssemblyLike {
  readonly compileStreaming?: (response: unknown) => Promise<object>
  instantiate: (source: object, imports?: object) => Promise<object>
  instantiateStreaming?: (response: unknown, imports?: object) => Promise<object>
}

interface ResponseLike {
  readonly body?: { cancel(): Promise<void> } | null
}

export class SharedEngine {
  readonly #failure = deferred<never>()
  #compiled: Promise<object> | undefined

  /** Replaces two functions of the worker's `WebAssembly`. */
  constructor() {
    const assembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyLike }).WebAssembly
    const { instantiate, compileStreaming, instantiateStreaming } = assembly
    // Nobody may wait when it fails.
    this.#failure.promise.catch(() => undefined)
    assembly.instantiate = (source, imports) => this.#watched(instantiate.call(assembly, source, imports))
    if (compileStreaming === undefined || instantiateStreaming === undefined) return
    const compile = async (response: unknown): Promise<object> => {
      if (this.#compiled === undefined) this.#compiled = compileStreaming.call(assembly, response)
      else await ((await response) as ResponseLike).body?.cancel()
      return this.#compiled
    }
    // Only the module of Pyodide comes this way.
    assembly.instantiateStreaming = async (response, imports) => {
      const module = await this.#watched(compile(response))
      return { module, instance: await assembly.instantiate(module, imports) }
    }
  }

  /** Rejects also if the module cannot be compiled or instantiated meanwhile. */
  async during<T>(loading: Promise<T>): Promise<T> {
    return Promise.race([loading, this.#failure.promise])
  }

  async #watched<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      this.#failure.reject(error)
      throw error
    }
  }
}
