import { describe, expect, it } from 'vitest'

import { forSeeds } from '../../testing/random.ts'
import { cutMiddle } from './cut.ts'

describe('bytes', () => {
  it.each([
    ['', 10, ''],
    ['0123456789', 10, '0123456789'],
    ['01234567890', 10, '01234\n\n[output truncated: 1 bytes removed from middle]\n\n67890'],
    ['0123456789ab', 11, '01234\n\n[output truncated: 2 bytes removed from middle]\n\n789ab'],
    ['ééééé', 7, 'é\n\n[output truncated: 6 bytes removed from middle]\n\né'],
    ['😀😀😀', 8, '😀\n\n[output truncated: 4 bytes removed from middle]\n\n😀'],
    ['😀😀😀', 7, '\n\n[output truncated: 12 bytes removed from middle]\n\n'],
  ])('%j within %d', (text, maxBytes, shown) => {
    expect(cutMiddle(text, { maxBytes }).text).toBe(shown)
  })
})

describe('lines', () => {
  it.each([
    ['a\nb\nc\nd\n', 4, 'a\nb\nc\nd\n'],
    ['a\nb\nc\nd\ne\n', 4, 'a\nb\n[...1 lines omitted...]\nd\ne'],
    ['a\nb\nc\nd\ne', 3, 'a\n[...2 lines omitted...]\nd\ne'],
    ['\n\n\n\n\n', 2, '\n[...3 lines omitted...]\n'],
  ])('%j within %d', (text, maxLines, shown) => {
    expect(cutMiddle(text, { maxBytes: 1000, maxLines }).text).toBe(shown)
  })
})

it.each([
  ['', 0],
  ['a', 1],
  ['a\n', 2],
])('%j has %d original lines', (text, lines) => {
  expect(cutMiddle(text, { maxBytes: 10 }).originalLines).toBe(lines)
})

it('what was left out is exactly what is missing', async () => {
  await forSeeds(200, random => {
    const text = Array.from({ length: random.below(60) }, () => random.pick(['a', '\n', 'é', '漢', '😀'])).join('')
    const { removed, text: shown } = cutMiddle(text, { maxBytes: 1 + random.below(60) })
    const [start, end] = removed === undefined ? [0, 0] : [removed.startByte, removed.endByte]
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const left = decoder.decode(new TextEncoder().encode(text).slice(start, end))
    const marker = `\n\n[output truncated: ${end - start} bytes removed from middle]\n\n`
    expect(removed === undefined ? shown : shown.replace(marker, () => left)).toBe(text)
  })
})
