// The lines of bytes are those of the string that the bytes are.

import { expect, it } from 'vitest'

import { createRandom, forSeeds } from '../testing/random.ts'
import { seeds } from '../testing/depth.ts'
import { ByteLines, isUtf8 } from './byte-lines.ts'
import { documentOf } from './text.ts'

const pieces = ['a', 'words', 'é', '漢', '𝄞', '\n', '\n', '\r\n', '\r', '\uFEFF', ' ']
const encoder = new TextEncoder()

it('has the same lines, endings and sizes as a string', async () => {
  await forSeeds(seeds({ quick: 60, deep: 3_000 }), random => {
    const count = random.pick([0, 1, 5, 40, 2_000])
    const text = Array.from({ length: count }, () => random.pick(pieces)).join('')
    const document = documentOf(text)
    const lines = new ByteLines(encoder.encode(text))
    expect(lines.count).toBe(document.lines.length)
    const start = 1 + random.below(lines.count + 1)
    const end = start + random.below(40)
    const [shown, within] = [document.lines.slice(start - 1, end), document.endings.slice(start - 1, end)]
    expect(lines.characters({ start, end }, false)).toBe(shown.join('').length)
    expect(lines.characters({ start, end }, true)).toBe(shown.join('').length + within.join('').length)
    const part = lines.document([{ start, end }], Number.POSITIVE_INFINITY)
    expect([part.bom, part.lines.length, part.endings.length]).toEqual([document.bom, lines.count, lines.count])
    expect(part.lines.slice(start - 1, end)).toEqual(shown)
    expect(part.endings.slice(start - 1, end)).toEqual(within)
  })
})

it('makes strings of no more than it is asked for', () => {
  const lines = new ByteLines(encoder.encode('one\n' + 'x'.repeat(50) + '\nthree\n'))
  const { lines: shown } = lines.document([{ start: 1, end: 3 }], 10)
  expect([...shown]).toEqual(['one', 'xxxxxx', undefined])
})

it.each([
  ['text', encoder.encode('é'.repeat(700_000)), true],
  ['a null byte', encoder.encode('a\0b'), false],
  ['a character that is cut off', encoder.encode('é').slice(0, 1), false],
  ['a byte that begins nothing', Uint8Array.from([0x61, 0xff]), false],
])('knows UTF-8: %s', (_what, bytes, is) => {
  expect(isUtf8(bytes)).toBe(is)
})

it('knows it at the borders of its pieces', () => {
  const random = createRandom(3)
  const bytes = encoder.encode('𝄞'.repeat(600_000))
  for (let round = 0; round < 4; round++) expect(isUtf8(bytes.subarray(4 * random.below(9)))).toBe(true)
  expect(isUtf8(bytes.subarray(1))).toBe(false)
})

it('judges bytes as the decoder does', async () => {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const isDecoded = (bytes: Uint8Array): boolean => {
    try {
      decoder.decode(bytes)
      return !bytes.includes(0)
    } catch {
      return false
    }
  }
  const edges = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xec, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff]
  await forSeeds(seeds({ quick: 3_000, deep: 200_000 }), random => {
    const text = encoder.encode(Array.from({ length: random.below(6) }, () => random.pick(pieces)).join(''))
    const bytes = Uint8Array.from([...text, ...Array.from({ length: random.below(5) }, () => random.pick(edges))])
    expect(isUtf8(bytes), bytes.join(' ')).toBe(isDecoded(bytes))
  })
})
