// Starts interpreters of Python. The first start of a worker keeps the interpreter's memory; each later one begins with a copy, which takes
// a tenth of the time. No interpreter runs two programs.

import type { Pyodide, PyodideModule } from './emscripten.ts'
import { prelude } from './prelude.ts'
import { SharedEngine } from './shared-engine.ts'

// The platform, for which this folder has no types.
interface Platform {
  readonly fetch: (
    url: string,
    options: { readonly method: string },
  ) => Promise<{ readonly ok: boolean; readonly status: number; readonly headers: { get(name: string): string | null } }>
  readonly process?: { getBuiltinModule?: (name: string) => unknown }
}

/** The files of Pyodide that are loaded. */
const neededFiles = ['pyodide.mjs', 'pyodide.asm.mjs', 'pyodide.asm.wasm', 'python_stdlib.zip', 'pyodide-lock.json']

interface Prepared {
  readonly load: PyodideModule['loadPyodide']
  readonly engine: SharedEngine
  /** The memory of an interpreter that has run nothing but the prelude. */
  readonly snapshot: Uint8Array
}

export class Interpreters {
  #prepared: Promise<Prepared> | undefined

  /** Rejects if a file of Pyodide cannot be loaded, or no memory is left. */
  async start(indexUrl: string): Promise<Pyodide> {
    const { load, engine, snapshot } = await this.prepare(indexUrl)
    return engine.during(load({ ...optionsFor(indexUrl), _loadSnapshot: snapshot }))
  }

  /** Rejects as `start`. */
  async prepare(indexUrl: string): Promise<Prepared> {
    this.#prepared ??= this.#load(indexUrl)
    return this.#prepared
  }

  async #load(indexUrl: string): Promise<Prepared> {
    await checkFiles(indexUrl)
    // A bundler must leave this import alone: the file is the host's.
    const module = (await import(/* @vite-ignore */ /* webpackIgnore: true */ `${indexUrl}pyodide.mjs`)) as PyodideModule
    const load = module.loadPyodide
    const engine = new SharedEngine()
    const first = await engine.during(load({ ...optionsFor(indexUrl), _makeSnapshot: true }))
    first.runPython(prelude)
    return { load, engine, snapshot: first.makeMemorySnapshot() }
  }
}

function optionsFor(indexUrl: string): {
  readonly indexURL: string
  readonly jsglobals: object
  readonly env: Record<string, string>
} {
  return { indexURL: directoryOf(indexUrl), jsglobals: {}, env: { HOME: '/', PYTHONINSPECT: '' } }
}

/** Pyodide takes no file URL in Node, but a path. */
function directoryOf(url: string): string {
  const { process } = globalThis as unknown as Platform
  const urls = process?.getBuiltinModule?.('node:url') as { fileURLToPath(url: string): string } | undefined
  return url.startsWith('file:') && urls !== undefined ? urls.fileURLToPath(url) : url
}

/** Pyodide waits for ever for a module that is missing, and takes a page that a server sends instead. */
async function checkFiles(indexUrl: string): Promise<void> {
  const platform = globalThis as unknown as Platform
  const files = platform.process?.getBuiltinModule?.('node:fs') as { existsSync(url: URL): boolean } | undefined
  for (const name of neededFiles) {
    const url = `${indexUrl}${name}`
    if (url.startsWith('file:') && files !== undefined) {
      if (!files.existsSync(new URL(url))) throw new Error(`${url} does not exist`)
      continue
    }
    const { ok, status, headers } = await platform.fetch(url, { method: 'HEAD' })
    if (!ok) throw new Error(`${url} answers ${status}`)
    if (headers.get('content-type')?.includes('text/html') === true)
      throw new Error(`${url} answers with a page, not with the file`)
  }
}
