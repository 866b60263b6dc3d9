// The sets of WebAssembly and of JavaScript, which must be equal: a stored index is used by both.

import { describe, expect, it, test } from 'vitest'

import { seeds } from '../../testing/depth.ts'
import { forSeeds } from '../../testing/random.ts'
import { simdFunctions } from '../simd/module.ts'
import { blockBytes, maxBlockBytes } from './blocks.ts'
import { createGramCounter, hashesOf, type LineFacts, mayHold } from './grams.ts'

const inJavaScript = createGramCounter(maxBlockBytes, blockBytes, false)
const compiled = createGramCounter(maxBlockBytes, blockBytes)

const setIn = (counter: typeof compiled, bytes: Uint8Array, start = 0, end = bytes.length): readonly number[] =>
  Array.from(counter.setOf(bytes, start, end))

/** Short lines are not told apart. */
const linesIn = (counter: typeof compiled): LineFacts => {
  const facts = counter.linesOf()
  return { ...facts, longestBytes: Math.max(facts.longestBytes, 16) }
}

it('this platform compiles the functions, so these tests are about them', () => {
  expect(simdFunctions()).toBeDefined()
})

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 17, 100, blockBytes, blockBytes + 1, maxBlockBytes - 1, maxBlockBytes])(
  'both ways give one set for %i bytes',
  length => {
    const bytes = Uint8Array.from({ length: length + 9 }, (_, index) => (index * 7919 + (index >> 5) * 31) & 255)
    // What was counted before must leave nothing behind.
    setIn(compiled, new Uint8Array(maxBlockBytes).fill(255))
    expect(setIn(compiled, bytes, 4, 4 + length)).toEqual(setIn(inJavaScript, bytes, 4, 4 + length))
    expect(linesIn(compiled)).toEqual(linesIn(inJavaScript))
  },
)

it('both ways give one set for texts, and it holds what the text holds', async () => {
  await forSeeds(seeds({ quick: 100, deep: 3000 }), random => {
    const letters = random.pick([[...'aAbBzZ@[`{'], [...'aéÉ日\u212a \n\t'], ['a', 'ab', '\0', '\r\n', 'Z']])
    const text = Array.from({ length: random.below(random.chance(0.2) ? 9000 : 80) }, () => random.pick(letters)).join('')
    const bytes = new TextEncoder().encode(text)
    const set = Uint32Array.from(setIn(compiled, bytes))
    expect([...set]).toEqual(setIn(inJavaScript, bytes))
    expect(linesIn(compiled), text).toEqual(linesIn(inJavaScript))
    const from = random.below(bytes.length + 1)
    const part = bytes.slice(from, from + 1 + random.below(12))
    const hashes = hashesOf(part)
    if (hashes !== undefined) expect(mayHold(set, hashes), text).toBe(true)
  })
})

describe.each([
  ['in JavaScript', inJavaScript],
  ['in WebAssembly', compiled],
])('%s', (_where, counter) => {
  const holds = (text: string, literal: string): boolean => {
    const set = Uint32Array.from(setIn(counter, new TextEncoder().encode(text)))
    return mayHold(set, hashesOf(new TextEncoder().encode(literal)) ?? new Uint32Array())
  }

  test.each([
    ['the first three bytes', 'abc', 'abc', true],
    ['the last three bytes', 'xxabc', 'abc', true],
    ['the last four bytes', 'xabcd', 'abcd', true],
    ['either case', 'xABCd', 'abCD', true],
    ['nothing that is not there', 'abcd', 'bcda', false],
    ['no letter beside the alphabet', '@[`{', '`{@[', false],
  ])('%s', (_rule, text, literal, expected) => {
    expect(holds(text, literal)).toBe(expected)
  })
})
