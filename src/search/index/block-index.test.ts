// The index may only exclude what cannot match: with it and without it, a search finds the same lines.

import { describe, expect, test } from 'vitest'

import { seeds } from '../../testing/depth.ts'
import { createRandom, forSeeds, type Random } from '../../testing/random.ts'
import type { Region } from '../lines.ts'
import { searchSteps } from '../matcher.ts'
import { type Pattern } from '../pattern.ts'
import { BlockIndex } from './block-index.ts'
import { blockBytes, eachBlock, longestLineIn, maxBlockBytes } from './blocks.ts'
import { createGramCounter } from './grams.ts'
import { compiled } from '../../testing/compiled.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

type Found = readonly string[] | 'binary'

function search(bytes: Uint8Array, pattern: Pattern, regions?: readonly Region[]): Found {
  const found: string[] = []
  const steps = searchSteps(bytes, pattern, ({ lineNumber, start, end }) => found.push(`${lineNumber}: ${start}-${end}`) > 0, {
    regions,
  })
  for (let step = steps.next(); ; step = steps.next())
    if (step.done === true) return step.value.kind === 'binary' ? 'binary' : found
}

function indexed(index: BlockIndex, path: string, bytes: Uint8Array, pattern: Pattern): Found {
  const candidate = index.query(pattern).candidate(path, '1')
  switch (candidate.kind) {
    case 'none':
      return []
    case 'binary':
      return 'binary'
    case 'unknown':
      return search(bytes, pattern)
    case 'regions':
      return search(bytes, pattern, candidate.regions)
  }
}

const words = [
  'import',
  'useState',
  'Kelvin',
  'sets',
  'foo',
  'naïve',
  '日本',
  'tas\u212a',
  '\u017fet',
  'x',
  '()',
  '=>',
  'TODO',
  '\t',
  '""',
]

function randomFile(random: Random): Uint8Array {
  const lineBreak = random.pick(['\n', '\n', '\n', '\r\n', '\r'])
  const kinds = random.below(10)
  const lines = Array.from({ length: random.below(kinds === 0 ? 3 : 500) }, () => {
    const count = random.chance(0.003) ? 20_000 : random.below(12)
    return Array.from({ length: count }, () => (random.chance(0.5) ? random.pick(words) : String(random.below(100_000)))).join(
      ' ',
    )
  })
  const text = `${random.chance(0.1) ? '\uFEFF' : ''}${lines.join(lineBreak)}${random.chance(0.5) ? lineBreak : ''}`
  return encode(random.chance(0.02) ? `\0${text}` : text)
}

function randomPattern(random: Random): string {
  const word = (): string =>
    random.pick([...words.filter(text => /^\w+$/.test(text)), String(random.below(100_000)), 'absent', 'USESTATE'])
  return random.pick([
    () => word(),
    () => `(?i)${word()}`,
    () => `${word()}|${word()}`,
    () => `(?i)${word()}|${word()}`,
    () => `\\b${word()}\\b.*${word()}`,
    () => `^${word()}`,
    () => `${word()}$`,
    () => `${word()}\\n${word()}`,
    () => `[a-z]+ ${word()} \\d`,
    () => `${word()} ${word()}`,
  ])()
}

test('lines that are shorter than the literal are no candidates', () => {
  const index = new BlockIndex()
  const hay = encode(`${'x'.repeat(400)}\n`)
  index.addFile('long', '1', hay)
  for (const [count, kind] of [
    [300, 'regions'],
    [400, 'regions'],
    [402, 'none'],
    [6000, 'none'],
  ] as const)
    expect(index.query(compiled('x'.repeat(count))).candidate('long', '1').kind, String(count)).toBe(kind)
})

test('a block without a long line is no candidate for a long literal', () => {
  for (const [lineBytes, kind] of [
    [100, 'none'],
    [2000, 'none'],
    [2998, 'none'],
    [3000, 'regions'],
    [70_000, 'regions'],
  ] as const) {
    const index = new BlockIndex()
    const short = `${'x'.repeat(80)}\n`.repeat(40)
    index.addFile('f', '1', encode(`${short}${'x'.repeat(lineBytes)}\n${short}`))
    expect(index.query(compiled('x'.repeat(3000))).candidate('f', '1').kind, String(lineBytes)).toBe(kind)
  }
})

