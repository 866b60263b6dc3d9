// A pack restores exactly the index that it was made from, or nothing.

import { describe, expect, test } from 'vitest'

import { seeds } from '../../testing/depth.ts'
import { createRandom, forSeeds, type Random } from '../../testing/random.ts'
import { BlockIndex } from './block-index.ts'
import { indexFingerprint } from './fingerprint.ts'
import { decodePack, encodePack, type Steps } from './pack.ts'
import type { IndexContents } from './records.ts'
import { compiled } from '../../testing/compiled.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

function done<T>(steps: Steps<T>, between: () => void = () => {}): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    between()
  }
}

const pack = (index: BlockIndex): Uint8Array => done(encodePack(index, indexFingerprint()))
const unpack = (bytes: Uint8Array): IndexContents | undefined => done(decodePack(bytes, indexFingerprint()))

function unpacked(bytes: Uint8Array): BlockIndex | undefined {
  const contents = unpack(bytes)
  if (contents === undefined) return undefined
  const index = new BlockIndex()
  index.adopt(contents)
  return index
}

function indexOf(files: Readonly<Record<string, string>>): BlockIndex {
  const index = new BlockIndex()
  for (const [path, text] of Object.entries(files)) index.addFile(path, `version of ${path}`, encode(text))
  return index
}

const patterns = ['hay', 'needle', '(?i)KELVIN', 'hay\\nhay', 'straw 1\\d', 'x{40}'].map(source => compiled(source))

/** The answers to all queries. */
function answersOf(index: BlockIndex, paths: readonly string[]): unknown {
  return [
    index.fileCount,
    ...patterns.flatMap(pattern =>
      paths.map(path => [index.has(path, `version of ${path}`), index.query(pattern).candidate(path)]),
    ),
  ]
}

describe('what was packed is there again', () => {
  const lines = (count: number, ending: string): string => `hay straw 17${ending}`.repeat(count)
  const rows: readonly (readonly [what: string, files: Readonly<Record<string, string>>])[] = [
    ['nothing', {}],
    ['an empty file', { '/empty': '' }],
    ['a binary file', { '/binary': 'a\0b' }],
    ['line endings and a mark', { '/lf': lines(9, '\n'), '/crlf': `\uFEFF${lines(9, '\r\n')}`, '/cr': lines(9, '\r') }],
    ['a long line', { '/long': `${'x'.repeat(200_000)}\n${lines(2, '\n')}` }],
    ['many blocks', { '/many': `${lines(5000, '\n')}needle\n${lines(5000, '\n')}` }],
    ['letters that stand for others', { '/kelvin': '\u212Aelvin' }],
    ['names of all kinds', { '/日本/é': 'hay', '/\uFEFFmark': 'needle', '/a b\nc': 'hay', '': 'straw' }],
    ['more files than one step takes', Object.fromEntries(Array.from({ length: 700 }, (_, n) => [`/f${n}`, `hay ${n}`]))],
  ]
  test.each(rows)('%s', (_what, files) => {
    const index = indexOf(files)
    const paths = [...Object.keys(files), '/absent']
    const again = unpacked(pack(index))
    expect(again && answersOf(again, paths)).toEqual(answersOf(index, paths))
  })

  test('and goes on as any index does', async () => {
    await forSeeds(seeds({ quick: 5, deep: 100 }), random => {
      const index = indexOf(randomFiles(random))
      const again = unpacked(pack(index))
      if (again === undefined) throw new Error('it was not taken')
      const paths = Array.from({ length: 12 }, (_, number) => `/f${number}`)
      for (let round = 0; round < 30; round++) {
        const path = random.pick(paths)
        const text = encode(randomText(random))
        const isRemoved = random.chance(0.3)
        for (const one of [index, again]) {
          if (isRemoved) one.removeFile(path)
          else one.addFile(path, `version of ${path}`, text)
        }
      }
      expect(answersOf(again, paths)).toEqual(answersOf(index, paths))
      expect(again.sizeBytes).toBe(index.sizeBytes)
    })
  })
})

