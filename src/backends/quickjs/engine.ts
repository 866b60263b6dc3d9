// Loads QuickJS. Its code and its WebAssembly module are loaded once in each worker; each program gets an engine of its own.

import type { QuickJS, QuickJSOptions } from 'quickjs-wasi'

export type StartEngine = (options: Omit<QuickJSOptions, 'wasm'>) => Promise<QuickJS>

type WasmModule = Exclude<QuickJSOptions['wasm'], ArrayBuffer | ArrayBufferView>

// The platform, for which this folder has no types.
interface Platform {
  readonly WebAssembly: { compile(bytes: BufferSource): Promise<WasmModule> }
  readonly fetch: (url: string) => Promise<{
    readonly ok: boolean
    readonly status: number
    arrayBuffer(): Promise<ArrayBuffer>
  }>
  readonly process?: { getBuiltinModule?: (name: string) => unknown }
}

type BufferSource = ArrayBuffer | ArrayBufferView

const platform = globalThis as unknown as Platform
let loading: Promise<StartEngine> | undefined

/** Rejects if the package or its module cannot be loaded. */
export async function loadEngine(wasmUrl: string): Promise<StartEngine> {
  loading ??= load(wasmUrl)
  return loading
}

async function load(wasmUrl: string): Promise<StartEngine> {
  const [engine, wasm] = await Promise.all([import('quickjs-wasi'), readWasm(wasmUrl)])
  const compiled = await platform.WebAssembly.compile(wasm)
  return options => engine.QuickJS.create({ ...options, wasm: compiled })
}

async function readWasm(url: string): Promise<BufferSource> {
  const files = platform.process?.getBuiltinModule?.('node:fs') as { readFileSync(url: URL): Uint8Array } | undefined
  if (url.startsWith('file:') && files !== undefined) return files.readFileSync(new URL(url))
  const response = await platform.fetch(url)
  if (!response.ok) throw new Error(`${url} answers ${response.status}`)
  return response.arrayBuffer()
}
