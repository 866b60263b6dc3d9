import { describe, expect, it } from 'vitest'

import { seeds } from '../../testing/depth.ts'
import { createRandom } from '../../testing/random.ts'
import { decodeImage } from './convert.ts'
import { judgeFormat } from '../../testing/images/judge.ts'
import { mutated } from '../../testing/images/mutate.ts'
import { encodedPictures, formats, generatedPictures, type Picture } from '../../testing/images/pictures.ts'
import { ImageError, maxPixels } from './pixels.ts'

describe('other decoders see the same', () => {
  it.each(formats)('%s', async format => {
    const { count, failures } = await judgeFormat(format)
    expect(count).toBeGreaterThan(4)
    expect(failures).toEqual([])
  })
})

const samples = encodedPictures.filter(({ name }) => name.startsWith('sample.'))
const mutations = seeds({ quick: 12, deep: 4000 })
const mutationsOfOthers = seeds({ quick: 4, deep: 80 })

describe('no damage ends in anything but a picture or an ImageError', () => {
  // TIFFs with JPEG or Zstandard inside, whose decoding used to hang.
  const foreign = encodedPictures.filter(({ name }) => /JPEG|zstd/.test(name))
  it.each([...samples, ...foreign].map(picture => [picture.name, picture] as const))(
    `%s, ${mutations} times`,
    async (_name, picture) => {
      await survives(picture, mutations)
    },
  )

  it.each(formats)(`other pictures of %s, ${mutationsOfOthers} times each`, async format => {
    // Every fourth of the generated ones, which are similar.
    const generated = generatedPictures().filter((_, index) => index % 4 === 0)
    const others = [...encodedPictures.filter(({ name }) => !name.startsWith('sample.')), ...generated]
    for (const picture of others.filter(other => other.format === format)) await survives(picture, mutationsOfOthers)
  })
})

async function survives({ name, format, bytes }: Picture, count: number): Promise<void> {
  for (let seed = 1; seed <= count; seed++) {
    const said = await outcome(mutated(bytes, createRandom(seed)), format)
    if (said !== undefined) throw new Error(`${name} with seed ${seed}: ${said}`)
  }
}

/** What is wrong; `undefined` if nothing is. */
async function outcome(bytes: Uint8Array, format: Picture['format']): Promise<string | undefined> {
  try {
    const decoded = await decodeImage(bytes, format)
    if ('png' in decoded) return undefined
    const { width, height, data } = decoded
    return width * height <= maxPixels && data.length === width * height * 4
      ? undefined
      : `${width} × ${height} with ${data.length} bytes`
  } catch (error) {
    return error instanceof ImageError ? undefined : `threw ${String(error)}`
  }
}

/** The position of a text in a sample. */
const placeOf = (sample: string, text: string): number =>
  Array.from(samples.find(({ name }) => name === sample)?.bytes ?? [], byte => String.fromCharCode(byte))
    .join('')
    .indexOf(text)
const hdrSizeAt = placeOf('sample.hdr', '-Y ')
const exrWindowAt = placeOf('sample.exr', 'dataWindow') + 'dataWindow\0box2i\0'.length + 4

const tiffWidthAt =
  2 + new DataView(samples.find(({ name }) => name === 'sample.tif')?.bytes.buffer ?? new ArrayBuffer(8)).getUint32(4, true)

const cut = (
  name: string,
  ...parts: readonly (readonly [at: number, bytes: readonly number[]])[]
): readonly [string, Picture] => {
  const picture = encodedPictures.find(other => other.name === name)
  if (picture === undefined) throw new Error(`there is no picture ${name}`)
  const bytes = picture.bytes.slice()
  for (const [at, values] of parts) bytes.set(values, at)
  return [name, { ...picture, bytes }]
}

describe('a size that is too large is refused before anything is allocated for it', () => {
  it.each([
    cut('sample.tga', [12, [255, 255, 255, 255]]),
    cut('sample.qoi', [4, [0, 255, 255, 255, 0, 255, 255, 255]]),
    cut('sample.farbfeld', [8, [255, 255, 255, 255]]),
    cut('sample.dds', [12, [255, 255, 255, 255, 255, 255, 255, 255]]),
    cut('sample.pnm', [3, Array.from('99999 99999 255 ', letter => letter.charCodeAt(0))]),
    cut('sample.ico', [22 + 4, [255, 255, 0, 0, 254, 255, 1, 0]]),
    cut('sample.hdr', [hdrSizeAt, Array.from('-Y 99999 +X 99999\n', letter => letter.charCodeAt(0))]),
    cut('sample.tif', [tiffWidthAt, [0, 1, 4, 0, 1, 0, 0, 0, 255, 255, 255, 0]]),
    cut('sample.exr', [exrWindowAt, [0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 0, 255, 255, 255, 0]]),
  ])('%s', async (_name, { bytes, format }) => {
    await expect(decodeImage(bytes, format)).rejects.toMatchObject({ code: 'image-too-large' })
  })

  it.each(formats)('%s, cut anywhere', async format => {
    for (const { bytes } of samples.filter(sample => sample.format === format)) {
      for (let end = 0; end < bytes.length; end += Math.ceil(bytes.length / 50)) {
        expect(await outcome(bytes.slice(0, end), format)).toBeUndefined()
      }
    }
  })
})
