// Each shortcut of a search leaves out text that cannot match, so an error in one is silent: a line is missing and nothing fails. Here
// every shortcut is forced on small random patterns and texts, and compared with the plain automaton, which uses none of them and no
// simplification, and with RE2JS.

import { describe, expect, test } from 'vitest'

import { isDeep, seeds } from '../testing/depth.ts'
import { forSeeds, type Random } from '../testing/random.ts'
import { createOracle } from '../testing/search-oracle/matching-lines.ts'
import { windowFinder } from './class-window.ts'
import { Automaton } from './dfa/automaton.ts'
import { firstPlacesOf } from './dfa/first-places.ts'
import { requiredPlacesOf } from './dfa/required-places.ts'
import { BlockIndex } from './index/block-index.ts'
import type { Region } from './lines.ts'
import { searchSteps } from './matcher.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import { parsePattern } from './regex/parse.ts'
import { simplifyForLines } from './regex/simplify.ts'

const textsPerPattern = 4

const words = ['ask', 'kiss', 'foo', 'import', 'Kelvin', 'is', 'ab', 'aab', 'straße', 'é', '日本', 'a.b', 'x-1', 'ſo', '\u212aey']
const letters = ['a', 'b', 'k', 'K', 's', 'S', '1', '_', '-', ' ', '\t', '.', 'é', 'ſ', '\u212a', '日', '😀', '—']
const classes = [
  '[ab]',
  '[^a]',
  '[0-9a-f]',
  '[A-Z]',
  '\\d',
  '\\w',
  '\\s',
  '.',
  '(?i:[ks])',
  '[[:alpha:]]',
  '\\p{Lu}',
  '[k\u212a]',
  '\\W',
]
const assertions = ['^', '$', '\\b', '\\B', '\\<', '\\>', '\\A', '\\z', '\\b{start-half}', '\\b{end-half}']
const operators = ['*', '+', '?', '{2}', '{1,3}', '{2,}', '{0,2}', '{4}', '+?', '*?']

function escaped(text: string): string {
  return text.replaceAll(/[.-]/g, '\\$&')
}

function randomPattern(random: Random, depth = 0): string {
  const word = (): string => escaped(random.pick(words))
  const group = (inside: string): string => `${random.pick(['(', '(?:', '(?:', '(?i:', '(?-i:'])}${inside})`
  const part = (): string =>
    random.pick<() => string>([
      word,
      word,
      () => escaped(random.pick(letters)),
      () => random.pick(classes),
      () => `${random.pick(classes)}${random.pick(operators)}`,
      () => `${escaped(random.pick(letters))}${random.pick(operators)}`,
      () => random.pick(assertions),
      () =>
        depth > 1 ? word() : `${group(randomPattern(random, depth + 1))}${random.chance(0.4) ? random.pick(operators) : ''}`,
    ])()
  const sequence = (): string => Array.from({ length: 1 + random.below(4) }, part).join('')
  return Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, sequence).join('|')
}

/** Truncated characters, lone continuation bytes, an overlong slash, a surrogate and a code above Unicode. */
const invalid: readonly (readonly number[])[] = [
  [0xff],
  [0x80],
  [0xe2, 0x84],
  [0xc5],
  [0xf0, 0x9f, 0x98],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf5],
]

interface TextKind {
  readonly breaks: readonly string[]
  readonly hasInvalid: boolean
  readonly isLong: boolean
}

function randomText(random: Random, { breaks, hasInvalid, isLong }: TextKind): Uint8Array {
  const encoder = new TextEncoder()
  const few = Array.from({ length: 2 + random.below(5) }, () => random.pick(random.chance(0.5) ? words : letters))
  const bytes: number[] = random.chance(0.1) ? [0xef, 0xbb, 0xbf] : []
  const pieces = random.below(isLong ? 40 : 60)
  for (let piece = 0; piece < pieces; piece++) {
    if (random.chance(0.2)) bytes.push(...encoder.encode(random.pick(breaks)))
    else if (hasInvalid && random.chance(0.1)) bytes.push(...random.pick(invalid))
    else {
      const text = random.pick(few)
      const changed = random.pick<() => string>([() => text, () => text, () => text.toUpperCase(), () => text.slice(1)])()
      // Longer than a block of the index, and sometimes longer than the longest block.
      const count = isLong && random.chance(0.15) ? random.pick([300, 3_000, 30_000]) : 1
      const encoded = encoder.encode(changed)
      for (let copy = 0; copy < count && bytes.length < 200_000; copy++) bytes.push(...encoded)
    }
  }
  return Uint8Array.from(bytes)
}

function linesOf(pattern: Pattern, bytes: Uint8Array, regions?: readonly Region[]): readonly number[] {
  const lines: number[] = []
  const steps = searchSteps(bytes, pattern, ({ lineNumber }) => lines.push(lineNumber) > 0, { regions })
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done !== true) continue
    expect(step.value.kind).toBe('complete')
    return lines
  }
}

