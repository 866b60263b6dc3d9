// Hashes that take bytes piece by piece. WebAssembly computes SHA-256 in half of the time that JavaScript takes, so it is used where it may be
// compiled; a page's security policy, or an edge runtime, may forbid that.

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { IHasher } from 'hash-wasm'

/** A hash of a file's content. `sha256` is safe against forgery; `xxh128` is many times faster and is not. */
export type HashName = 'sha256' | 'xxh128'

/** All hashes by name. */
export const hashNames: readonly HashName[] = ['sha256', 'xxh128']

/** Takes bytes in order. `digest` gives the hash in lower-case hexadecimal digits, once. */
export interface Hasher {
  update(bytes: Uint8Array): unknown
  digest(): string
}

/** `undefined` for `xxh128` where WebAssembly cannot be compiled. */
export async function openHasher(name: HashName): Promise<Hasher | undefined> {
  if (name === 'xxh128') return await byWebAssembly(async () => (await import('./hash-wasm.ts')).createXXHash128())
  return (await byWebAssembly(async () => (await import('./hash-wasm.ts')).createSHA256())) ?? sha256Hasher()
}

/** `undefined` where WebAssembly cannot be compiled. */
async function byWebAssembly(make: () => Promise<IHasher>): Promise<Hasher | undefined> {
  let made: IHasher
  try {
    made = await make()
  } catch {
    // The engine says why in its own way, and each has another.
    return undefined
  }
  made.init()
  return { update: bytes => made.update(bytes), digest: () => made.digest('hex') }
}

function sha256Hasher(): Hasher {
  const hasher = sha256.create()
  return { update: bytes => hasher.update(bytes), digest: () => bytesToHex(hasher.digest()) }
}
