// Flips one bit, or damages a wider range, anywhere in a store in every state. Nothing that was flushed is lost silently, and undamaged
// data can still be read: either the store opens unchanged, or a read fails with EIO, or opening reports what is lost.
import { expect, test } from 'vitest'
import { type Entries, entriesOf, flipped, inDatabase, onDisk, type StorageOf, verdictOn } from '../../../testing/opfs/damage.ts'
import { FakeBlocks } from '../../../testing/opfs/fake-blocks.ts'
import { FakeDisk } from '../../../testing/opfs/fake-storage.ts'
import { describeTree, smallLog } from '../../../testing/opfs/log-session.ts'
import { bringInto, changeOrRefuse, storeStates } from '../../../testing/opfs/store-states.ts'
import { version1States, version1Store } from '../../../testing/opfs/version1-stores.ts'
import { version2States, version2Store } from '../../../testing/opfs/version2-stores.ts'
import { version3States, version3Store } from '../../../testing/opfs/version3-stores.ts'
import { isDeep, seeds, stride } from '../../../testing/depth.ts'
import { createRandom } from '../../../testing/random.ts'
import { joinBytes } from '../../../core/bytes.ts'
import { openBlockStorage } from '../indexeddb/block-storage.ts'
import { compactNow } from '../../../testing/opfs/compact-now.ts'
import { openLog, problemsOf } from './open.ts'

function overwritten(bytes: Uint8Array, at: number, damage: Uint8Array): Uint8Array {
  const changed = bytes.slice()
  changed.set(damage.subarray(0, bytes.length - at), at)
  return changed
}

/** Every `stride`th bit of every file. */
function* everyBit(contents: readonly Uint8Array[], stride: number, first: number) {
  for (const [file, bytes] of contents.entries()) {
    for (let bit = first % stride; bit < bytes.length * 8; bit += stride) {
      yield { file, bit, contents: contents.map((content, index) => (index === file ? flipped(bytes, bit) : content)) }
    }
  }
}

interface Subject {
  readonly seed: number
  readonly label: string
  readonly contents: readonly Uint8Array[]
  readonly storageOf: StorageOf
  readonly expected: Entries
  /** The last change is not known to be flushed, because releases before format 2 did not record it. */
  readonly hasOpenEnd?: boolean
  /** Opening it takes longer, so fewer bits are flipped. */
  readonly isLarge?: boolean
}

async function judge({
  seed,
  label,
  contents,
  storageOf,
  expected,
  hasOpenEnd = false,
  isLarge = false,
}: Subject): Promise<void> {
  const counts: Record<string, number> = {}
  for (const { file, bit, contents: damaged } of everyBit(contents, isLarge ? bitStride * 5 : bitStride, seed)) {
    const { is, lostPaths } = await verdictOn(storageOf(damaged), expected, smallLog)
    counts[is] = (counts[is] ?? 0) + 1
    const at = `${label}, seed ${seed}, file ${file}, bit ${bit}: ${is}`
    expect(is, at).not.toBe('SILENT LOSS')
    // Everything was flushed, so there is no unfinished end.
    if (!hasOpenEnd) expect(is, at).not.toBe('told at opening')
    if (is !== 'told at opening') expect(lostPaths, at).toBeLessThanOrEqual(mostLostPaths)
  }
  if (isDeep) console.log(label, JSON.stringify(counts))
}

/** ANCHORAGE_FLIP_STRIDE=1 flips every bit. */
const bitStride = Number(process.env['ANCHORAGE_FLIP_STRIDE'] ?? stride({ quick: 2_971, deep: 7 }))
const flipSeeds = Array.from({ length: seeds({ quick: 1, deep: 3 }) }, (_, index) => index + 1)
const cases = <T>(of: readonly T[]): readonly (readonly [T, number])[] =>
  of.flatMap(state => flipSeeds.map(seed => [state, seed] as const))
