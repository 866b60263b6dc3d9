// Maintenance, driven by hand: grouped flushes, checkpoints, and compaction that keeps the contents that snapshots may read.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { joinBytes } from '../../core/bytes.ts'
import { parsePath } from '../../core/path.ts'
import { isDeep, seeds } from '../../testing/depth.ts'
import { FakeDisk } from '../../testing/opfs/fake-storage.ts'
import { createRandom } from '../../testing/random.ts'
import { vfsContract } from '../../testing/vfs-contract/index.ts'
import { hasCapability } from '../../testing/vfs-contract/context.ts'
import { runContract } from '../../testing/contract.ts'
import type { FullBackend } from '../../vfs/backend.ts'
import { VfsError } from '../../vfs/error.ts'
import { lazyBackend } from './lazy-backend.ts'
import { openLog } from './log/open.ts'
import type { Durability } from './maintenance.ts'
import { storedCaps } from './caps.ts'
import { storedBackend } from './stored-backend.ts'

const path = parsePath

function backendOn(disk: FakeDisk, durability: Durability = 'group', problems: string[] = []): FullBackend {
  const storage = disk.storage()
  return storedBackend(openLog(storage, { clock: () => 1_000, flushEach: durability === 'op' }), storage, {
    recipe: { kind: 'opfs' },
    durability,
    quotaBytes: async () => 5_000_000_000,
    onProblem: problem => problems.push(problem.code),
    onClose: () => {},
  })
}

const opened = (): FullBackend => backendOn(new FakeDisk())
/** What opens later passes everything on to the first, so it is for the deep run. */
const subjects = [
  ['stored', opened],
  ...(isDeep ? ([['opened later', () => lazyBackend(storedCaps, { kind: 'opfs' }, async () => opened())]] as const) : []),
] as const

for (const [subject, open] of subjects) {
  const { caps } = open()
  describe(subject, () => {
    for (const row of runContract(vfsContract, {
      can: capability => hasCapability(caps, capability),
      async open() {
        const context = open()
        return { context, close: () => context.close() }
      },
    })) {
      test.skipIf(row.isSkipped)(row.name, row.run)
    }
  })
}

test.each([
  ['a new file', [], 5_000, 0],
  ['a large file', [], 2_000_000, 0],
  ['other content', [new Uint8Array(50_000).fill(1)], 50_000, 0],
  ['almost the same content', [new Uint8Array(50_000).fill(7, 1)], 50_000, 50_000],
  ['a full disk', 'full', 50_000, 0],
] as const)('an array that is given away for %s is taken if all of it is stored', async (_what, before, sizeBytes, leftBytes) => {
  const disk = new FakeDisk()
  const fs = backendOn(disk)
  if (before !== 'full') for (const bytes of before) await fs.write(path('/f'), bytes)
  const data = new Uint8Array(sizeBytes).fill(7)
  if (before === 'full') disk.quotaBytes = disk.usedBytes
  const written = fs.write(path('/f'), data, { transfer: true })
  if (before === 'full') await expect(written).rejects.toMatchObject({ code: 'ENOSPC' })
  else await written
  expect(data.length).toBe(leftBytes)
  if (before === 'full') return
  await fs.flush()
  for (const found of [await fs.read(path('/f')), await backendOn(disk).read(path('/f'))]) {
    expect([found.length, found.every(byte => byte === 7)]).toEqual([sizeBytes, true])
  }
})

test('what does not open is tried again with the next operation', async () => {
  let attempts = 0
  const fs = lazyBackend(storedCaps, { kind: 'opfs' }, async () => {
    if (++attempts < 3) throw new VfsError('EBUSY', 'open')
    return opened()
  })
  await Promise.all(
    [fs.list(path('/')), fs.list(path('/'))].map(listing => expect(listing).rejects.toMatchObject({ code: 'EBUSY' })),
  )
  expect(attempts).toBe(1)
  await expect(fs.list(path('/'))).rejects.toMatchObject({ code: 'EBUSY' })
  expect(await fs.list(path('/'))).toEqual([])
  expect(attempts).toBe(3)
  await fs.close()
})

