// Numbers of 16 bits with a sign, 5 bits of exponent and 10 of fraction. Source: IEEE 754, binary16.

export function halfToNumber(bits: number): number {
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  const sign = (bits & 0x8000) === 0 ? 1 : -1
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN
  return sign * (1024 + fraction) * 2 ** (exponent - 25)
}
