// The mathematical functions of jq. Those whose last digits depend on the C library (gamma, Bessel, fma) are left out.

import type { Json } from './json.ts'
import type { NativeFunction } from './builtins.ts'
import { JqError, withType } from './values.ts'

export function numbered(input: Json): number {
  if (typeof input !== 'number') throw new JqError(`${withType(input)} number required`)
  return input
}

/** The mantissa of a number, from 0.5 up to 1, and its exponent of two. */
function partsOf(value: number): readonly [number, number] {
  if (value === 0 || !Number.isFinite(value)) return [value, 0]
  // A number too small for a whole mantissa is made larger first.
  const [scaled, less] = Math.abs(value) < 2 ** -1022 ? [value * 2 ** 64, 64] : [value, 0]
  const estimate = Math.floor(Math.log2(Math.abs(scaled)))
  const mantissa = scaled / 2 ** estimate
  const exponent = Math.abs(mantissa) >= 2 ? estimate + 1 : Math.abs(mantissa) < 1 ? estimate - 1 : estimate
  return [scaled / 2 ** exponent / 2, exponent + 1 - less]
}

/** In two steps, because the power of two alone can be beyond the limits. */
function scaled(value: number, exponent: number): number {
  const half = Math.trunc(Math.max(-4200, Math.min(4200, exponent)) / 2)
  return value * 2 ** half * 2 ** (Math.trunc(Math.max(-4200, Math.min(4200, exponent))) - half)
}

function after(value: number, end: number): number {
  if (Number.isNaN(value) || Number.isNaN(end)) return Number.NaN
  if (value === end) return end
  if (value === 0) return end > 0 ? Number.MIN_VALUE : -Number.MIN_VALUE
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  view.setBigInt64(0, view.getBigInt64(0) + (end > value === value > 0 ? 1n : -1n))
  return view.getFloat64(0)
}

/** What is left of `x` beside the nearest multiple of `y`; of two the even one. */
function remainder(x: number, y: number): number {
  const [size, step] = [Math.abs(x % (2 * y)), Math.abs(y)]
  if (Number.isNaN(size)) return Math.abs(y) > Number.MAX_VALUE / 2 && Number.isFinite(x) ? x % y : Number.NaN
  const rest = size > 1.5 * step ? size - 2 * step : size >= 1.5 * step ? size - 2 * step : size > step / 2 ? size - step : size
  return x < 0 ? -rest : rest
}

const ofOneNumber: Readonly<Record<string, (value: number) => number>> = {
  floor: Math.floor,
  ceil: Math.ceil,
  round: value => Math.sign(value) * Math.round(Math.abs(value)),
  trunc: Math.trunc,
  rint: value => (Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value)),
  nearbyint: value => (Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value)),
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  fabs: Math.abs,
  exp: Math.exp,
  exp2: value => 2 ** value,
  exp10: value => 10 ** value,
  expm1: Math.expm1,
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  log1p: Math.log1p,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  asinh: Math.asinh,
  acosh: Math.acosh,
  atanh: Math.atanh,
  significand: value => (Number.isFinite(value) ? 2 * partsOf(value)[0] : value),
  logb: value => (value === 0 ? Number.NEGATIVE_INFINITY : Number.isFinite(value) ? partsOf(value)[1] - 1 : Math.abs(value)),
}

const ofTwoNumbers: Readonly<Record<string, (x: number, y: number) => number>> = {
  pow: (x, y) => x ** y,
  atan2: Math.atan2,
  fmod: (x, y) => x % y,
  fmin: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.min(x, y)),
  fmax: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.max(x, y)),
  fdim: (x, y) => (x > y ? x - y : x <= y ? 0 : Number.NaN),
  drem: remainder,
  ldexp: scaled,
  scalb: scaled,
  scalbln: scaled,
  copysign: (x, y) => (y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x)),
  nextafter: after,
  nexttoward: after,
}

export const mathematics: readonly (readonly [string, NativeFunction])[] = [
  ...Object.entries(ofOneNumber).map(([name, calculate]) => [`${name}/0`, (input: Json) => calculate(numbered(input))] as const),
  ...Object.entries(ofTwoNumbers).map(
    ([name, calculate]) =>
      [`${name}/2`, (_input: Json, [x = null, y = null]: readonly Json[]) => calculate(numbered(x), numbered(y))] as const,
  ),
  ['frexp/0', input => [...partsOf(numbered(input))]],
  [
    'modf/0',
    input => {
      const value = numbered(input)
      if (Number.isFinite(value)) return [value % 1, Math.trunc(value)]
      return [Number.isNaN(value) ? value : value < 0 ? -0 : 0, value]
    },
  ],
]
