// Where the WebAssembly module of the engine is. The worker cannot find it by itself, because a bundler may have moved the worker.

interface NodeModule {
  readonly createRequire: (from: string) => { readonly resolve: (specifier: string) => string }
}

interface NodeUrl {
  readonly pathToFileURL: (path: string) => { readonly href: string }
}

/** Throws if the package is not installed. */
export function wasmUrl(): string {
  const { process } = globalThis as {
    process?: { versions?: { node?: string }; getBuiltinModule?: (name: string) => unknown }
  }
  if (process?.versions?.node === undefined || process.getBuiltinModule === undefined) {
    // Bundlers include the file only if it is named in exactly this form.
    return new URL('quickjs-wasi/quickjs.wasm', import.meta.url).href
  }
  const { createRequire } = process.getBuiltinModule('node:module') as NodeModule
  const { pathToFileURL } = process.getBuiltinModule('node:url') as NodeUrl
  return pathToFileURL(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')).href
}
