// Flips bits in stores as a tab leaves them: made through the backend with its own upkeep, files of every size, and a reserve.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { joinBytes } from '../../core/bytes.ts'
import { parsePath } from '../../core/path.ts'
import { isDeep, seeds } from '../../testing/depth.ts'
import { entriesOf, flipped, inDatabase, onDisk, type StorageOf, verdictOn } from '../../testing/opfs/damage.ts'
import { FakeBlocks } from '../../testing/opfs/fake-blocks.ts'
import { FakeDisk } from '../../testing/opfs/fake-storage.ts'
import { createRandom, type Random } from '../../testing/random.ts'
import type { VfsBackend, VfsSync } from '../../vfs/backend.ts'
import { openBlocks } from './indexeddb/open-indexeddb.ts'
import { openLog } from './log/open.ts'
import { storedBackend } from './stored-backend.ts'

const path = parsePath
const options = { clock: (): number => 1_000 }

interface Place {
  readonly open: () => Promise<VfsBackend>
  /** The files of the store, also if it is still open. */
  readonly files: () => Promise<readonly Uint8Array[]>
  readonly storageOf: StorageOf
}

const places = {
  OPFS(): Place {
    const disk = new FakeDisk()
    const open = async (): Promise<VfsBackend> => {
      const storage = disk.storage()
      return storedBackend(openLog(storage, options), storage, { ...listeners, recipe: { kind: 'opfs' }, durability: 'group' })
    }
    return { open, files: async () => disk.contents(), storageOf: onDisk }
  },
  IndexedDB(): Place {
    const blocks = new FakeBlocks()
    const settings = { ...listeners, ...options, recipe: { kind: 'opfs' }, durability: 'group', onDamage: 'refuse' } as const
    return {
      open: async () => (await openBlocks(async () => blocks.own(), settings)).backend,
      files: async () => (await blocks.after(blocks.transactions.length).own().load()).map(file => joinBytes(file.blocks)),
      storageOf: inDatabase,
    }
  },
} as const

const listeners = {
  quotaBytes: async () => undefined,
  onProblem(problem: Error) {
    throw problem
  },
  onClose() {},
} as const

/** How long a tab lives after its last change, and how it ends. */
const endings = {
  'killed at once': { waitMs: 25, isClosed: false },
  idle: { waitMs: 20_000, isClosed: false },
  closed: { waitMs: 0, isClosed: true },
} as const

/** Files around every limit of the format, changed in every way. */
async function work(fs: VfsBackend, random: Random, life: number): Promise<void> {
  const sizes = [0, 10, 5_000, 65_536, 65_537, 200_000, 1_200_000]
  for (let count = 0; count < 60; count++) {
    const at = path(random.chance(0.5) ? `/f${random.below(9)}` : `/d/f${random.below(9)}`)
    const bytes = new Uint8Array(random.pick(sizes)).fill(random.below(256))
    if (random.chance(0.3)) await fs.write(at, bytes.subarray(0, 3_000), { append: true, parents: true })
    else await fs.write(at, bytes, { parents: true })
    if (random.chance(0.2)) await fs.rename(at, path(`/moved${random.below(4)}`))
    if (random.chance(0.1)) await fs.symlink('f1', path(`/l${life}-${count}`))
    if (random.chance(0.3)) await vi.advanceTimersByTimeAsync(random.pick([30, 1_500, 6_000]))
  }
}

/** Half of them in the first bytes of a file, where its header and the first records or rows are. */
function bitIn(files: readonly Uint8Array[], random: Random): { readonly file: number; readonly bit: number } {
  const filled = files.flatMap((bytes, index) => (bytes.length > 0 ? [index] : []))
  const file = random.pick(filled)
  const sizeBits = (files[file]?.length ?? 0) * 8
  return { file, bit: random.below(random.chance(0.5) ? Math.min(sizeBits, 3_000) : sizeBits) }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const cases = Object.keys(places).flatMap(place => Object.keys(endings).map(ending => [place, ending])) as readonly (readonly [
  keyof typeof places,
  keyof typeof endings,
])[]

test.each(cases)(
  '%s, %s: a flipped bit loses at most one file, and never silently',
  { timeout: 3_600_000 },
  async (kind, ending) => {
    const counts: Record<string, number> = {}
    for (let seed = 1; seed <= seeds({ quick: 1, deep: 4 }); seed++) {
      const random = createRandom(seed)
      const place = places[kind]()
      const first = await place.open()
      await work(first, random, 1)
      await first.close()
      const fs = await place.open()
      await work(fs, random, 2)
      await vi.advanceTimersByTimeAsync(endings[ending].waitMs)
      const expected = entriesOf(fs.snapshot?.().fs as VfsSync)
      if (endings[ending].isClosed) await fs.close()
      const files = await place.files()
      for (let count = 0; count < seeds({ quick: 2, deep: 400 }); count++) {
        const { file, bit } = bitIn(files, random)
        const damaged = files.map((bytes, index) => (index === file ? flipped(bytes, bit) : bytes))
        const { is, lostPaths } = await verdictOn(place.storageOf(damaged), expected, options)
        counts[is] = (counts[is] ?? 0) + 1
        const at = `seed ${seed}, file ${file}, bit ${bit}: ${is}`
        expect(is, at).not.toBe('SILENT LOSS')
        expect(is, at).not.toBe('told at opening')
        // One damaged record loses at most a file and its directory, whose times changed with it.
        expect(lostPaths, at).toBeLessThanOrEqual(2)
      }
      await fs.close()
    }
    if (isDeep) console.log(kind, ending, JSON.stringify(counts))
  },
)
