// Linear light as a value for the screen: clamped to 0…1, converted with the sRGB curve, scaled to 255. Images have millions of samples and
// the curve is slow, so its steps are computed once, on first use. Source: IEC 61966-2-1.

import { halfToNumber } from './half.ts'

const coarseSteps = 4096

interface Steps {
  /** The least light that gives each value. */
  readonly least: Float64Array
  /** For each of 4,096 ranges of light: the value at its start. */
  readonly coarse: Uint8Array
}

let steps: Steps | undefined
let halves: Uint8Array | undefined

export function linearTo8Bit(light: number): number {
  if (!(light > 0)) return 0
  if (light >= 1) return 255
  steps ??= newSteps()
  let value = steps.coarse[Math.floor(light * coarseSteps)] ?? 0
  while ((steps.least[value + 1] ?? Infinity) <= light) value++
  return value
}

/** For each 16-bit number. */
export function halvesTo8Bit(): Uint8Array {
  halves ??= Uint8Array.from({ length: 65_536 }, (_, bits) => linearTo8Bit(halfToNumber(bits)))
  return halves
}

function newSteps(): Steps {
  const least = Float64Array.from({ length: 257 }, (_, value) => {
    const shown = (value - 0.5) / 255
    return value === 256 ? Infinity : shown <= 0.040_45 ? shown / 12.92 : ((shown + 0.055) / 1.055) ** 2.4
  })
  const coarse = new Uint8Array(coarseSteps)
  let value = 0
  for (let part = 0; part < coarseSteps; part++) {
    while ((least[value + 1] ?? Infinity) <= part / coarseSteps) value++
    coarse[part] = value
  }
  return { least, coarse }
}
