// Random patterns on random texts: the automaton and RE2JS, which share only the parser, must find the same lines.

import { describe, expect, test } from 'vitest'

import { searchSteps } from '../matcher.ts'
import { compilePattern } from '../pattern.ts'
import { matchingLines } from '../../testing/matching-lines.ts'
import { seeds } from '../../testing/depth.ts'
import { createRandom, forSeeds, type Random } from '../../testing/random.ts'
import { createOracle, linesByOracle } from '../../testing/search-oracle/matching-lines.ts'

const letters = ['a', 'b', 'k', 'K', 's', '_', '1', ' ', '.', '-', 'é', 'ſ', '\u212a', '—', '日', '😀', 'Σ', 'ς', '\t']
const breaks = ['\n', '\n', '\n', '\r\n', '\n\n']
const atoms = [
  ...['a', 'b', 'k', 's', '_', '1', ' ', 'é', '日', '😀', '.', '\\w', '\\W', '\\d', '\\s', '\\S', '[ab]', '[^a]', '[a-k]'],
  ...['[^\\w]', '\\p{L}', '\\P{L}', '[[:alpha:]]', '(?i:k)', '(?i:[s])', '(?i:Σ)', '(?s:.)', '[\\w&&[^a]]', '\\x{212a}'],
]
const assertions = ['^', '$', '\\b', '\\B', '\\<', '\\>', '\\b{start-half}', '\\b{end-half}', '\\A', '\\z', '(?-m:^)', '(?-m:$)']
const operators = ['*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}', '{2,}', '{0,2}?']

function randomPattern(random: Random, depth = 0): string {
  const part = (): string => {
    if (random.chance(0.2)) return random.pick(assertions)
    const atom = depth < 3 && random.chance(0.25) ? `(${randomPattern(random, depth + 1)})` : random.pick(atoms)
    return random.chance(0.3) ? `${atom}${random.pick(operators)}` : atom
  }
  const sequence = (): string => Array.from({ length: 1 + random.below(4) }, part).join('')
  return Array.from({ length: random.chance(0.25) ? 2 : 1 }, sequence).join('|')
}

function randomText(random: Random, lineBreaks: readonly string[]): string {
  const few = Array.from({ length: 2 + random.below(6) }, () => random.pick(letters))
  return Array.from({ length: random.below(40) }, () => (random.chance(0.2) ? random.pick(lineBreaks) : random.pick(few))).join(
    '',
  )
}

describe('the automaton and the oracle name the same lines', () => {
  const rows: readonly { name: string; count: number; breaks: readonly string[]; extra: readonly string[]; flags?: string }[] = [
    { name: 'of texts with all line breaks but lone returns', count: 200, breaks, extra: [] },
    { name: 'of texts with lone returns', count: 80, breaks: [...breaks, '\r'], extra: [] },
    { name: 'when case is ignored', count: 100, breaks, extra: [], flags: '(?i)' },
    { name: 'when the pattern sees returns', count: 60, breaks: [...breaks, '\r'], extra: ['\\r'] },
    { name: 'when matches span lines', count: 120, breaks, extra: ['\\n', '[\\na]'] },
  ]
  test.each(rows)('$name', { timeout: 3_600_000 }, async ({ count, breaks: lineBreaks, extra, flags = '' }) => {
    let matching = 0
    let lineCount = 0
    await forSeeds(seeds({ quick: count / 10, deep: 4 * count }), random => {
      const middle = extra.length === 0 ? '' : random.pick(extra)
      const pattern = `${flags}${randomPattern(random)}${middle}${middle === '' ? '' : randomPattern(random)}`
      const oracle = createOracle(pattern)
      for (let round = 0; round < 6; round++) {
        const text = randomText(random, lineBreaks)
        const bytes = new TextEncoder().encode(text)
        const expected = oracle(bytes)
        expect(matchingLines(pattern, bytes), `${JSON.stringify(pattern)} in ${JSON.stringify(text)}`).toEqual(expected)
        matching += expected.length
        lineCount += text.split('\n').length
      }
    })
    // Patterns that match everything or nothing prove little.
    expect(matching / lineCount).toBeGreaterThan(0.05)
    expect(matching / lineCount).toBeLessThan(0.95)
  })
})

test('a table too small for the pattern gives the same lines', () => {
  // Each of the last 14 characters may be the deciding one: 2^14 states, more than fit into the table.
  const pattern = '[ab].{14}z'
  const text = Array.from({ length: 400 }, (_, index) => {
    const bits = Array.from({ length: 60 }, (__, place) => ((index * 2654435761 + place * 40503 * index) >>> (place % 13)) & 1)
    return `${bits.map(bit => (bit === 1 ? 'a' : 'c')).join('')}${index % 3 === 0 ? 'z' : ''}`
  }).join('\n')
  const bytes = new TextEncoder().encode(text)
  const expected = linesByOracle(pattern, bytes)
  expect(expected.length).toBeGreaterThan(20)
  expect(matchingLines(pattern, bytes)).toEqual(expected)
})

test('a pattern serves several searches at once, each of which goes on where it stood', () => {
  const compiled = compilePattern('[ab].{14}z')
  if (compiled.kind === 'error') throw new Error(compiled.message)
  // One long line each, so that every pause is inside it; the table is cleared between most of the pauses.
  const random = createRandom(20_260_801)
  const texts = ['z', 'c', 'z'].map(last => `${Array.from({ length: 400_000 }, () => random.pick(['a', 'c'])).join('')}${last}\n`)
  const found: number[] = []
  const searches = texts.map((text, index) =>
    searchSteps(new TextEncoder().encode(text), compiled.pattern, () => found.push(index) > 0),
  )
  let pauses = 0
  for (let running = searches; running.length > 0;) {
    running = running.filter(search => search.next().done !== true)
    pauses += running.length
  }
  expect(found.toSorted((a, b) => a - b)).toEqual(texts.flatMap((text, index) => (/[ab].{14}z/.test(text) ? [index] : [])))
  expect(pauses).toBeGreaterThan(2)
})
