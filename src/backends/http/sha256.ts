import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** As 64 lower-case hex digits. By the platform where it can, which is many times faster; a page without HTTPS has no `crypto.subtle`. */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle
  if (subtle === undefined) return bytesToHex(sha256(bytes))
  return bytesToHex(new Uint8Array(await subtle.digest('SHA-256', new Uint8Array(bytes))))
}
