// LZW strips of a TIFF, walked before geotiff decodes them: its decoder follows a code that no table holds for ever.
// Source: TIFF 6.0, section 13.

const clearCode = 256
const endCode = 257
const firstFreeCode = 258
/** What geotiff's table has room for. */
const tableSize = 4093
const mostBits = 12

/** Whether every code of `bytes` stands for something when it is read. */
export function isSoundLzw(bytes: Uint8Array): boolean {
  let tableLength = firstFreeCode
  let codeBits = 9
  let hasPrevious = false
  let isAfterClear = false
  for (let bit = 0; bit + codeBits <= bytes.length * 8;) {
    const code = codeAt(bytes, bit, codeBits)
    bit += codeBits
    if (code === endCode) return true
    if (code === clearCode) {
      tableLength = firstFreeCode
      codeBits = 9
      isAfterClear = true
      continue
    }
    if (isAfterClear ? code > clearCode : code > tableLength || code >= tableSize || (code === tableLength && !hasPrevious))
      return false
    if (hasPrevious && !isAfterClear) tableLength++
    isAfterClear = false
    hasPrevious = true
    if (tableLength + 1 < 2 ** codeBits) continue
    if (codeBits === mostBits) hasPrevious = false
    else codeBits++
  }
  return true
}

function codeAt(bytes: Uint8Array, bit: number, codeBits: number): number {
  const first = bit >> 3
  const word = ((bytes[first] ?? 0) << 16) | ((bytes[first + 1] ?? 0) << 8) | (bytes[first + 2] ?? 0)
  return (word >> (24 - (bit & 7) - codeBits)) & (2 ** codeBits - 1)
}