test('no line of a block is longer than the block says', async () => {
  const counter = createGramCounter(maxBlockBytes, blockBytes)
  await forSeeds(seeds({ quick: 30, deep: 1000 }), random => {
    const line = (): string =>
      'x'.repeat(random.pick([random.below(90), random.below(90), random.below(5000), 1022 + random.below(5)]))
    const bytes = encode(Array.from({ length: random.below(200) }, line).join('\n') + random.pick(['', '\n']))
    eachBlock(bytes, 0, 'lf', block => {
      const lines = new TextDecoder().decode(bytes.subarray(block.regionStart, block.regionEnd)).split(/(?<=\n)/)
      const longest = Math.max(...lines.map(({ length }) => length))
      counter.setOf(bytes, block.start, block.end)
      const bound = longestLineIn(block, counter.linesOf().longestBytes)
      expect(bound).toBeGreaterThanOrEqual(longest)
      expect(bound).toBeLessThanOrEqual(Math.max(longest, 1024))
    })
  })
})

test('what is found with the index is what is found without', async () => {
  let removed = 0
  let cut = 0
  let found = 0
  await forSeeds(seeds({ quick: 6, deep: 60 }), random => {
    const index = new BlockIndex()
    const files = Array.from({ length: 4 }, (_, number) => ({ path: `f${number}`, bytes: randomFile(random) }))
    for (const { path, bytes } of files) expect(index.addFile(path, '1', bytes)).toBe(true)
    for (let round = 0; round < 12; round++) {
      const source = randomPattern(random)
      const pattern = compiled(source)
      for (const { path, bytes } of files) {
        const expected = search(bytes, pattern)
        expect(indexed(index, path, bytes, pattern), source).toEqual(expected)
        const { kind } = index.query(pattern).candidate(path, '1')
        if (kind === 'none') removed++
        if (kind === 'regions') cut++
        found += expected.length
      }
    }
  })
  // An index that excludes nothing, or texts without matches, would prove nothing.
  expect([removed > 20, cut > 20, found > 200]).toEqual([true, true, true])
})

describe('every place in a file is in a block', () => {
  const longLine = 'y'.repeat(200_000)
  const fillers: Readonly<Record<string, string>> = {
    'short lines': 'some text here\n'.repeat(3000),
    'one long line': longLine,
    'long lines between short ones': `a\n${longLine}\nb\n${longLine}\nc\n`,
    returns: 'some text\r\n'.repeat(3000),
  }
  test.each(Object.entries(fillers))('%s', (_name, filler) => {
    const needle = encode('QzJx')
    const pattern = compiled('QzJx')
    const random = createRandom(7)
    const places = [0, 1, blockBytes - 2, blockBytes, maxBlockBytes - 1, maxBlockBytes, maxBlockBytes - 256]
    for (const place of [
      ...places.filter(offset => offset < filler.length - 4),
      ...Array.from({ length: 60 }, () => random.below(filler.length - 4)),
    ]) {
      const bytes = encode(filler)
      const breakAt = bytes.subarray(place, place + 4).findIndex(byte => byte === 10 || byte === 13)
      if (breakAt !== -1) continue
      bytes.set(needle, place)
      const index = new BlockIndex()
      index.addFile('f', '1', bytes)
      expect(search(bytes, pattern)).toHaveLength(1)
      expect(indexed(index, 'f', bytes, pattern), `at ${place}`).toEqual(search(bytes, pattern))
    }
  })

  test('blocks follow each other without a gap, and a long line is one region', () => {
    const bytes = encode(`${'x\n'.repeat(5000)}${longLine}\n${'x\n'.repeat(5000)}`)
    let covered = 0
    const regions = new Set<string>()
    eachBlock(bytes, 0, 'lf', block => {
      expect(block.start).toBeLessThanOrEqual(covered)
      expect(block.end).toBeGreaterThan(covered)
      covered = block.end
      if (block.end - block.start >= maxBlockBytes) regions.add(`${block.regionStart}-${block.regionEnd}`)
    })
    expect(covered).toBe(bytes.length)
    expect(regions.size).toBe(1)
  })
})