test('bytes at an odd place are taken too', () => {
  const bytes = pack(indexOf({ '/a': 'hay' }))
  const odd = new Uint8Array(bytes.length + 1)
  odd.set(bytes, 1)
  expect(unpacked(odd.subarray(1))?.fileCount).toBe(1)
})

test('what changes while it is packed is left out, or as it was or is', async () => {
  let left = 0
  await forSeeds(seeds({ quick: 5, deep: 100 }), random => {
    const index = new BlockIndex()
    const texts = new Map<string, string>()
    const add = (path: string): void => {
      const [version, text] = [`${path} ${texts.size}`, randomText(random)]
      texts.set(version, text)
      index.addFile(path, version, encode(text))
    }
    const count = 1500
    for (let number = 0; number < count; number++) add(`/f${number}`)
    const bytes = done(encodePack(index, indexFingerprint()), () => {
      for (let changes = random.below(20); changes > 0; changes--) {
        const path = `/f${random.below(count)}`
        if (random.chance(0.5)) index.removeFile(path)
        else add(path)
      }
      if (random.chance(0.02)) index.clear()
    })
    const again = unpacked(bytes)
    if (again === undefined) throw new Error('it was not taken')
    const one = new BlockIndex()
    for (const [path, { version }] of again.contents.files) {
      left++
      if (left % 10 !== 0) continue
      one.addFile(path, version, encode(texts.get(version) ?? 'never'))
      for (const pattern of patterns) {
        expect(again.query(pattern).candidate(path)).toEqual(one.query(pattern).candidate(path))
      }
    }
  })
  expect(left).toBeGreaterThan(5000)
})

describe('what is not whole is nothing', () => {
  const whole = pack(indexOf({ '/a': 'hay\nneedle', '/b': 'a\0', '/long': 'hay\n'.repeat(5000) }))

  test('cut at every byte', () => {
    expect(unpack(whole)).toBeDefined()
    for (let end = 0; end < whole.length; end++) expect(unpack(whole.slice(0, end)), `cut at ${end}`).toBeUndefined()
  })

  test('longer than it was', () => {
    for (const more of [1, 4, 32, whole.length]) {
      const longer = new Uint8Array(whole.length + more)
      longer.set(whole)
      expect(unpack(longer), `${more} bytes more`).toBeUndefined()
    }
  })

  test('any bit the other way round', () => {
    const bytes = whole.slice()
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const at = bit >> 3
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7))
      if (unpack(bytes) !== undefined) throw new Error(`bit ${bit} makes no difference`)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7))
    }
  })

  test('parts overwritten, moved and filled with zeros', async () => {
    await forSeeds(seeds({ quick: 300, deep: 10_000 }), random => {
      const bytes = whole.slice()
      const length = 1 + random.below(random.chance(0.5) ? 16 : 2000)
      const [from, to] = [random.below(bytes.length - length), random.below(bytes.length - length)]
      if (random.chance(0.5)) bytes.copyWithin(to, from, from + length)
      else bytes.fill(random.chance(0.5) ? 0 : random.below(256), to, to + length)
      if (bytes.every((byte, at) => byte === whole[at])) return
      expect(unpack(bytes)).toBeUndefined()
    })
  })

  test('of another release', () => {
    expect(done(decodePack(whole, indexFingerprint() ^ 1))).toBeUndefined()
  })

  test('anything', () => {
    const random = createRandom(1)
    for (const length of [0, 1, 4, 32, 36, 1000]) {
      expect(unpack(Uint8Array.from({ length }, () => random.below(256)))).toBeUndefined()
    }
  })
})

function randomText(random: Random): string {
  return Array.from({ length: random.below(random.chance(0.1) ? 5000 : 40) }, () =>
    random.pick(['hay', 'straw 17', 'needle', 'kelvin', '\u212Aelvin', '\n', '\n']),
  ).join(' ')
}

function randomFiles(random: Random): Record<string, string> {
  return Object.fromEntries(Array.from({ length: random.below(12) }, (_, number) => [`/f${number}`, randomText(random)]))
}
