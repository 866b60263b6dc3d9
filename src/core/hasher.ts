// Hashes that process bytes in chunks. WebAssembly computes SHA-256 in half of the time of JavaScript, so it is used where
// compiling is allowed. A page's security policy or an edge runtime may forbid it.

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { IHasher } from 'hash-wasm'

/** A hash of a file's content. `sha256` is safe against forgery; `xxh128` is many times faster and is not. */
export type HashName = 'sha256' | 'xxh128'

export const hashNames: readonly HashName[] = ['sha256', 'xxh128']

/** Processes bytes in order. `digest` returns the hash in lower-case hexadecimal digits, once. */
export interface Hasher {
  update(bytes: Uint8Array): unknown
  digest(): string
}

/** Returns `undefined` for `xxh128` if WebAssembly cannot be compiled. */
export async function openHasher(name: HashName): Promise<Hasher | undefined> {
  if (name === 'xxh128') return await byWebAssembly(async () => (await import('./hash-wasm.ts')).createXXHash128())
  return (await byWebAssembly(async () => (await import('./hash-wasm.ts')).createSHA256())) ?? sha256Hasher()
}

/** Returns `undefined` if WebAssembly cannot be compiled. */
async function byWebAssembly(make: () => Promise<IHasher>): Promise<Hasher | undefined> {
  let made: IHasher
  try {
    made = await make()
  } catch {
    // Each engine reports this with a different error.
    return undefined
  }
  made.init()
  return { update: bytes => made.update(bytes), digest: () => made.digest('hex') }
}

function sha256Hasher(): Hasher {
  const hasher = sha256.create()
  return { update: bytes => hasher.update(bytes), digest: () => bytesToHex(hasher.digest()) }
}
