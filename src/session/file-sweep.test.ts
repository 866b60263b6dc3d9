// What a sweep rules out, against looking at each file alone.

import { expect, it, test } from 'vitest'

import { memory } from '../backends/memory/index.ts'
import { parsePath } from '../core/path.ts'
import { literalFinder } from '../search/literal.ts'
import { maxFound, maxTextBytes } from '../search/simd/layout.ts'
import { seeds } from '../testing/depth.ts'
import { forSeeds } from '../testing/random.ts'
import { createVfs } from '../vfs/create-vfs.ts'
import { openFileSource } from './file-source.ts'
import { FileSweep } from './file-sweep.ts'

/** The contents that are ruled out; the files are taken in order, as by a search. */
async function ruledOut(
  contents: readonly (string | Uint8Array)[],
  needle: string | readonly string[],
  { isFolded = false, maxFileBytes = 1_000_000 }: { readonly isFolded?: boolean; readonly maxFileBytes?: number } = {},
): Promise<readonly boolean[]> {
  const vfs = createVfs(memory(Object.fromEntries(contents.map((content, index) => [`/f${index}`, content]))))
  const source = await openFileSource(vfs)
  const { holdsText } = literalFinder([needle].flat(), isFolded)
  if (source.sync === undefined || holdsText === undefined) throw new Error('memory is synchronous, and Node compiles the scan')
  const files = contents.map((_, index) => ({ path: parsePath(`/f${index}`) }))
  const sweep = new FileSweep({ reader: source.sync, files, holdsText, maxFileBytes })
  // As a search does: each answer counts the files in a row that are ruled out.
  const out = files.map(() => false)
  for (let index = 0; index < files.length; index++) {
    const count = sweep.ruledOutFrom(index)
    out.fill(true, index, index + count)
    if (count > 0) index += count - 1
  }
  return out
}

test.each<[what: string, contents: readonly (string | Uint8Array)[], needle: string | readonly string[], isFolded: boolean, out: readonly boolean[]]>([
  ['files with the text stay', ['hay', 'a needle', ''], 'needle', false, [true, false, true]],
  ['a text in two files is in none', ['nee', 'dle'], 'needle', false, [true, true]],
  ['a text at both ends', ['needle', 'needle'], 'needle', false, [false, false]],
  ['case', ['NEEDLE', 'hay'], 'needle', true, [false, true]],
  ['letters that fold into ASCII', ['\u212aey', '\u017fet'], 'key', true, [false, true]],
  ['any of several texts', ['one', 'hay', 'a two', 'ONE'], ['one', 'two'], false, [false, true, false, true]],
  ['UTF-16 is looked at alone', [Uint8Array.of(0xff, 0xfe, 0x61, 0)], 'needle', false, [false]],
  ['too large for the limit', ['h'.repeat(1_000_001), 'h'], 'needle', false, [false, true]],
  ['too large to be swept', ['h'.repeat(maxTextBytes + 1), 'h'], 'needle', false, [false, true]],
  ['more places than are counted', ['x'.repeat(maxFound + 100), 'h'], 'xx', false, [false, false]],
  ['a long text, of which only the end is looked for', ['x'.repeat(200), `${'y'.repeat(6000)}${'x'.repeat(300)}`, 'y'.repeat(7000)], 'x'.repeat(6000), false,
    [true, false, true]],
  ['more files than are swept at once', Array.from({ length: 600 }, (_, index) => (index % 7 === 0 ? 'xyz' : 'x')), 'xyz', false,
    Array.from({ length: 600 }, (_, index) => index % 7 !== 0)],
])('%s', async (_what, contents, needle, isFolded, out) => {
  expect(await ruledOut(contents, needle, { isFolded })).toEqual(out)
}) // prettier-ignore

it('rules out the files that do not hold the text, and no others', async () => {
  await forSeeds(seeds({ quick: 10, deep: 1000 }), async (random, seed) => {
    const word = (length: number): string => Array.from({ length }, () => random.pick(['a', 'b', 'é', '\n', 'ab'])).join('')
    const needle = word(1 + random.below(4))
    const contents = Array.from({ length: 1 + random.below(40) }, () => word(random.below(60)))
    const expected = contents.map(content => !content.includes(needle))
    expect({ seed, needle, out: await ruledOut(contents, needle) }).toEqual({ seed, needle, out: expected })
  })
})
