import { createHash } from 'node:crypto'
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

it('reads a view by its own offset', () => {
  const outer = bytes('xxNobody inspects the spammish repetition')
  expect(xxHash32(outer.subarray(2))).toBe(0xe2293b2f)
})

it.each(['', 'a', 'é😀\n', 'x'.repeat(1000)])('fullHash(%j) is SHA-256', text => {
  expect(fullHash(text)).toBe(createHash('sha256').update(text).digest('hex'))
})
