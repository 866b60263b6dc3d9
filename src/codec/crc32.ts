// The checksum of zip archives: CRC-32 as of ISO 3309. The library keeps its own to itself.

const table: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** `previous` goes on from the checksum of what came before. */
export function crc32(bytes: Uint8Array, previous = 0): number {
  let crc = ~previous
  // Both indexes are in range, so the casts hold.
  for (let index = 0; index < bytes.length; index++) {
    crc = (crc >>> 8) ^ (table[(crc ^ (bytes[index] as number)) & 255] as number)
  }
  return ~crc >>> 0
}