/** The same search without shortcuts, and with each shortcut alone, even where it is slower. */
function waysToAsk(source: string): ReadonlyMap<string, Pattern> {
  const compiled = compilePattern(source)
  if (compiled.kind === 'error') throw new Error(`${source}: ${compiled.message}`)
  const { pattern } = compiled
  const { node } = parsePattern(source, { ignoreCase: false })
  const options = { scope: pattern.scope, seesCarriageReturns: pattern.seesCarriageReturns }
  const bare = { ...pattern, required: undefined, need: undefined, isLiteral: false, finder: () => undefined }
  const unsimplified = new Automaton(node, options)
  const withoutStates = new Automaton(pattern.scope === 'line' ? simplifyForLines(node) : node, options)
  const ways = new Map<string, Pattern>([
    ['as it is', pattern],
    ['plainly', { ...bare, automaton: () => unsimplified }],
    ['simplified', bare],
    [
      'with sets of bits',
      {
        ...bare,
        automaton: () => {
          withoutStates.restBytes = 1e9
          return withoutStates
        },
      },
    ],
  ])
  const { required } = pattern
  if (required !== undefined) ways.set('by its literals', { ...pattern, finder: () => required })
  const lines = pattern.scope === 'line' ? simplifyForLines(node) : undefined
  for (const [index, places] of lines === undefined ? [] : [firstPlacesOf(lines), ...requiredPlacesOf(lines)].entries()) {
    if (places.length === 0) continue
    const finder = windowFinder(places)
    ways.set(`by its places ${index}`, { ...bare, finder: () => finder })
  }
  return ways
}

describe('no shortcut changes which lines match', () => {
  const all = ['\n', '\n', '\r\n', '\n\n']
  const rows: readonly { name: string; count: number; kind: TextKind; flags?: string; middle?: readonly string[] }[] = [
    { name: 'in short texts', count: 500, kind: { breaks: all, hasInvalid: false, isLong: false } },
    { name: 'when case is ignored', count: 400, kind: { breaks: all, hasInvalid: false, isLong: false }, flags: '(?i)' },
    { name: 'with lone returns', count: 150, kind: { breaks: [...all, '\r'], hasInvalid: false, isLong: false } },
    { name: 'in invalid UTF-8', count: 250, kind: { breaks: all, hasInvalid: true, isLong: false } },
    { name: 'in long lines', count: 60, kind: { breaks: all, hasInvalid: false, isLong: true } },
    {
      name: 'when the pattern names a line break',
      count: 150,
      kind: { breaks: all, hasInvalid: false, isLong: false },
      middle: ['\\n', '\\s*\\n', '[\\n ]'],
    },
    {
      name: 'when the pattern names a return',
      count: 100,
      kind: { breaks: [...all, '\r'], hasInvalid: false, isLong: false },
      middle: ['\\r', '\\r?'],
    },
  ]
  test.each(rows)('$name', { timeout: 3_600_000 }, async ({ count, kind, flags = '', middle }) => {
    const taken = new Map<string, number>()
    let matching = 0
    let asked = 0
    await forSeeds(seeds({ quick: Math.max(10, count / 20), deep: 2 * count }), random => {
      const source = `${flags}${randomPattern(random)}${middle === undefined ? '' : `${random.pick(middle)}${randomPattern(random)}`}`
      const ways = waysToAsk(source)
      const oracle = createOracle(source)
      for (let round = 0; round < textsPerPattern; round++) {
        const bytes = randomText(random, kind)
        const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
        const where = `${JSON.stringify(source)} in ${text.length > 400 ? `${text.length} characters` : JSON.stringify(text)}`
        // The oracle does not support invalid bytes: there all ways must agree with the plain one.
        const plainly = ways.get('plainly')
        const expected = kind.hasInvalid && plainly !== undefined ? linesOf(plainly, bytes) : oracle(bytes)
        asked++
        if (expected.length > 0) matching++
        for (const [name, pattern] of ways) {
          taken.set(name, (taken.get(name) ?? 0) + 1)
          expect(linesOf(pattern, bytes), `${where}, ${name}`).toEqual(expected)
        }
        const pattern = ways.get('as it is')
        if (pattern === undefined) throw new Error('unreachable: there is always the pattern as it is')
        const index = new BlockIndex()
        index.addFile('f', '1', bytes)
        const candidate = index.query(pattern).candidate('f', '1')
        taken.set(`index: ${candidate.kind}`, (taken.get(`index: ${candidate.kind}`) ?? 0) + 1)
        const regions = candidate.kind === 'regions' ? candidate.regions : undefined
        expect(candidate.kind === 'none' ? [] : linesOf(pattern, bytes, regions), `${where}, indexed`).toEqual(expected)
      }
    })
    if (isDeep) console.log(asked, 'texts', matching, 'with matches', Object.fromEntries(taken))
    expect(matching / asked).toBeGreaterThan(0.1)
    expect(matching / asked).toBeLessThan(0.95)
    for (const way of ['by its literals', 'with sets of bits', 'index: none'])
      expect(taken.get(way) ?? 0, way).toBeGreaterThan(seeds({ quick: 0, deep: 20 }))
    if (middle === undefined)
      for (const way of ['by its places 0', 'by its places 1'])
        expect(taken.get(way) ?? 0).toBeGreaterThan(seeds({ quick: 0, deep: 20 }))
  })
})

test('counts of counts mean what they mean written out', () => {
  const text = Array.from({ length: 20 }, (_, count) => `${'x'.repeat(count)}y\n`).join('')
  const counts = (isDeep ? [0, 1, 2, 3, 4] : [0, 2]).flatMap(min => [
    ...[0, 1, 2, 3].map(more => `{${min},${min + more}}`),
    `{${min},}`,
  ])
  for (const inner of counts) {
    for (const outer of counts) {
      const source = `^(?:x${inner})${outer}y$`
      const expression = new RegExp(source)
      const expected = text.split('\n').flatMap((line, index) => (expression.test(line) ? [index + 1] : []))
      const pattern = waysToAsk(source).get('as it is')
      expect(pattern && linesOf(pattern, new TextEncoder().encode(text)), source).toEqual(expected)
    }
  }
})
