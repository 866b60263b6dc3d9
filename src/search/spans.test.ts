// Where matches begin and end: compared with a table, with JavaScript's engine on random patterns, and in linear time.

import { describe, expect, it, test } from 'vitest'

import { createRandom, type Random } from '../testing/random.ts'
import { compilePattern, type CompileOptions, type Pattern } from './pattern.ts'

function compiled(source: string, options: CompileOptions = {}): Pattern {
  const result = compilePattern(source, { isStrict: true, ...options })
  if (result.kind === 'error') throw new Error(`${source}: ${result.message}`)
  return result.pattern
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function spansIn(pattern: Pattern, bytes: Uint8Array): { start: number; end: number; groups: readonly number[] }[] {
  const found: { start: number; end: number; groups: readonly number[] }[] = []
  const steps = pattern.spans().each(bytes, 0, bytes.length, span => found.push(span) > 0)
  while (steps.next().done !== true);
  return found
}

/** `[start, end]` of each match. */
const ends = (source: string, text: string, options: CompileOptions = {}): readonly (readonly [number, number])[] =>
  spansIn(compiled(source, options), encoder.encode(text)).map(({ start, end }) => [start, end])

describe('matches of a line', () => {
  it.each<[source: string, text: string, expected: readonly string[]]>([
    ['o', 'foo boo', ['o', 'o', 'o', 'o']],
    ['o+', 'foo boo', ['oo', 'oo']],
    ['\\bb', 'abc bcd', ['b']],
    ['^a', 'aa', ['a']],
    ['a$', 'aa', ['a']],
    ['x*', 'axxb', ['', 'xx', '']],
    ['', 'ab', ['', '', '']],
    ['é', 'éaé', ['é', 'é']],
    ['.', '日本', ['日', '本']],
    ['a|ab', 'abab', ['a', 'a']],
    ['ab|a', 'abab', ['ab', 'ab']],
    ['a.*?b|a', 'aab ab', ['aab', 'ab']],
    ['ab( .*z)?', 'ab ab ab', ['ab', 'ab', 'ab']],
    ['ab( .*z)?', 'ab ab z ab', ['ab ab z', 'ab']],
    ['(a*)*', 'baa', ['', 'aa']],
    ['(a|b*?)+c', 'abbc', ['abbc']],
    ['z', 'abc', []],
    ['a', '', []],
  ])('%s in %j', (source, text, expected) => {
    const bytes = encoder.encode(text)
    const found = spansIn(compiled(source), bytes).map(({ start, end }) => decoder.decode(bytes.subarray(start, end)))
    expect(found).toEqual(expected)
  })

  it('stops when it is told to', () => {
    const bytes = encoder.encode('aaaa')
    let count = 0
    const steps = compiled('a')
      .spans()
      .each(bytes, 0, bytes.length, () => ++count < 2)
    while (steps.next().done !== true);
    expect(count).toBe(2)
  })
})

describe('groups', () => {
  it.each<[source: string, text: string, expected: readonly (string | undefined)[]]>([
    ['(a)(b)?', 'ac', ['a', 'a', undefined]],
    ['(?P<first>\\w+) (?<second>\\w+)', 'one two', ['one two', 'one', 'two']],
    ['(a|ab)(c|bcd)(d*)', 'abcd', ['abcd', 'a', 'bcd', '']],
    ['(?:(a)|b)*', 'ab', ['ab', 'a']],
    ['(a*)(a*)', 'aa', ['aa', 'aa', '']],
    ['(a*?)(a*)', 'aa', ['aa', '', 'aa']],
    ['((x)y)?z', 'z', ['z', undefined, undefined]],
  ])('%s in %j', (source, text, expected) => {
    const bytes = encoder.encode(text)
    const [first] = spansIn(compiled(source, { hasCaptures: true }), bytes)
    const groups = Array.from({ length: (first?.groups.length ?? 0) / 2 }, (_, index) => {
      const [start = -1, end = -1] = first?.groups.slice(index * 2, index * 2 + 2) ?? []
      return start < 0 ? undefined : decoder.decode(bytes.subarray(start, end))
    })
    expect(groups).toEqual(expected)
  })
})

describe('random patterns have the matches that JavaScript finds', () => {
  /** The bodies of repetitions never match the empty text, because JavaScript differs from Rust there. */
  function pattern(random: Random, depth: number): string {
    const kind = random.below(depth === 0 ? 3 : 8)
    if (kind < 2) return 'abc'[random.below(3)] ?? 'a'
    if (kind === 2) return random.below(2) === 0 ? '.' : '[ab]'
    if (kind < 5) return pattern(random, depth - 1) + pattern(random, depth - 1)
    if (kind === 5) return `(?:${pattern(random, depth - 1)}|${pattern(random, depth - 1)})`
    const body = `(?:${solid(random, depth - 1)})`
    return body + (['*', '+', '?', '*?', '+?', '??', '{1,2}'][random.below(7)] ?? '*')
  }
  const solid = (random: Random, depth: number): string =>
    depth === 0 ? pattern(random, 0) : `${pattern(random, 0)}${random.below(2) === 0 ? '' : pattern(random, depth - 1)}`

  test.each(Array.from({ length: 20 }, (_, seed) => seed + 1))('seed %i', seed => {
    const random = createRandom(seed)
    for (let round = 0; round < 100; round++) {
      const source = pattern(random, 3)
      const text = Array.from({ length: random.below(24) }, () => 'abcd'[random.below(4)]).join('')
      const expected = [...text.matchAll(new RegExp(source, 'g'))].map(match => [match.index, match.index + match[0].length])
      // In JavaScript, an empty match directly after another one counts.
      const kept = expected.filter(([start, end], index) => start !== end || expected[index - 1]?.[1] !== start)
      expect({ source, text, found: ends(source, text) }).toEqual({ source, text, found: kept })
    }
  })
})

describe('long texts', () => {
  it('has the same matches across the borders of blocks', () => {
    const text = 'é'.repeat(4095) + 'needle' + 'x'.repeat(5000) + 'needle\r\nneedle'.repeat(2000)
    const expected = [...text.matchAll(/needle/g)].length
    expect(ends('needle', text, { scope: 'text' })).toHaveLength(expected)
    expect(ends('(?s)é.*needle', text, { scope: 'text' })).toEqual([[0, encoder.encode(text).length]])
  })

  /** Counts steps, not time: each step is one block of the text, in either direction. */
  it.each([
    ['ab( .*z)?', 'ab '.repeat(100_000)],
    ['a[\\s\\S]*z|a\\n', 'a\n'.repeat(100_000)],
    ['(?:a+)+b', 'a'.repeat(200_000)],
    ['x*?$', 'x'.repeat(200_000)],
  ])('%s takes two looks at each block', (source, text) => {
    const bytes = encoder.encode(text)
    const steps = compiled(source, { scope: 'text' })
      .spans()
      .each(bytes, 0, bytes.length, () => true)
    let count = 0
    while (steps.next().done !== true) count++
    expect(count).toBeLessThan(2 * (bytes.length / 4096 + 2))
  })
})

describe('bytes of characters, without Unicode', () => {
  // é is C3 A9, € is E2 82 AC, and 😀 is F0 9F 98 80.
  const bytes = new TextEncoder().encode('aé€😀ĩ')
  it.each<[source: string, expected: readonly (readonly [number, number])[]]>([
    ['(?-u)\\xC3\\xA9', [[1, 3]]],
    ['(?-u)\\xE2\\x82\\xAC\\xF0\\x9F\\x98\\x80', [[3, 10]]],
    ['(?-u)\\xC3', [[1, 3]]],
    [
      '(?-u)\\xA9',
      [
        [1, 3],
        [10, 12],
      ],
    ],
    ['(?-u)\\x82', [[3, 6]]],
    ['(?-u)\\x98', [[6, 10]]],
    ['(?-u)\\xF0', [[6, 10]]],
    ['(?-u)\\xFF', []],
    ['(?-u)\\xC0', []],
    ['(?-u)a\\xC3\\xA9?', [[0, 3]]],
  ])('%s', (source, expected) => {
    const found = spansIn(compiled(source, { scope: 'text' }), bytes).map(({ start, end }) => [start, end])
    expect(found).toEqual(expected)
  })
})

describe('bytes that are no characters', () => {
  const bytes = Uint8Array.of(0x61, 0xff, 0x62, 0x0a, 0xe2, 0x82)
  it.each<[source: string, options: CompileOptions, expected: readonly (readonly [number, number])[]]>([
    ['a.b', {}, []],
    ['[^a\\n]', {}, [[2, 3]]],
    ['(?-u)\\xFF', {}, [[1, 2]]],
    [
      '(?-u:.)',
      {},
      [
        [0, 1],
        [1, 2],
        [2, 3],
        [4, 5],
        [5, 6],
      ],
    ],
    [
      '(?-u)[^a\\n]',
      {},
      [
        [1, 2],
        [2, 3],
        [4, 5],
        [5, 6],
      ],
    ],
    ['\\xff', {}, []],
    ['(?-u)\\xE2', {}, [[4, 5]]],
    ['(?-u)\\xFF\\xFE|\\x82', {}, [[5, 6]]],
  ])('%s', (source, options, expected) => {
    const found = spansIn(compiled(source, { scope: 'text', ...options }), bytes).map(({ start, end }) => [start, end])
    expect(found).toEqual(expected)
  })
})
