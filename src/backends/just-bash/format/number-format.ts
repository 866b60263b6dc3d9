// Formats numbers as C's printf does. The exact value is rounded half to even, whereas JavaScript's number methods round half up.

const mostDigits = 100

/** Formats a finite number that is not negative with `%e`. */
export function exponential(value: number, precision: number, isUpper: boolean = false): string {
  const [digits, exponent] = roundedDigits(value, precision + 1)
  const fraction = precision > 0 ? `.${digits.slice(1).padEnd(precision, '0')}` : ''
  const sign = exponent < 0 ? '-' : '+'
  return `${digits.charAt(0)}${fraction}${isUpper ? 'E' : 'e'}${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** Formats a finite number that is not negative with `%f`. */
export function fixed(value: number, precision: number): string {
  if (Number.isInteger(value)) {
    const whole = Number.isSafeInteger(value) ? String(value) : BigInt(value).toString()
    return precision > 0 ? `${whole}.${'0'.repeat(precision)}` : whole
  }
  // Digits beyond those of toFixed are zero, or do not affect the rounding.
  const long = value.toFixed(Math.min(mostDigits, precision + 40))
  const point = long.indexOf('.')
  const digits = long.slice(0, point) + long.slice(point + 1)
  const rounded = roundHalfToEven(digits, point + precision)
  const shift = rounded.length - (point + precision)
  const whole = rounded.slice(0, point + shift)
  return precision > 0 ? `${whole}.${rounded.slice(point + shift).padEnd(precision, '0')}` : whole
}

/** Formats a finite number that is not negative with `%g`. `keepsZeros` is the flag `#`. */
export function general(value: number, precision: number, isUpper: boolean = false, keepsZeros: boolean = false): string {
  const wanted = precision === 0 ? 1 : precision
  const [, exponent] = roundedDigits(value, wanted)
  const isExponential = exponent < -4 || exponent >= wanted
  const text = isExponential ? exponential(value, wanted - 1, isUpper) : fixed(value, wanted - 1 - exponent)
  if (keepsZeros || !text.includes('.')) return text
  return text.replace(/\.?0+(?=[eE]|$)/, '')
}

/** The first `count` significant digits, and the decimal exponent of the first digit. */
function roundedDigits(value: number, count: number): readonly [digits: string, exponent: number] {
  if (value === 0) return ['0'.repeat(count), 0]
  const long = value.toExponential(Math.min(mostDigits, count + 40))
  const [mantissa = '', power = '0'] = long.split('e')
  const digits = mantissa.replace('.', '')
  const rounded = roundHalfToEven(digits, count)
  const exponent = Number(power)
  return rounded.length > count ? [rounded.slice(0, count), exponent + 1] : [rounded, exponent]
}

/** Rounds `digits` to `count` digits. The result has one more digit if a carry goes beyond the first. */
function roundHalfToEven(digits: string, count: number): string {
  if (count >= digits.length) return digits.padEnd(count, '0')
  const next = digits.charCodeAt(count) - 48
  const isTie = next === 5 && /^0*$/.test(digits.slice(count + 1))
  const isUp = isTie ? ((digits.charCodeAt(count - 1) - 48) & 1) === 1 : next >= 5
  const kept = digits.slice(0, count)
  if (!isUp) return kept
  for (let at = count - 1; at >= 0; at--) {
    if (kept.charAt(at) !== '9') return kept.slice(0, at) + String(Number(kept.charAt(at)) + 1) + '0'.repeat(count - 1 - at)
  }
  return `1${'0'.repeat(count)}`
}

export interface Conversion {
  readonly flags: string
  readonly width: number
  /** -1 if no precision was given. */
  readonly precision: number
  readonly letter: string
}

/** Formats one printf directive, such as `%d`, `%x` or `%e`. For integer conversions, `value` must be an integer. */
export function formatNumber(value: number, { flags, width, precision, letter }: Conversion): string {
  const isWhole = 'diouxX'.includes(letter)
  const isNegative = value < 0 || Object.is(value, -0)
  const size = Math.abs(value)
  const sign = isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  if (!Number.isFinite(value)) {
    const word = Number.isNaN(value) ? 'nan' : 'inf'
    return padded(`${isNegative || Number.isNaN(value) ? '-' : '+'}${word}`, '', { flags: flags.replace('0', ''), width })
  }
  if (isWhole) return formatWhole(value, { flags, width, precision, letter })
  const digits = precision < 0 ? 6 : precision
  const lower = letter.toLowerCase()
  const isUpper = letter !== lower
  const text =
    lower === 'f'
      ? fixed(size, digits)
      : lower === 'e'
        ? exponential(size, digits, isUpper)
        : general(size, digits, isUpper, flags.includes('#'))
  return padded(text, sign, { flags, width })
}

function formatWhole(value: number, { flags, width, precision, letter }: Conversion): string {
  const whole = Math.trunc(value)
  const isSigned = letter === 'd' || letter === 'i'
  const radix = letter === 'o' ? 8 : letter === 'x' || letter === 'X' ? 16 : 10
  const big = whole < 0 && !isSigned ? BigInt.asUintN(64, BigInt(whole)) : BigInt(Math.abs(whole))
  let digits = big.toString(radix)
  if (letter === 'X') digits = digits.toUpperCase()
  if (precision >= 0) digits = precision === 0 && big === 0n ? '' : digits.padStart(precision, '0')
  if (flags.includes('#') && big !== 0n) digits = radix === 8 ? `0${digits}` : radix === 16 ? `0${letter}${digits}` : digits
  const sign = whole < 0 && isSigned ? '-' : !isSigned ? '' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  return padded(digits, sign, { flags: precision >= 0 ? flags.replaceAll('0', '') : flags, width })
}

function padded(text: string, sign: string, { flags, width }: { readonly flags: string; readonly width: number }): string {
  const missing = width - text.length - sign.length
  if (missing <= 0) return sign + text
  if (flags.includes('-')) return sign + text + ' '.repeat(missing)
  return flags.includes('0') ? sign + '0'.repeat(missing) + text : ' '.repeat(missing) + sign + text
}
