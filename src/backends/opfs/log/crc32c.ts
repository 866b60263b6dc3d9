// The checksum of every record: CRC-32C (Castagnoli), which finds every burst of up to 32 bits. Source: RFC 3720, appendix B.4.
// Four tables, so that a turn of the loop takes four bytes.

const polynomial = 0x82f63b78

const tables: readonly Uint32Array[] = makeTables()

function makeTables(): readonly Uint32Array[] {
  const made = [0, 1, 2, 3].map(() => new Uint32Array(256))
  const [first = new Uint32Array(256)] = made
  for (let byte = 0; byte < 256; byte++) {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1
    first[byte] = value
  }
  for (const [index, table] of made.entries()) {
    const previous = made[index - 1]
    if (previous === undefined) continue
    for (let byte = 0; byte < 256; byte++) {
      const value = previous[byte] ?? 0
      table[byte] = (value >>> 8) ^ (first[value & 255] ?? 0)
    }
  }
  return made
}

const [table0 = new Uint32Array(0), table1 = table0, table2 = table0, table3 = table0] = tables

/** Of `bytes` from `start` up to and without `end`, as an unsigned number. `previous` goes on from the checksum of what came before. */
export function crc32c(bytes: Uint8Array, start = 0, end: number = bytes.length, previous = 0): number {
  let crc = ~previous
  let index = start
  // Every index is in range, so the casts hold; a check per byte would cost half of the speed.
  for (const last = end - 3; index < last; index += 4) {
    crc ^=
      (bytes[index] as number) |
      ((bytes[index + 1] as number) << 8) |
      ((bytes[index + 2] as number) << 16) |
      ((bytes[index + 3] as number) << 24)
    crc =
      (table3[crc & 255] as number) ^
      (table2[(crc >>> 8) & 255] as number) ^
      (table1[(crc >>> 16) & 255] as number) ^
      (table0[crc >>> 24] as number)
  }
  for (; index < end; index++) crc = (crc >>> 8) ^ (table0[(crc ^ (bytes[index] as number)) & 255] as number)
  return ~crc >>> 0
}
