// Converts the samples of a TIFF pixel to red, green, blue and alpha. Source: TIFF 6.0, sections 4 to 6, 16, 18, 21 and 23.

import { linearTo8Bit } from './light.ts'
import { ImageError, to8Bit } from './pixels.ts'

export interface ColourLayout {
  /** The meaning of the samples: TIFF's PhotometricInterpretation. */
  readonly photometric: number
  readonly bits: number
  readonly isFloat: boolean
  readonly samples: number
  /** TIFF's ExtraSamples. */
  readonly extra: readonly number[]
  /** Red, then green, then blue, 16 bits each. */
  readonly map: readonly number[]
  /** Whether chroma has full resolution, because a JPEG decoder returns one sample per pixel. */
  readonly isJpeg: boolean
  /** TIFF's YCbCrSubSampling. */
  readonly subsampling: readonly number[]
}

/** Writes the pixel whose samples begin at `from` to `to`. */
export type PutPixel = (samples: Float64Array, from: number, data: Uint8Array, to: number) => void

const multipliedIn = 1
const unspecified = 0

/** Throws `ImageError` for an unsupported meaning. */
export function colourReader(layout: ColourLayout): PutPixel {
  const needed = { 0: 1, 1: 1, 2: 3, 3: 1, 4: 1, 5: 4, 6: 3, 8: 3 }[layout.photometric]
  if (needed === undefined)
    throw new ImageError(
      'image-unsupported',
      `its colours are of kind ${layout.photometric}; gray, RGB, CMYK, YCbCr, Lab and maps are shown`,
    )
  if (layout.samples < needed)
    throw new ImageError('image-damaged', `it has ${layout.samples} samples for a pixel; ${needed} are needed`)
  const put = opaqueReader(layout)
  const [first = layout.extra.length === 0 ? multipliedIn + 1 : unspecified] = layout.extra
  // Most programs treat an unspecified fourth sample as alpha.
  if (layout.samples === needed || first === unspecified || first > 2) return put
  const maximum = layout.isFloat ? 1 : 2 ** layout.bits - 1
  return (samples, from, data, to) => {
    const alpha = Math.min(1, Math.max(0, (samples[from + needed] ?? 0) / maximum))
    if (first === multipliedIn && alpha > 0 && alpha < 1) {
      for (let at = from; at < from + needed; at++) samples[at] = Math.min(maximum, (samples[at] ?? 0) / alpha)
    }
    put(samples, from, data, to)
    data[to + 3] = to8Bit(alpha, 1)
  }
}

function opaqueReader({ photometric, bits, isFloat, map, isJpeg, subsampling }: ColourLayout): PutPixel {
  const maximum = 2 ** bits - 1
  const shown = isFloat ? linearTo8Bit : (value: number): number => to8Bit(value, maximum)
  const colour = (data: Uint8Array, to: number, red: number, green: number, blue: number): void => {
    data[to] = red
    data[to + 1] = green
    data[to + 2] = blue
    data[to + 3] = 255
  }
  switch (photometric) {
    case 0:
      return (samples, from, data, to) => {
        const gray = 255 - shown(samples[from] ?? 0)
        colour(data, to, gray, gray, gray)
      }
    case 2:
      return (samples, from, data, to) =>
        colour(data, to, shown(samples[from] ?? 0), shown(samples[from + 1] ?? 0), shown(samples[from + 2] ?? 0))
    case 3: {
      const count = 2 ** bits
      if (map.length < count * 3 || isFloat) throw new ImageError('image-damaged', 'its map of colours is too short')
      return (samples, from, data, to) => {
        const index = samples[from] ?? 0
        colour(data, to, (map[index] ?? 0) >> 8, (map[count + index] ?? 0) >> 8, (map[count * 2 + index] ?? 0) >> 8)
      }
    }
    case 5:
      return (samples, from, data, to) => {
        const light = 1 - (samples[from + 3] ?? 0) / maximum
        const ink = (at: number): number => Math.round(255 * light * (1 - (samples[from + at] ?? 0) / maximum))
        colour(data, to, ink(0), ink(1), ink(2))
      }
    case 6: {
      if (!isJpeg && (subsampling[0] ?? 2) * (subsampling[1] ?? 2) !== 1)
        throw new ImageError('image-unsupported', 'its chroma has fewer samples than there are pixels, outside JPEG')
      return (samples, from, data, to) => {
        const [light, blueness, redness] = [
          shown(samples[from] ?? 0),
          shown(samples[from + 1] ?? 0) - 128,
          shown(samples[from + 2] ?? 0) - 128,
        ]
        const green = light - 0.344_136 * blueness - 0.714_136 * redness
        colour(data, to, clamped(light + 1.402 * redness), clamped(green), clamped(light + 1.772 * blueness))
      }
    }
    case 8:
      return (samples, from, data, to) => {
        const [light, greenToRed, blueToYellow] = [0, 1, 2].map(at => samples[from + at] ?? 0)
        const [red, green, blue] = labToRgb(((light ?? 0) * 100) / maximum, signed(greenToRed, bits), signed(blueToYellow, bits))
        colour(data, to, red, green, blue)
      }
    default:
      return (samples, from, data, to) => {
        const gray = shown(samples[from] ?? 0)
        colour(data, to, gray, gray, gray)
      }
  }
}

function clamped(value: number): number {
  return Math.min(255, Math.max(0, Math.round(value)))
}

/** Two's complement, scaled to −128…127 for any depth. */
function signed(value = 0, bits: number): number {
  return (value >= 2 ** (bits - 1) ? value - 2 ** bits : value) / 2 ** (bits - 8)
}

/** Uses the white point of sRGB, so that gray stays gray. Source: CIE 15, IEC 61966-2-1. */
function labToRgb(light: number, a: number, b: number): readonly [number, number, number] {
  const y = (light + 16) / 116
  const cubed = (value: number): number => (value > 6 / 29 ? value ** 3 : (value - 4 / 29) * 3 * (6 / 29) ** 2)
  const [x, luminance, z] = [0.950_47 * cubed(y + a / 500), cubed(y), 1.088_83 * cubed(y - b / 200)]
  return [
    linearTo8Bit(3.240_454_2 * x - 1.537_138_5 * luminance - 0.498_531_4 * z),
    linearTo8Bit(-0.969_266 * x + 1.876_010_8 * luminance + 0.041_556 * z),
    linearTo8Bit(0.055_643_4 * x - 0.204_025_9 * luminance + 1.057_225_2 * z),
  ]
}
