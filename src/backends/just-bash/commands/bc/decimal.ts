// Decimal numbers of arbitrary precision, as in bc: excess fraction digits are truncated, never rounded.

export interface Decimal {
  /** The number without its decimal point. */
  readonly digits: bigint
  /** The number of digits after the decimal point. */
  readonly scale: number
}

export const zero: Decimal = { digits: 0n, scale: 0 }
export const one: Decimal = { digits: 1n, scale: 0 }

export function ofInteger(value: number | bigint): Decimal {
  return { digits: BigInt(value), scale: 0 }
}

export function rescaled({ digits, scale }: Decimal, wanted: number): Decimal {
  if (wanted === scale) return { digits, scale }
  return { digits: wanted > scale ? digits * powerOfTen(wanted - scale) : digits / powerOfTen(scale - wanted), scale: wanted }
}

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  return { digits: rescaled(a, scale).digits + rescaled(b, scale).digits, scale }
}

export function negated({ digits, scale }: Decimal): Decimal {
  return { digits: -digits, scale }
}

export function multiply(a: Decimal, b: Decimal, scale: number): Decimal {
  const product = { digits: a.digits * b.digits, scale: a.scale + b.scale }
  return rescaled(product, Math.min(product.scale, Math.max(scale, a.scale, b.scale)))
}

/** `undefined` for division by zero. */
export function divide(a: Decimal, b: Decimal, scale: number): Decimal | undefined {
  if (b.digits === 0n) return undefined
  const shift = scale + b.scale - a.scale
  const [above, below] = shift >= 0 ? [a.digits * powerOfTen(shift), b.digits] : [a.digits, b.digits * powerOfTen(-shift)]
  return { digits: above / below, scale }
}

export function remainder(a: Decimal, b: Decimal, scale: number): Decimal | undefined {
  const quotient = divide(a, b, scale)
  if (quotient === undefined) return undefined
  const product = { digits: quotient.digits * b.digits, scale: quotient.scale + b.scale }
  return rescaled(add(a, negated(product)), Math.max(scale + b.scale, a.scale))
}

export function power(base: Decimal, exponent: Decimal, scale: number): Decimal | undefined {
  const count = rescaled(exponent, 0).digits
  const size = count < 0n ? -count : count
  if (size > 1_000_000n) throw new RangeError('exponent too large in raise')
  const raised = { digits: base.digits ** size, scale: base.scale * Number(size) }
  if (count < 0n) return divide(one, raised, scale)
  return rescaled(raised, Math.min(raised.scale, Math.max(scale, base.scale)))
}

/** `undefined` for a negative number. */
export function squareRoot(value: Decimal, scale: number): Decimal | undefined {
  if (value.digits < 0n) return undefined
  const wanted = Math.max(scale, value.scale)
  return { digits: integerRoot(rescaled(value, wanted * 2).digits), scale: wanted }
}

export function compare(a: Decimal, b: Decimal): number {
  const { digits } = add(a, negated(b))
  return digits < 0n ? -1 : digits > 0n ? 1 : 0
}

export function powerOfTen(count: number): bigint {
  return 10n ** BigInt(count)
}

/** The square root, rounded down. */
export function integerRoot(value: bigint): bigint {
  if (value < 2n) return value
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/** Formats a number; in base 10 without a zero before the decimal point. */
export function shown({ digits, scale }: Decimal, base = 10): string {
  const sign = digits < 0n ? '-' : ''
  const size = digits < 0n ? -digits : digits
  const whole = size / powerOfTen(scale)
  if (base === 10) {
    const text = size.toString().padStart(scale, '0')
    const [before, after] = [text.slice(0, text.length - scale), text.slice(text.length - scale)]
    if (scale === 0) return sign + before
    // Zero is printed without a decimal point.
    return size === 0n ? '0' : `${sign}${before}.${after}`
  }
  if (size === 0n) return '0'
  const rest = size % powerOfTen(scale)
  const point = scale === 0 ? '' : `${base > 16 ? '' : '.'}${inBase(fractionDigits(rest, scale, base), base, true)}`
  return sign + (whole === 0n && point !== '' ? '' : inBase(wholeDigits(whole, base), base, false)) + point
}

function wholeDigits(value: bigint, base: number): number[] {
  const result: number[] = []
  for (let rest = value; rest > 0n; rest /= BigInt(base)) result.unshift(Number(rest % BigInt(base)))
  return result.length === 0 ? [0] : result
}

/** The digits of a fraction in `base`: as many as the precision of `scale` decimal digits requires. */
function fractionDigits(value: bigint, scale: number, base: number): number[] {
  const limit = powerOfTen(scale)
  const result: number[] = []
  let rest = value
  for (let reached = 1n; reached < limit; reached *= BigInt(base)) {
    rest *= BigInt(base)
    result.push(Number(rest / limit))
    rest %= limit
  }
  return result
}

/** Above base 16, each digit is printed as a decimal number. */
function inBase(digits: readonly number[], base: number, isFraction: boolean): string {
  if (base <= 16) return digits.map(digit => digit.toString(16).toUpperCase()).join('')
  const width = String(base - 1).length
  return digits.map((digit, index) => `${isFraction && index === 0 ? '.' : ' '}${String(digit).padStart(width, '0')}`).join('')
}

/** Parses digits in `base`. A digit that is too large for the base counts as the largest digit, unless it is the only digit. */
export function parsed(text: string, base: number): Decimal {
  const [whole = '', fraction = ''] = text.split('.')
  const isAlone = whole.length + fraction.length === 1
  const valueOf = (letter: string): bigint => {
    const value = Number.parseInt(letter, 36)
    return BigInt(isAlone ? value : Math.min(value, base - 1))
  }
  if (base === 10 && !/[A-Z]/.test(text)) return { digits: BigInt(whole + fraction || '0'), scale: fraction.length }
  let digits = 0n
  for (const letter of whole + fraction) digits = digits * BigInt(base) + valueOf(letter)
  const scale = fraction.length
  return scale === 0 ? { digits, scale: 0 } : { digits: (digits * powerOfTen(scale)) / BigInt(base) ** BigInt(scale), scale }
}
