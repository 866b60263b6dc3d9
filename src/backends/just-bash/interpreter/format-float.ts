// Floating-point numbers as C's printf shows them.

export interface FloatSpec {
  readonly flags: string
  readonly width: number
  readonly precision: number | undefined
}

export function formatFloat(value: number, conversion: string, { flags, width, precision = 6 }: FloatSpec): string {
  const isUpper = conversion !== conversion.toLowerCase()
  const isNegative = value < 0 || Object.is(value, -0)
  const sign = isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  const isFinite = Number.isFinite(value)
  const digits = isFinite
    ? digitsOf(Math.abs(value), conversion.toLowerCase(), precision, flags.includes('#'))
    : Number.isNaN(value)
      ? 'nan'
      : 'inf'
  const text = isUpper ? digits.toUpperCase() : digits
  if (flags.includes('-')) return (sign + text).padEnd(width)
  if (flags.includes('0') && isFinite) return sign + text.padStart(width - sign.length, '0')
  return (sign + text).padStart(width)
}

function digitsOf(value: number, conversion: string, precision: number, keepsZeros: boolean): string {
  switch (conversion) {
    case 'f':
      return exactFixed(value, precision)
    case 'e':
      return exponential(value, precision)
    case 'a':
      return hexadecimal(value)
    default: {
      const significant = precision === 0 ? 1 : precision
      const exponent = value === 0 ? 0 : Number(/e([-+]\d+)$/.exec(value.toExponential(Math.min(100, significant - 1)))?.[1] ?? 0)
      const isShort = exponent >= -4 && exponent < significant
      const text = isShort ? exactFixed(value, significant - 1 - exponent) : exponential(value, significant - 1)
      if (keepsZeros) return text
      return isShort ? (text.includes('.') ? text.replace(/\.?0+$/, '') : text) : text.replace(/\.?0*e/, 'e')
    }
  }
}

function exponential(value: number, precision: number): string {
  const text = value.toExponential(Math.min(100, precision))
  return text.replace(/e([-+])(\d)$/, 'e$10$2')
}

const maxPlaces = 100

/** `toFixed` gives up at 1e21 and at 100 places; C does not. Halves are rounded by the number's exact value, as C does. */
function exactFixed(value: number, precision: number): string {
  if (value < 1e21 && precision <= 100) return value.toFixed(precision)
  const whole = BigInt(Math.trunc(value)).toString()
  if (precision === 0) return whole
  const fraction = value >= 1e21 ? '' : (value % 1).toFixed(maxPlaces).slice(2)
  return `${whole}.${fraction.padEnd(precision, '0').slice(0, precision)}`
}

function hexadecimal(value: number): string {
  if (value === 0) return '0x0p+0'
  let exponent = Math.floor(Math.log2(value))
  let mantissa = value / 2 ** exponent
  while (mantissa >= 16) mantissa /= 2
  let digits = ''
  mantissa *= 8
  exponent -= 3
  let whole = Math.floor(mantissa)
  const head = whole.toString(16)
  for (let rest = mantissa - whole; rest > 0 && digits.length < 15;) {
    rest *= 16
    whole = Math.floor(rest)
    digits += whole.toString(16)
    rest -= whole
  }
  return `0x${head}${digits === '' ? '' : `.${digits}`}p${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`
}
