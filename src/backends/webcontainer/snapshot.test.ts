import { describe, expect, test } from 'vitest'
import { seeds } from '../../testing/depth.ts'
import { createRandom, forSeeds, type Random } from '../../testing/random.ts'
import { encodeSnapshot, type SnapshotEntry } from '../../testing/webcontainer/msgpack.ts'
import { readSnapshot, type SnapshotNode } from './snapshot.ts'

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text)

function show(node: SnapshotNode): string {
  if (node.kind === 'file') return `=${node.bytes.join()}`
  if (node.kind === 'symlink') return `->${node.target}`
  return `{${[...node.children].map(([name, child]) => `${JSON.stringify(name)}${show(child)}`).join(' ')}}`
}

function shown(entry: SnapshotEntry): string {
  if ('d' in entry)
    return `{${Object.entries(entry.d)
      .map(([name, child]) => `${JSON.stringify(name)}${shown(child)}`)
      .join(' ')}}`
  return 'l' in entry.f ? `->${entry.f.l}` : `=${entry.f.c.join()}`
}

function randomTree(random: Random, depth = 0): SnapshotEntry {
  const kind = random.below(depth > 3 ? 2 : 3)
  if (kind === 0)
    return { f: { c: Uint8Array.from({ length: random.pick([0, 1, 31, 32, 255, 256, 65_536]) }, () => random.below(256)) } }
  if (kind === 1) return { f: { l: 'é'.repeat(random.below(40)) } }
  const names = Array.from({ length: random.pick([0, 1, 15, 16, 20]) }, (_, index) => `${index}${'x'.repeat(random.below(40))}`)
  return { d: Object.fromEntries(names.map(name => [name, randomTree(random, depth + 1)])) }
}

describe('a tree comes back as it was', () => {
  test('random trees', () =>
    forSeeds(seeds({ quick: 4, deep: 100 }), random => {
      const tree: SnapshotEntry = { d: { all: randomTree(random) } }
      expect(show(readSnapshot(encodeSnapshot(tree)))).toBe(shown(tree))
    }))

  test('a directory of 70,000 names', () => {
    const tree: SnapshotEntry = {
      d: Object.fromEntries(Array.from({ length: 70_000 }, (_, index) => [`f${index}`, { f: { l: 'x' } }])),
    }
    const read = readSnapshot(encodeSnapshot(tree))
    expect(read.kind === 'directory' && read.children.size).toBe(70_000)
  })
})

/** `{d: {a: {f: …}}}` with the given bytes for the file's map. */
const fileOf = (...map: readonly number[]): Uint8Array =>
  Uint8Array.of(0x81, 0xa1, 0x64, 0x81, 0xa1, 0x61, 0x81, 0xa1, 0x66, ...map)

describe('what other writers may write', () => {
  test.each([
    ['content as text', fileOf(0x81, 0xa1, 0x63, 0xa2, 0xc3, 0xa9), '{"a"=195,169}'],
    ['bytes that travel as Latin-1 text', fileOf(0x82, 0xa1, 0x63, 0xa2, 0xc3, 0xa9, 0xa1, 0x62, 0xc3), '{"a"=233}'],
    ['the flag, and no Latin-1', fileOf(0x82, 0xa1, 0x63, 0xa2, 0xc3, 0xa9, 0xa1, 0x62, 0xc2), '{"a"=195,169}'],
    ['a field that is new', fileOf(0x82, 0xa1, 0x6d, 0xcd, 0x01, 0xa4, 0xa1, 0x63, 0xa1, 0x78), '{"a"=120}'],
    ['a field with a list', fileOf(0x82, 0xa1, 0x6d, 0x92, 0x01, 0xa1, 0x79, 0xa1, 0x63, 0xa1, 0x78), '{"a"=120}'],
  ])('%s', (_name, data, expected) => expect(show(readSnapshot(data))).toBe(expected))
})

describe('what is no tree is refused', () => {
  test.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array()],
    ['a number', Uint8Array.of(7)],
    ['an entry that is neither', Uint8Array.of(0x80)],
    ['a file without content', fileOf(0x80)],
    ['something after it', Uint8Array.of(...encodeSnapshot({ d: {} }), 0)],
    ['a name that is not UTF-8', Uint8Array.of(0x81, 0xa1, 0x64, 0x81, 0xa1, 0xff, 0x80)],
    ['a map of four billion entries', Uint8Array.of(0x81, 0xa1, 0x64, 0xdf, 255, 255, 255, 255)],
  ])('%s', (_name, data) => expect(() => readSnapshot(data)).toThrow(expect.objectContaining({ code: 'container-snapshot' })))

  test('every place to break off', () => {
    const data = encodeSnapshot({ d: { a: { f: { c: ascii('abc') } }, b: { d: { c: { f: { l: 'x' } } } } } })
    for (let end = 0; end < data.length; end++) {
      expect(() => readSnapshot(data.subarray(0, end)), `at ${end}`).toThrow(
        expect.objectContaining({ code: 'container-snapshot' }),
      )
    }
  })

  test('random damage is refused or read, and never anything else', () => {
    const random = createRandom(9)
    const data = encodeSnapshot({ d: { a: { f: { c: ascii('abc') } }, b: { d: { c: { f: { l: 'x' } } } } } })
    const codes = new Set<unknown>()
    for (let turn = 0; turn < 3000; turn++) {
      const damaged = data.slice()
      damaged[random.below(damaged.length)] = random.below(256)
      try {
        readSnapshot(damaged)
        codes.add('read')
      } catch (error) {
        codes.add(error instanceof Error && 'code' in error ? error.code : error)
      }
    }
    expect(codes).toEqual(new Set(['read', 'container-snapshot']))
  })

  test('more than is allowed', () => {
    const wide = encodeSnapshot({ d: { a: { d: {} }, b: { d: {} } } })
    expect(() => readSnapshot(wide, { maxEntries: 2, maxDepth: 9 })).toThrow('more than 2 entries')
    expect(() => readSnapshot(wide, { maxEntries: 9, maxDepth: 0 })).toThrow('more than 0 directories deep')
  })
})