/** One damaged record loses at most a file and its directory, whose times changed with it. */
const mostLostPaths = 2

test.each(cases(storeStates))('wider damage, %s, seed %i', { timeout: 600_000 }, async (state, seed) => {
  const disk = new FakeDisk()
  const random = createRandom(seed)
  const expected = entriesOf(bringInto(disk.storage(), state, random).store.fs)
  const contents = disk.contents()
  for (let time = seeds({ quick: 2, deep: 600 }); time > 0; time--) {
    const file = random.below(contents.length)
    const at = random.below(contents[file]?.length ?? 0)
    const damage = Uint8Array.from({ length: 1 + random.below(random.chance(0.2) ? 4_000 : 60) }, () => random.below(256))
    const damaged = contents.map((bytes, index) => (index === file ? overwritten(bytes, at, damage) : bytes))
    const { is } = await verdictOn(onDisk(damaged), expected, smallLog)
    expect(is, `${state}, seed ${seed}, file ${file}, bytes ${at} to ${at + damage.length}`).not.toBe('SILENT LOSS')
  }
})

test.each(cases(storeStates))('OPFS, %s, seed %i', { timeout: 600_000 }, async (state, seed) => {
  const disk = new FakeDisk()
  const expected = entriesOf(bringInto(disk.storage(), state, createRandom(seed)).store.fs)
  await judge({
    seed,
    label: `OPFS, ${state}`,
    contents: disk.contents(),
    storageOf: onDisk,
    expected,
    isLarge: state === 'changed',
  })
})

test.each(cases(storeStates))('IndexedDB, %s, seed %i', { timeout: 600_000 }, async (state, seed) => {
  const blocks = new FakeBlocks()
  const storage = await openBlockStorage(blocks.own(), () => {})
  const expected = entriesOf(bringInto(storage, state, createRandom(seed)).store.fs)
  await storage.stored()
  const contents = (await blocks.own().load()).map(file => joinBytes(file.blocks))
  await judge({ seed, label: `IndexedDB, ${state}`, contents, storageOf: inDatabase, expected, isLarge: state === 'changed' })
})

/** `hasOpenEnd`: as in {@link Subject}. */
const earlier = flipSeeds.flatMap(seed => [
  ...version1States.map(state => ({ seed, label: `format 1, ${state}`, stored: () => version1Store(state), hasOpenEnd: true })),
  ...version2States.map(state => ({ seed, label: `format 2, ${state}`, stored: () => version2Store(state), hasOpenEnd: false })),
  ...version3States.map(state => ({ seed, label: `format 3, ${state}`, stored: () => version3Store(state), hasOpenEnd: false })),
])

test.each(earlier)('$label, seed $seed', { timeout: 600_000 }, async ({ label, seed, stored, hasOpenEnd }) => {
  const { disk, tree } = stored()
  const open = openLog(new FakeDisk(disk.contents()).storage(), smallLog)
  expect(describeTree(open.store.fs)).toBe(tree)
  expect(problemsOf(open)).toEqual([])
  const expected = entriesOf(open.store.fs)
  await judge({ seed, label, contents: disk.contents(), storageOf: onDisk, expected, hasOpenEnd })
})

test.each(earlier)('$label, migrated, seed $seed', { timeout: 600_000 }, async ({ label, seed, stored }) => {
  const { disk } = stored()
  const open = openLog(disk.storage(), smallLog)
  const random = createRandom(seed)
  for (let count = 0; count < 20; count++) changeOrRefuse(open, random)
  open.log.flush()
  if (label.endsWith('closed')) open.log.checkpointTwice(open.state())
  if (label.endsWith('compacting')) for (const file of compactNow(open.log, open.state)) open.log.files.discard(file)
  const expected = entriesOf(open.store.fs)
  await judge({ seed, label: `${label}, migrated`, contents: disk.contents(), storageOf: onDisk, expected })
})
