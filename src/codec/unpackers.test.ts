// What the machine's own programs pack is unpacked to the same bytes; what is cut off or changed is refused or differs, and never hangs.

import { spawnSync } from 'node:child_process'

import { describe, expect, it } from 'vitest'

import { seeds } from '../testing/depth.ts'
import { createRandom, forSeeds, type Random } from '../testing/random.ts'
import { installedCommand } from '../testing/search-oracle/installed-command.ts'
import { bunzip2, bunzip2InSteps } from './bzip2.ts'
import { uncompress } from './compress.ts'
import { CodecError } from './error.ts'
import { unlz4 } from './lz4.ts'
import { unlzma } from './lzma.ts'
import { unxz, unxzInSteps } from './xz.ts'
import { unzstd, unzstdInSteps } from './zstd.ts'
import { describeUnless, whyNotInstalled } from '../testing/suites.ts'

type Unpacker = (packed: Uint8Array, maxBytes: number) => Uint8Array

const packers: readonly (readonly [command: string, words: readonly string[], unpack: Unpacker])[] = [
  ['xz', ['-c'], unxz],
  ['xz', ['-c', '--check=crc32', '-9e'], unxz],
  ['xz', ['-c', '--block-size=3000'], unxz],
  ['xz', ['-c', '--format=lzma'], unlzma],
  ['xz', ['-c', '--lzma2=preset=0,lc=1,lp=2,pb=0'], unxz],
  ['bzip2', ['-c', '-1'], bunzip2],
  ['bzip2', ['-c', '-9'], bunzip2],
  ['lz4', ['-c'], unlz4],
  ['lz4', ['-c', '-BD', '-9', '-BX'], unlz4],
  ['lz4', ['-c', '-l'], unlz4],
  ['zstd', ['-c'], unzstd],
  ['zstd', ['-c', '-19', '--long=30'], unzstd],
  ['compress', ['-f', '-c'], uncompress],
  ['compress', ['-f', '-c', '-b', '11'], uncompress],
]

const maxBytes = 1 << 24

function pack(command: string, words: readonly string[], content: Uint8Array): Uint8Array {
  const ran = spawnSync(command, words, { input: content, maxBuffer: maxBytes })
  expect(ran.stderr.toString()).toBe('')
  return new Uint8Array(ran.stdout)
}

/** Runs of one byte, words of a small alphabet, and noise. */
function contentOf(random: Random): Uint8Array {
  const pieces: number[] = []
  const size = random.pick([0, 1, 5, 300, 4000, 70_000])
  while (pieces.length < size) {
    const kind = random.below(3)
    const count = Math.min(1 + random.below(600), size - pieces.length)
    const byte = random.below(256)
    for (let index = 0; index < count; index++) {
      pieces.push(kind === 0 ? byte : kind === 1 ? 97 + ((random.below(4) * index) % 7) : random.below(256))
    }
  }
  return Uint8Array.from(pieces)
}

for (const [command, words, unpack] of packers) {
  describeUnless(whyNotInstalled(installedCommand(command), command), `${command} ${words.join(' ')}`, () => {
    it('unpacks to the same bytes', async () => {
      await forSeeds(seeds({ quick: 1, deep: 60 }), random => {
        const content = contentOf(random)
        expect(Buffer.compare(unpack(pack(command, words, content), maxBytes), content)).toBe(0)
      })
    })

    it('says what is too large, and what is cut off or damaged', () => {
      const random = createRandom(7)
      const content = Uint8Array.from({ length: 5000 }, () => random.below(40))
      const packed = pack(command, words, content)
      expect(() => unpack(packed, content.length - 1)).toThrow(CodecError)
      for (let index = 0; index < seeds({ quick: 10, deep: 200 }); index++) {
        const damaged = packed.slice(0, index % 2 === 0 ? random.below(packed.length) : packed.length)
        const at = random.below(packed.length)
        if (index % 2 === 1) damaged[at] = (damaged[at] ?? 0) ^ (1 + random.below(255))
        try {
          unpack(damaged, maxBytes)
        } catch (error) {
          expect(error).toBeInstanceOf(CodecError)
        }
      }
    })
  })
}

describe('compress', () => {
  it.each<[what: string, packed: readonly number[], text: string]>([
    ['nothing', [0x1f, 0x9d, 0x90], ''],
    // The codes are 97, 257 and 257: a, aa, aa.
    ['a code that is being made', [0x1f, 0x9d, 0x90, 0x61, 0x02, 0x06, 0x04], 'aaaaa'],
  ])('%s', (_what, packed, text) => {
    expect(new TextDecoder().decode(uncompress(Uint8Array.from(packed), 100))).toBe(text)
  })

  it('refuses a long text in codes of 9 bits', () => {
    const packed = Uint8Array.from({ length: 400 }, (_, at) => [0x1f, 0x9d, 0x89][at] ?? 0)
    expect(() => uncompress(packed, 1000)).toThrow('9 bits')
  })
})

it.each([
  ['xz', unxzInSteps],
  ['bzip2', bunzip2InSteps],
  ['zstd', unzstdInSteps],
] as const)('%s unpacks in steps, so that others can run', (command, unpackInSteps) => {
  const random = createRandom(3)
  const content = Uint8Array.from({ length: 2_000_000 }, () => random.below(40))
  const steps = unpackInSteps(pack(command, ['-c', '-1'], content), maxBytes)
  let [count, step] = [0, steps.next()]
  for (; step.done !== true; step = steps.next()) count += 1
  expect(count).toBeGreaterThan(10)
  expect(Buffer.compare(step.value, content)).toBe(0)
})

it.each([
  ['xz', unxz],
  ['bzip2', bunzip2],
] as const)('%s does not swell for ever', (command, unpack) => {
  const packed = pack(command, ['-c'], new Uint8Array(40_000_000))
  expect(() => unpack(packed, 1 << 28)).toThrow(/unpacks to more than 33554432 bytes/)
})

describe('zstd', () => {
  const text = [...new TextEncoder().encode('packed')]
  const magic = [0x28, 0xb5, 0x2f, 0xfd]
  // One raw block of six bytes, the last.
  const block = [0x31, 0, 0, ...text]
  const skipped = [0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 7, 7]

  it.each<[what: string, packed: readonly number[], wanted: string | RegExp]>([
    ['a window of 2 GB costs nothing', [...magic, 0, 0xa8, ...block], 'packed'],
    ['frames, and one to skip', [...magic, 0, 0, ...block, ...skipped, ...magic, 0x20, 6, ...block], 'packedpacked'],
    ['1.6 GB that are not there', [...magic, 0xa0, 0, 0, 0x70, 0x61, ...block], /shorter than it says/],
    ['a frame that is cut off', [...magic, 0, 0, ...block.slice(0, -1)], /cut off/],
    ['something else behind it', [...magic, 0, 0, ...block, ...text, 0, 0], /something else/],
  ])('%s', (_what, packed, wanted) => {
    const unpacked = (): string => new TextDecoder().decode(unzstd(Uint8Array.from(packed), 1 << 28))
    if (typeof wanted === 'string') expect(unpacked()).toBe(wanted)
    else expect(unpacked).toThrow(wanted)
  })

  it('does not swell for ever', () => {
    // Blocks of one byte that is repeated 128 KB.
    const blocks = Array.from({ length: 2_000 }, () => [0x02, 0, 0x10, 0x61]).flat()
    expect(() => unzstd(Uint8Array.from([...magic, 0, 0xa8, ...blocks, 1, 0, 0]), 1 << 28)).toThrow(/unpacks to more than/)
  })
})
