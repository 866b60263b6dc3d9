// The math library of `bc -l`: series over integers, with some guard digits.

import { integerRoot, powerOfTen, rescaled, type Decimal } from './decimal.ts'

const guardDigits = 12

type Fixed = bigint

/** Like the other functions of this file, returns `scale` fraction digits, truncated. */
export function sine(x: Decimal, scale: number): Decimal {
  return worked(x, scale, (value, unit) => sineOf(value, unit))
}

export function cosine(x: Decimal, scale: number): Decimal {
  return worked(x, scale, (value, unit) => {
    const turned = value % (8n * arctangentOf(unit, unit))
    const square = (turned * turned) / unit
    let term = unit
    let sum = term
    for (let index = 1n; term !== 0n; index++) {
      term = (-term * square) / ((2n * index - 1n) * 2n * index * unit)
      sum += term
    }
    return sum
  })
}

export function arctangent(x: Decimal, scale: number): Decimal {
  return worked(x, scale, arctangentOf)
}

export function exponential(x: Decimal, scale: number): Decimal {
  const whole = Number(rescaled(x, 0).digits)
  const extra = whole > 0 ? Math.ceil(whole * 0.44) : 0
  return worked(x, scale, exponentialOf, extra)
}

/** The natural logarithm of a positive number. */
export function logarithm(x: Decimal, scale: number): Decimal {
  return worked(x, scale, logarithmOf)
}

export function bessel(order: number, x: Decimal, scale: number): Decimal {
  return worked(
    x,
    scale,
    (value, unit) => {
      const size = Math.abs(order)
      let term = unit
      for (let index = 1; index <= size; index++) term = (term * value) / (2n * BigInt(index) * unit)
      const square = (value * value) / unit
      let sum = term
      for (let index = 1n; term !== 0n; index++) {
        term = (-term * square) / (4n * index * (index + BigInt(size)) * unit)
        sum += term
      }
      return order < 0 && size % 2 === 1 ? -sum : sum
    },
    Math.ceil(Math.abs(Number(rescaled(x, 0).digits))),
  )
}

function worked(x: Decimal, scale: number, work: (value: Fixed, unit: Fixed) => Fixed, extra = 0): Decimal {
  const digits = scale + guardDigits + extra
  return rescaled({ digits: work(rescaled(x, digits).digits, powerOfTen(digits)), scale: digits }, scale)
}

function sineOf(value: Fixed, unit: Fixed): Fixed {
  const circle = 8n * arctangentOf(unit, unit)
  const turned = value % circle
  const square = (turned * turned) / unit
  let term = turned
  let sum = term
  for (let index = 1n; term !== 0n; index++) {
    term = (-term * square) / (2n * index * (2n * index + 1n) * unit)
    sum += term
  }
  return sum
}

function arctangentOf(value: Fixed, unit: Fixed): Fixed {
  if (value < 0n) return -arctangentOf(-value, unit)
  // Halves the angle until the series converges fast.
  if (value * 10n > unit) {
    const root = integerRoot(unit * unit + value * value)
    return 2n * arctangentOf((value * unit) / (unit + root), unit)
  }
  const square = (value * value) / unit
  let power = value
  let sum = value
  for (let index = 3n; power !== 0n; index += 2n) {
    power = (-power * square) / unit
    sum += power / index
  }
  return sum
}

function exponentialOf(value: Fixed, unit: Fixed): Fixed {
  if (value < 0n) return (unit * unit) / exponentialOf(-value, unit)
  if (value > unit) {
    const half = exponentialOf(value / 2n, unit)
    return (half * half) / unit
  }
  let term = unit
  let sum = unit
  for (let index = 1n; term !== 0n; index++) {
    term = (term * value) / (index * unit)
    sum += term
  }
  return sum
}

function logarithmOf(value: Fixed, unit: Fixed): Fixed {
  let factor = 2n
  let near = value
  while (near >= 2n * unit || near * 2n <= unit) {
    near = integerRoot(near * unit)
    factor *= 2n
  }
  const ratio = ((near - unit) * unit) / (near + unit)
  const square = (ratio * ratio) / unit
  let power = ratio
  let sum = ratio
  for (let index = 3n; power !== 0n; index += 2n) {
    power = (power * square) / unit
    sum += power / index
  }
  return factor * sum
}