describe('what the index does not know is a candidate', () => {
  const index = new BlockIndex()
  index.addFile('a', '1', encode('alpha\n'))
  const kindOf = (source: string, path = 'a', version = '1'): string =>
    index.query(compiled(source)).candidate(path, version).kind

  const rows: readonly (readonly [rule: string, kind: string, source: string, path: string, version: string])[] = [
    ['a literal that is not there', 'none', 'beta', 'a', '1'],
    ['one that is', 'regions', 'alpha', 'a', '1'],
    ['another case', 'none', 'BETA', 'a', '1'],
    ['another path', 'unknown', 'beta', 'b', '1'],
    ['another version', 'unknown', 'beta', 'a', '2'],
    ['a literal that is too short to ask for', 'unknown', 'be', 'a', '1'],
    ['no literal at all', 'unknown', '[bc]e[t]', 'a', '1'],
    ['one alternative without a literal', 'unknown', 'beta|.', 'a', '1'],
    ['a match that spans lines and cannot be', 'none', 'beta\\n\\w', 'a', '1'],
    ['one that can', 'unknown', 'alpha\\n\\w', 'a', '1'],
  ]
  test.each(rows)('%s: %s', (_rule, kind, source, path, version) => {
    expect(kindOf(source, path, version)).toBe(kind)
  })

  test('letters that equal k and s when case is ignored', () => {
    index.addFile('k', '1', encode('tas\u212a\n'))
    expect([kindOf('(?i)task', 'k'), kindOf('(?i)moon', 'k'), kindOf('task', 'k')]).toEqual(['unknown', 'none', 'none'])
  })
})

test('asked by place in a list, the index says what it says of the path, whatever changed since', async () => {
  const kinds = new Map<string, number>()
  await forSeeds(seeds({ quick: 15, deep: 200 }), random => {
    const index = new BlockIndex()
    const list = Array.from({ length: 6 }, (_, number) => ({ path: `f${number}` }))
    const patterns = ['alpha', 'beta', '(?i)task', 'a.b', 'alpha\\n'].map(source => compiled(source))
    const change = (): void => {
      const { path } = random.pick(list)
      const lines = Array.from({ length: random.below(3_000) }, () => random.pick(['alpha', 'beta', 'gamma', 'tas\u212a', '']))
      random.pick([
        () => index.addFile(path, '1', encode(lines.join(random.pick(['\n', '\r\n', '\r'])))),
        () => index.addFile(path, '1', encode(`\0${lines.join('')}`)),
        () => index.addFile(path, '1', encode('')),
        () => index.removeFile(path),
        () => (random.chance(0.1) ? index.clear() : undefined),
      ])()
    }
    for (let round = 0; round < 12; round++) {
      const query = index.query(random.pick(patterns))
      const before = query.candidateIn(list)
      for (const answers of [before, query.candidateIn(list)]) {
        if (random.chance(0.7)) change()
        for (const [position, { path }] of list.entries()) {
          const expected = query.candidate(path)
          expect(answers.at(position), path).toEqual(expected)
          if (answers.noneFrom(position) > 0) expect(expected.kind, path).toBe('none')
          kinds.set(expected.kind, (kinds.get(expected.kind) ?? 0) + 1)
        }
      }
      expect(before.at(list.length)).toEqual({ kind: 'unknown' })
    }
  })
  for (const kind of ['unknown', 'binary', 'none', 'regions']) expect(kinds.get(kind) ?? 0, kind).toBeGreaterThan(100)
})

test('memory is bounded, and comes back', () => {
  const index = new BlockIndex({ maxBytes: 20_000 })
  const bytes = encode(Array.from({ length: 3000 }, (_, number) => `line ${number * 7919}`).join('\n'))
  const taken = Array.from({ length: 50 }, (_, number) => index.addFile(`f${number}`, '1', bytes))
  expect([taken.includes(true), taken.includes(false)]).toEqual([true, true])
  expect(index.sizeBytes).toBeLessThan(20_000 + bytes.length)
  for (let number = 0; number < 50; number++) index.removeFile(`f${number}`)
  expect(index.sizeBytes).toBe(0)
  expect(index.addFile('again', '1', bytes)).toBe(true)
})

test('a file that changes again and again takes no more memory than one', () => {
  const index = new BlockIndex()
  const version = (number: number): Uint8Array =>
    encode(Array.from({ length: 2000 }, (_, line) => `v${number} ${line}`).join('\n'))
  index.addFile('f', '0', version(0))
  const before = index.sizeBytes
  for (let number = 1; number < 200; number++) index.addFile('f', String(number), version(number))
  expect(index.sizeBytes).toBeLessThan(before * 2)
  expect([index.has('f', '198'), index.has('f', '199')]).toEqual([false, true])
})
