import { createHash } from 'node:crypto'
import { xxhash32 } from 'hash-wasm'
import { describe, expect, it } from 'vitest'
import { fullHash, xxHash32 } from './hash.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('xxHash32 equals published values', () => {
  it.each([
    ['', 0, 0x02cc5d05],
    ['', 1, 0x0b2cb792],
    ['a', 0, 0x550d7456],
    ['abc', 0, 0x32d153ff],
    ['Nobody inspects the spammish repetition', 0, 0xe2293b2f],
  ])('%j, seed %i', (text, seed, expected) => {
    expect(xxHash32(bytes(text), seed)).toBe(expected)
  })
})

it.each([0, 3, 15, 16, 17, 31, 32, 47, 1000, 4099])('xxHash32 of %i bytes is that of another implementation', async length => {
  const some = Uint8Array.from({ length }, (_, index) => (index * 151 + (index >> 3)) & 255)
  expect(xxHash32(some).toString(16).padStart(8, '0')).toBe(await xxhash32(some))
})

it('reads a view by its own offset', () => {
  const outer = bytes('xxNobody inspects the spammish repetition')
  expect(xxHash32(outer.subarray(2))).toBe(0xe2293b2f)
})

it.each(['', 'a', 'é😀\n', 'x'.repeat(1000)])('fullHash(%j) is SHA-256', text => {
  expect(fullHash(text)).toBe(createHash('sha256').update(text).digest('hex'))
})
