// A single flipped bit can be located with the checksum: each bit of a short block changes a CRC differently. Only headers and records are
// repaired this way. A longer block with damage in many places could by chance look as if only one bit were wrong.

import { advancedByZero, bitChange, crc32c } from './crc32c.ts'

const maxBytes = 64 * 1024

/**
 * Returns `bytes` with one bit flipped back so that `checksum` is right, or unchanged if the flipped bit is in the checksum. `undefined`
 * if no single bit explains the difference. `previous` is the checksum of the preceding bytes, as for `crc32c`.
 */
export function mendBit(bytes: Uint8Array, checksum: number, previous = 0): Uint8Array | undefined {
  if (bytes.length > maxBytes) return undefined
  const difference = (crc32c(bytes, 0, bytes.length, previous) ^ checksum) >>> 0
  if ((difference & (difference - 1)) === 0) return bytes
  for (let bit = 0; bit < 8; bit++) {
    let change = bitChange(bit)
    for (let index = bytes.length - 1; index >= 0; index--) {
      if (change === difference) {
        const mended = bytes.slice()
        mended[index] = (mended[index] ?? 0) ^ (1 << bit)
        return mended
      }
      change = advancedByZero(change)
    }
  }
  return undefined
}
