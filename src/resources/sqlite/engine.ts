// The only file that imports SQLite. The package ships it as a bundle with the WebAssembly module.

import initialize from '@sqlite.org/sqlite-wasm'
import { gunzipSync } from 'fflate'
import type { Engine } from './capi.ts'
import { compressedWasm } from './wasm-binary.ts'

interface Startup {
  readonly print: () => void
  readonly printErr: () => void
  readonly wasmBinary?: Uint8Array
}

/** A new engine with separate memory. Rejects if WebAssembly cannot be compiled. */
export async function startEngine(): Promise<Engine> {
  // Its own storage in the browser is not used; it would start workers and print warnings.
  Object.assign(globalThis, {
    sqlite3ApiConfig: {
      disable: { vfs: { opfs: true, 'opfs-vfs': true, 'opfs-sahpool': true, 'opfs-wl': true, kvvfs: true } },
      debug: silent,
      log: silent,
      warn: silent,
      error: silent,
    },
  })
  const start = initialize as unknown as (startup: Startup) => Promise<Engine>
  return start({
    print: silent,
    printErr: silent,
    ...(compressedWasm === '' ? {} : { wasmBinary: gunzipSync(bytesOfBase64(compressedWasm)) }),
  })
}

function silent(): void {}

function bytesOfBase64(base64: string): Uint8Array {
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}
