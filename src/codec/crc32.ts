// The checksum of zip archives: CRC-32 of ISO 3309. The zip library does not export its function.

const table: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** `previous` is the checksum of the preceding bytes. */
export function crc32(bytes: Uint8Array, previous = 0): number {
  let crc = ~previous
  // Both indexes are in range, so the casts are safe.
  for (let index = 0; index < bytes.length; index++) crc = (crc >>> 8) ^ (table[(crc ^ (bytes[index] as number)) & 255] as number)
  return ~crc >>> 0
}
