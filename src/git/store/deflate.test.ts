// What is deflated here is read by other programs, so another library inflates it.

import { unzlibSync } from 'fflate'
import { expect, it } from 'vitest'

import { seeds } from '../../testing/depth.ts'
import { createRandom, forSeeds, type Random } from '../../testing/random.ts'
import { deflate } from './deflate.ts'
import { inflate } from './inflate.ts'

const sizes = [0, 1, 2, 3, 4, 5, 8, 100, 257, 258, 259, 900, 16_383, 16_384, 32_768, 65_535, 65_536, 200_000]

/** Contents with the shapes that a compressor tells apart. */
const contents: Readonly<Record<string, (random: Random, size: number) => Uint8Array>> = {
  zeros: (_, size) => new Uint8Array(size),
  noise: (random, size) => Uint8Array.from({ length: size }, () => random.below(256)),
  'two letters': (random, size) => Uint8Array.from({ length: size }, () => 97 + random.below(2)),
  'rare bytes': (random, size) => Uint8Array.from({ length: size }, () => Math.floor(256 ** (random.below(1000) / 1000)) - 1),
  'lines that come again': (random, size) => {
    const lines = Array.from(
      { length: 20 },
      (_, row) => `${' '.repeat(random.below(9))}const value${row} = ${random.below(1e6)}\n`,
    )
    let text = ''
    while (text.length < size) text += random.pick(lines)
    return new TextEncoder().encode(text.slice(0, size))
  },
  'far copies': (random, size) => {
    const bytes = Uint8Array.from({ length: size }, () => random.below(256))
    for (let count = 0; count < 20 && size > 600; count++)
      bytes.copyWithin(random.below(size - 300), random.below(size - 300), random.below(size - 1))
    return bytes
  },
}

it.each(Object.keys(contents))('deflates %s to what others inflate', async kind => {
  await forSeeds(seeds({ quick: 1, deep: 40 }), random => {
    for (const size of sizes) {
      const bytes = contents[kind]?.(random, size) ?? new Uint8Array()
      const packed = deflate(bytes)
      expect(Buffer.compare(unzlibSync(packed), bytes), `${size} bytes`).toBe(0)
      expect(inflate(packed, 0, size, size).end).toBe(packed.length)
      expect(packed.length).toBeLessThanOrEqual(size + 11 + 10 * Math.ceil(size / 16_383))
    }
  })
})

it('makes codes of at most 15 bits for counts that ask for more', () => {
  // Each byte as often as the two before together: the deepest tree that there is.
  const parts: number[] = []
  for (let byte = 0, [count, next] = [1, 1]; parts.length < 16_000; byte++, [count, next] = [next, count + next])
    for (let at = 0; at < count && parts.length < 16_000; at++) parts.push(byte)
  const random = createRandom(1)
  for (let at = parts.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    const [left = 0, right = 0] = [parts[at], parts[other]]
    parts[at] = right
    parts[other] = left
  }
  const bytes = Uint8Array.from(parts)
  expect(Buffer.compare(unzlibSync(deflate(bytes)), bytes)).toBe(0)
})
