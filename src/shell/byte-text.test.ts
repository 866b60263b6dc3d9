import { expect, test } from 'vitest'
import { forSeeds } from '../testing/random.ts'
import { decodeText, encodeText } from './byte-text.ts'

test.each([
  ['', []],
  ['a', [0x61]],
  ['é', [0xc3, 0xa9]],
  ['\udcff', [0xff]],
  ['a\udcc3b', [0x61, 0xc3, 0x62]],
  ['😀', [0xf0, 0x9f, 0x98, 0x80]],
  ['\udcf0\udc9f', [0xf0, 0x9f]],
  ['\udced\udca0\udc80', [0xed, 0xa0, 0x80]],
  ['\ufeffx', [0xef, 0xbb, 0xbf, 0x78]],
])('%j stands for the bytes %j', (text, bytes) => {
  expect(decodeText(Uint8Array.from(bytes))).toBe(text)
  expect([...encodeText(text)]).toEqual(bytes)
})

test('no bytes are changed', () =>
  forSeeds(500, random => {
    const bytes = Uint8Array.from({ length: random.below(20) }, () =>
      random.pick([0x41, 0x80, 0xbf, 0xc3, 0xa9, 0xe2, 0x82, 0xf0, 0x9f, random.below(256)]),
    )
    expect(encodeText(decodeText(bytes))).toEqual(bytes)
  }))