describe('upkeep', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const flushesAfter = (disk: FakeDisk, count: number): number =>
    disk.writes.slice(count).filter(({ kind }) => kind === 'flush').length

  test.each([
    ['op', 10, 10],
    ['group', 0, 1],
    ['lazy', 0, 0],
  ] as const)(
    'durability %s: ten writes are flushed %i times at once and %i times within 20 ms',
    async (durability, atOnce, soon) => {
      const disk = new FakeDisk()
      const fs = backendOn(disk, durability)
      const count = disk.writes.length
      for (let index = 0; index < 10; index++) await fs.write(path('/f'), Uint8Array.of(index))
      expect(flushesAfter(disk, count)).toBe(atOnce)
      await vi.advanceTimersByTimeAsync(20)
      expect(flushesAfter(disk, count)).toBe(soon)
      await fs.flush()
      // The last record only notes that everything before it was flushed.
      expect(disk.writes.slice(-2).map(({ kind }) => kind)).toEqual(['flush', 'append'])
      await fs.close()
    },
  )

  test('what is dead is given back, and a snapshot keeps what it may read', async () => {
    const disk = new FakeDisk()
    const problems: string[] = []
    const fs = backendOn(disk, 'group', problems)
    const megabyte = new Uint8Array(1_000_000)
    await fs.write(path('/kept'), megabyte.fill(7))
    await fs.write(path('/f'), megabyte.fill(255))
    const snapshot = fs.snapshot?.()
    for (let index = 0; index < 40; index++) await fs.write(path('/f'), megabyte.fill(index))
    const fullBytes = disk.usedBytes
    await vi.advanceTimersByTimeAsync(10_000)
    expect(disk.usedBytes, 'a snapshot is held').toBeGreaterThan(0.9 * fullBytes)
    expect([...(snapshot?.fs.read(path('/f')) ?? [])].every(byte => byte === 255)).toBe(true)
    await fs.close()

    // The snapshot ends with its filesystem, so the next session may clean up.
    const again = backendOn(disk, 'group', problems)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(disk.usedBytes).toBeLessThan(fullBytes)
    for (let index = 0; index < 40; index++) await again.write(path('/f'), megabyte.fill(index))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(disk.usedBytes).toBeLessThan(12_000_000)
    expect((await again.read(path('/kept')))[0]).toBe(7)
    expect((await again.read(path('/f')))[0]).toBe(39)
    expect(problems).toEqual([])
    await again.close()
  })

  test.each([
    ['a caller that waits now and then', 30, 40, 120_000],
    ['a caller that never waits', 0, 40, 120_000],
    ['many small files', 0, 2_000, 8_000],
    ['a store of several segments', 0, 300, 100_000],
  ])('with %s, the files of a store stay below twice what is in it, and two MiB', async (_what, waitMs, files, maxBytes) => {
    const disk = new FakeDisk()
    const fs = backendOn(disk)
    const random = createRandom(1)
    let [peak, liveAtPeak] = [0, 0]
    for (let turn = 0; turn < seeds({ quick: 20, deep: 150 }); turn++) {
      for (let count = 0; count < Math.max(10, files / 20); count++) {
        const at = path(`/f${random.below(files)}`)
        const data = new Uint8Array(random.below(maxBytes)).fill(random.below(256))
        if (random.chance(0.3)) await fs.write(at, data.subarray(0, 2_000), { append: true })
        else await fs.write(at, data)
      }
      if (waitMs > 0) await vi.advanceTimersByTimeAsync(random.chance(0.2) ? 1_500 : waitMs)
      const live = (await fs.usage?.())?.bytes ?? 0
      // Without the reserve.
      const over = disk.usedBytes - 1024 * 1024 - 2 * live
      if (over > peak) [peak, liveAtPeak] = [over, live]
    }
    expect(peak, `bytes more than twice ${liveAtPeak}`).toBeLessThan(2 * 1024 * 1024)
    await fs.close()
  })

  test('what is appended while contents are moved stays', async () => {
    const disk = new FakeDisk()
    const fs = backendOn(disk)
    const random = createRandom(7)
    const expected = new Map<string, Uint8Array>()
    for (let count = 0; count < seeds({ quick: 200, deep: 2_500 }); count++) {
      const name = `/f${random.below(60)}`
      const isAppended = random.chance(0.5)
      const bytes = new Uint8Array(random.below(isAppended ? 9_000 : 80_000)).fill(count)
      await fs.write(path(name), bytes, { append: isAppended })
      expected.set(name, joinBytes([...(isAppended ? [expected.get(name) ?? new Uint8Array()] : []), bytes]))
      // Contents move between two changes, and not only after all of them.
      if (count % 4 === 0) await vi.advanceTimersByTimeAsync(1)
    }
    await vi.advanceTimersByTimeAsync(10_000)
    await fs.flush()
    for (const opened of [fs, backendOn(new FakeDisk(disk.contents()))]) {
      for (const [name, bytes] of expected) {
        const found = await opened.read(path(name))
        expect([name, found.length, found.every((byte, index) => byte === bytes[index])]).toEqual([name, bytes.length, true])
      }
    }
    await fs.close()
  })

  test('an idle store has a checkpoint, however little was written', async () => {
    const disk = new FakeDisk()
    const fs = backendOn(disk)
    await fs.write(path('/f'), Uint8Array.of(1))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(openLog(new FakeDisk(disk.contents()).storage()).log.commitsSinceCheckpoint).toBe(0)
    await fs.close()
  })

  test('closing leaves a checkpoint; afterwards everything is refused', async () => {
    const disk = new FakeDisk()
    const fs = backendOn(disk)
    await fs.write(path('/f'), Uint8Array.of(1))
    await Promise.all([fs.close(), fs.close()])
    await expect(fs.read(path('/f'))).rejects.toMatchObject({ code: 'EBADF' })
    expect(await backendOn(disk).read(path('/f'))).toEqual(Uint8Array.of(1))
    expect(await backendOn(disk).usage?.()).toEqual({ bytes: 1, nodes: 1, quotaBytes: 5_000_000_000 })
  })

  test('an upkeep that fails is told and tried again', async () => {
    const disk = new FakeDisk()
    const problems: string[] = []
    const fs = backendOn(disk, 'group', problems)
    for (let index = 0; index < 600; index++) await fs.write(path(`/f${index}`), Uint8Array.of(1))
    disk.quotaBytes = disk.usedBytes
    await vi.advanceTimersByTimeAsync(5_000)
    expect(problems).toContain('ENOSPC')
    disk.quotaBytes = Infinity
    const writes = disk.writes.length
    await fs.write(path('/more'), Uint8Array.of(1))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(disk.writes.slice(writes).some(write => write.kind === 'append' && write.bytes.length > 20_000)).toBe(true)
    await fs.close()
  })

  test.each([
    ['a few large files', 4, 1_000_000],
    ['many small files', 200, 20_000],
  ])('on a full disk, %s can be removed, and their space is used again', async (_what, count, bytes) => {
    const disk = new FakeDisk()
    const fs = backendOn(disk, 'group', [])
    const write = (name: string, size: number): Promise<unknown> => fs.write(path(name), new Uint8Array(size).fill(size))
    disk.quotaBytes = 7_500_000
    await write('/kept', 1_000)
    for (let index = 0; index < count; index++) await write(`/f${index}`, bytes)
    let written = 0
    const fill = async (): Promise<void> => {
      for (; written < 500; written++) await write(`/small${written}`, 20_000)
    }
    await expect(fill()).rejects.toMatchObject({ code: 'ENOSPC' })
    for (let index = 0; index < count; index++) await fs.remove(path(`/f${index}`), 'file')
    await vi.advanceTimersByTimeAsync(10_000)
    for (let index = 0; index < 2; index++) await write(`/again${index}`, 1_000_000)
    expect(disk.usedBytes).toBeLessThanOrEqual(7_500_000)
    expect((await fs.read(path('/kept'))).length).toBe(1_000)
    await fs.close()
  })

  test('a compaction on a full disk is told, and loses nothing', async () => {
    const disk = new FakeDisk()
    const problems: string[] = []
    const fs = backendOn(disk, 'group', problems)
    // At once, so that nothing is moved before the disk is full.
    for (let index = 0; index < 20; index++) {
      fs.sync?.write(path(`/kept${index}`), new Uint8Array(50_000).fill(index))
      for (let count = 0; count < 2; count++) fs.sync?.write(path('/f'), new Uint8Array(1_000_000).fill(index))
    }
    // Space for the checkpoint, and for a part of the contents to move.
    disk.quotaBytes = disk.usedBytes + 100_000
    await vi.advanceTimersByTimeAsync(10_000)
    expect(problems).toContain('ENOSPC')
    for (let index = 0; index < 20; index++) expect((await fs.read(path(`/kept${index}`)))[9]).toBe(index)
    disk.quotaBytes = Infinity
    for (let index = 0; index < 20; index++) await fs.write(path('/f'), new Uint8Array(1_000_000).fill(index))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(disk.usedBytes).toBeLessThan(30_000_000)
    for (let index = 0; index < 20; index++) expect((await fs.read(path(`/kept${index}`)))[9]).toBe(index)
    await fs.close()
  })
})
