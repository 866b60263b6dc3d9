// The sum of 64 bits that xz keeps of its blocks (ECMA-182, reflected), in two halves of 32 bits.

const table = createTable()

function createTable(): { readonly low: Uint32Array; readonly high: Uint32Array } {
  const [low, high] = [new Uint32Array(256), new Uint32Array(256)]
  const [polynomialLow, polynomialHigh] = [0xd7870f42, 0xc96c5795]
  for (let byte = 0; byte < 256; byte++) {
    let [restLow, restHigh] = [byte, 0]
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = (restLow & 1) !== 0
      restLow = ((restLow >>> 1) | (restHigh << 31)) >>> 0
      restHigh >>>= 1
      if (!isOdd) continue
      restLow = (restLow ^ polynomialLow) >>> 0
      restHigh = (restHigh ^ polynomialHigh) >>> 0
    }
    low[byte] = restLow
    high[byte] = restHigh
  }
  return { low, high }
}

/** `previous` is the sum of the preceding bytes. */
export function crc64(bytes: Uint8Array, previous = 0n): bigint {
  let low = Number(~previous & 0xffffffffn)
  let high = Number((~previous >> 32n) & 0xffffffffn)
  for (const byte of bytes) {
    const index = (low ^ byte) & 255
    low = (((low >>> 8) | (high << 24)) ^ (table.low[index] ?? 0)) >>> 0
    high = ((high >>> 8) ^ (table.high[index] ?? 0)) >>> 0
  }
  return (BigInt(~high >>> 0) << 32n) | BigInt(~low >>> 0)
}
