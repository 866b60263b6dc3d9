// Floating-point numbers with a 64-bit mantissa, which bash's printf uses. The output of `printf %.2f 1.005` depends on the precision.

const significantBits = 64n
/** Numbers with a larger power of ten become 0 or infinity. */
const mostExponent = 5000

export type LongDouble =
  | { readonly kind: 'infinite' | 'nan'; readonly isNegative: boolean }
  /** The value is `mantissa` × 2 ^ `exponent`. */
  | { readonly kind: 'finite'; readonly isNegative: boolean; readonly mantissa: bigint; readonly exponent: number }

export interface FloatSpec {
  readonly flags: string
  readonly width: number
  readonly precision: number | undefined
}

/** Parses a decimal or hexadecimal number, `inf` or `nan`. Any other text is 0. */
export function parseLongDouble(text: string): LongDouble {
  const isNegative = text.startsWith('-')
  if (/^[-+]?inf/i.test(text)) return { kind: 'infinite', isNegative }
  if (/^[-+]?nan/i.test(text)) return { kind: 'nan', isNegative }
  const hexadecimal = /^[-+]?0x([\da-f]*)\.?([\da-f]*)(?:p([-+]?\d+))?$/i.exec(text)
  if (hexadecimal !== null) {
    const [, whole = '', fraction = '', power = '0'] = hexadecimal
    const exponent = Number(power) - fraction.length * 4
    const digits = BigInt(`0x0${whole}${fraction}`)
    return exponent >= 0
      ? rounded(digits << BigInt(exponent), 1n, isNegative)
      : rounded(digits, 1n << BigInt(-exponent), isNegative)
  }
  const [, whole = '', fraction = '', power = '0'] = /^[-+]?(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(text) ?? []
  const digits = BigInt(whole + fraction || '0')
  const exponent = Number(power) - fraction.length
  if (digits !== 0n && exponent + whole.length + fraction.length > mostExponent) return { kind: 'infinite', isNegative }
  if (exponent < -mostExponent * 2) return rounded(0n, 1n, isNegative)
  return exponent >= 0
    ? rounded(digits * 10n ** BigInt(exponent), 1n, isNegative)
    : rounded(digits, 10n ** BigInt(-exponent), isNegative)
}

/** The representable number nearest to a fraction. */
function rounded(numerator: bigint, denominator: bigint, isNegative: boolean): LongDouble {
  if (numerator === 0n) return { kind: 'finite', isNegative, mantissa: 0n, exponent: 0 }
  let exponent = bitLength(numerator) - bitLength(denominator) - Number(significantBits)
  let mantissa = shiftedQuotient(numerator, denominator, exponent)
  // The estimated exponent may be off by one bit.
  const excess = bitLength(mantissa) - Number(significantBits)
  if (excess !== 0) {
    exponent += excess
    mantissa = shiftedQuotient(numerator, denominator, exponent)
  }
  return { kind: 'finite', isNegative, mantissa, exponent }
}

function shiftedQuotient(numerator: bigint, denominator: bigint, exponent: number): bigint {
  return exponent >= 0
    ? roundedQuotient(numerator, denominator << BigInt(exponent))
    : roundedQuotient(numerator << BigInt(-exponent), denominator)
}

/** Divides and rounds half to even. */
function roundedQuotient(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  const twice = (numerator % denominator) * 2n
  return twice > denominator || (twice === denominator && (quotient & 1n) === 1n) ? quotient + 1n : quotient
}

function bitLength(value: bigint): number {
  return value.toString(2).length
}

/** Formats with the conversion e, f, g or a, or the capital letter. */
export function formatLongDouble(value: LongDouble, conversion: string, { flags, width, precision }: FloatSpec): string {
  const letter = conversion.toLowerCase()
  const sign = value.isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  const digits =
    value.kind === 'finite' ? digitsOf(value, letter, precision, flags.includes('#')) : value.kind === 'nan' ? 'nan' : 'inf'
  const text = conversion === letter ? digits : digits.toUpperCase()
  if (flags.includes('-')) return (sign + text).padEnd(width)
  if (!flags.includes('0') || value.kind !== 'finite') return (sign + text).padStart(width)
  const head = letter === 'a' ? sign + text.slice(0, 2) : sign
  return head + text.slice(head.length - sign.length).padStart(width - head.length, '0')
}

type Finite = LongDouble & { readonly kind: 'finite' }

function digitsOf(value: Finite, letter: string, given: number | undefined, keepsZeros: boolean): string {
  const precision = given ?? 6
  if (letter === 'f') return pointed(fixed(value, precision), keepsZeros && precision === 0)
  if (letter === 'e') return exponential(value, precision)
  if (letter === 'a') return hexadecimal(value)
  const wanted = precision === 0 ? 1 : precision
  const [, exponent] = significant(value, wanted)
  const isShort = exponent >= -4 && exponent < wanted
  const text = isShort ? fixed(value, wanted - 1 - exponent) : exponential(value, wanted - 1)
  if (keepsZeros) return text.includes('.') ? text : text.replace(/(?=e|$)/, '.')
  if (!text.includes('.')) return text
  return text.replace(/\.?0+(?=e|$)/, '')
}

function pointed(text: string, hasPoint: boolean): string {
  return hasPoint ? `${text}.` : text
}

/** Multiplies the value by a power of ten and rounds it to an integer. */
function scaled({ mantissa, exponent }: Finite, power: number): bigint {
  const numerator = power >= 0 ? mantissa * 10n ** BigInt(power) : mantissa
  const denominator = power >= 0 ? 1n : 10n ** BigInt(-power)
  return exponent >= 0
    ? roundedQuotient(numerator << BigInt(exponent), denominator)
    : roundedQuotient(numerator, denominator << BigInt(-exponent))
}

function fixed(value: Finite, precision: number): string {
  const digits = scaled(value, precision)
    .toString()
    .padStart(precision + 1, '0')
  return precision === 0 ? digits : `${digits.slice(0, -precision)}.${digits.slice(-precision)}`
}

/** The first `count` significant digits, and the decimal exponent of the first digit. */
function significant(value: Finite, count: number): readonly [digits: string, exponent: number] {
  if (value.mantissa === 0n) return ['0'.repeat(count), 0]
  const log = (bitLength(value.mantissa) - 1 + value.exponent) * Math.log10(2)
  let exponent = Math.floor(log)
  for (;;) {
    const digits = scaled(value, count - 1 - exponent).toString()
    if (digits.length === count) return [digits, exponent]
    exponent += digits.length > count ? 1 : -1
  }
}

function exponential(value: Finite, precision: number): string {
  const [digits, exponent] = significant(value, precision + 1)
  const fraction = precision > 0 ? `.${digits.slice(1)}` : ''
  return `${digits.charAt(0)}${fraction}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** Formats in hexadecimal. The first digit holds four bits, as in the C library. */
function hexadecimal({ mantissa, exponent }: Finite): string {
  if (mantissa === 0n) return '0x0p+0'
  const digits = mantissa.toString(16)
  const fraction = digits.slice(1).replace(/0+$/, '')
  const power = exponent + 60
  return `0x${digits.charAt(0)}${fraction === '' ? '' : `.${fraction}`}p${power < 0 ? '-' : '+'}${Math.abs(power)}`
}
