// The log in an asynchronous database. After every crash the database holds a state that was committed and every write that was answered,
// and a write that did not fit has left no trace.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parsePath } from '../../../core/path.ts'
import { runContract } from '../../../testing/contract.ts'
import { FakeBlocks } from '../../../testing/opfs/fake-blocks.ts'
import { changeSomething, describeTree } from '../../../testing/opfs/log-session.ts'
import { seeds } from '../../../testing/depth.ts'
import { forSeeds } from '../../../testing/random.ts'
import { hasCapability } from '../../../testing/vfs-contract/context.ts'
import { vfsContract } from '../../../testing/vfs-contract/index.ts'
import type { ChangeBatch, VfsBackend, VfsSync } from '../../../vfs/backend.ts'
import { createVfs } from '../../../vfs/create-vfs.ts'
import { isVfsError } from '../../../vfs/error.ts'
import { toNodeFs } from '../../../vfs/facades/node/index.ts'
import type { Durability } from '../maintenance.ts'
import { compactNow } from '../../../testing/opfs/compact-now.ts'
import { openLog } from '../log/open.ts'
import { type BlockStorage, openBlockStorage } from './block-storage.ts'
import { blockBytes } from './blocks.ts'
import { openBlocks } from './open-indexeddb.ts'

const path = parsePath

interface Opened {
  readonly fs: VfsBackend
  readonly problems: readonly string[]
}

async function openOn(blocks: FakeBlocks, durability: Durability = 'group'): Promise<Opened> {
  const problems: string[] = []
  const { backend } = await openBlocks(async () => blocks.own(), {
    recipe: { kind: 'opfs' },
    durability,
    onDamage: 'refuse',
    quotaBytes: async () => blocks.quotaBytes,
    onProblem: problem => problems.push(problem.code),
    onClose: () => {},
    clock: () => 1_000,
  })
  return { fs: backend, problems }
}

/** The tree of a backend without a synchronous side. */
function treeOf(fs: VfsBackend): string {
  const snapshot = fs.snapshot?.()
  if (snapshot === undefined) throw new Error('no snapshot')
  return describeTree(snapshot.fs as VfsSync)
}

const { fs: subject } = await openOn(new FakeBlocks())
describe('contract', () => {
  for (const row of runContract(vfsContract, {
    can: capability => hasCapability(subject.caps, capability),
    async open() {
      const { fs } = await openOn(new FakeBlocks())
      return { context: fs, close: () => fs.close() }
    },
  })) {
    test.skipIf(row.isSkipped)(row.name, row.run)
  }
})

test('after a crash between any two transactions: a committed state, with all that was answered', async () => {
  await forSeeds(seeds({ quick: 4, deep: 40 }), async (random, seed) => {
    const blocks = new FakeBlocks()
    const { fs } = await openOn(blocks, random.pick(['op', 'group'] as const))
    const states = [{ tree: treeOf(fs), answeredAt: blocks.transactions.length }]
    const pending: Promise<void>[] = []
    for (let count = 0; count < 60; count++) {
      // One at a time and several at once: the log orders them as they are called.
      const before = treeOf(fs)
      const change = fs.batch?.(draft => changeSomething(draft, random))
      await Promise.resolve()
      const state = { tree: treeOf(fs), answeredAt: Infinity }
      if (state.tree !== before) states.push(state)
      pending.push(
        (change ?? Promise.resolve()).then(
          () => {
            state.answeredAt = Math.min(state.answeredAt, blocks.transactions.length)
          },
          (error: unknown) => {
            if (!isVfsError(error)) throw error
          },
        ),
      )
      if (random.chance(0.4)) await Promise.all(pending.splice(0))
    }
    await Promise.all(pending)
    expect(states.length, `seed ${seed}`).toBeGreaterThan(5)
    for (let count = 0; count <= blocks.transactions.length; count++) {
      const found = treeOf((await openOn(blocks.after(count))).fs)
      const index = states.findLastIndex(({ tree }) => tree === found)
      const answered = states.findLastIndex(({ answeredAt }) => answeredAt <= count)
      // Before the first state was stored, the store is empty.
      if (count === 0) continue
      expect(index, `seed ${seed}: after ${count} transactions, a state that was not committed`).toBeGreaterThanOrEqual(0)
      expect(index, `seed ${seed}: after ${count} transactions, an answered change is lost`).toBeGreaterThanOrEqual(answered)
    }
    await fs.close()
  })
})

test('an operation is answered when it is stored, with `lazy` at once', async () => {
  for (const [durability, waits] of [
    ['op', true],
    ['group', true],
    ['lazy', false],
  ] as const) {
    const blocks = new FakeBlocks()
    const { fs } = await openOn(blocks, durability)
    await fs.flush()
    let resume = (): void => {}
    blocks.pause = new Promise(resolve => {
      resume = resolve
    })
    let isAnswered = false
    const write = fs.write(path('/f'), Uint8Array.of(1)).then(() => {
      isAnswered = true
    })
    await new Promise(resolve => setTimeout(resolve, 5))
    expect(isAnswered, durability).toBe(!waits)
    resume()
    blocks.pause = undefined
    await write
    await fs.flush()
    expect(blocks.transactions.at(-1)?.isStrict, durability).toBe(true)
    await fs.close()
  }
})

test('what does not fit is refused and undone; deleting works and makes room', async () => {
  const blocks = new FakeBlocks()
  const { fs, problems } = await openOn(blocks)
  const heard: ChangeBatch[] = []
  fs.watch?.(path('/'), batch => heard.push(batch))
  for (let index = 0; index < 20; index++) await fs.write(path(`/kept${index}`), new Uint8Array(60_000).fill(index))
  blocks.quotaBytes = blocks.usedBytes + 100_000
  const before = treeOf(fs)
  const large = new Uint8Array(900_000)
  const outcomes = await Promise.allSettled([
    fs.write(path('/large'), large),
    fs.batch?.(draft => {
      draft.remove(path('/kept0'), 'file')
      draft.write(path('/large2'), large)
    }),
    fs.write(path('/after'), Uint8Array.of(1)),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason.code).toBe('ENOSPC')
  expect(await fs.list(path('/'))).toHaveLength(20)
  expect(treeOf(fs)).toBe(before)
  expect(heard.at(-1)?.overflow).toBe(true)
  expect(problems).toContain('ENOSPC')
  // The disk is full to the last byte, except for the reserve.
  for (let index = 0; index < 18; index++) await fs.remove(path(`/kept${index}`), 'file')
  expect((await fs.list(path('/'))).map(({ name }) => name)).toEqual(['kept18', 'kept19'])
  await fs.write(path('/small'), Uint8Array.of(7))
  await fs.close()
  const { fs: again } = await openOn(blocks)
  expect((await again.list(path('/'))).map(({ name }) => name)).toEqual(['kept18', 'kept19', 'small'])
  expect((await again.read(path('/kept19')))[59_999]).toBe(19)
  await again.close()
})

test('a loss that was not waited for is told by `flush`, once', async () => {
  const blocks = new FakeBlocks()
  const { fs } = await openOn(blocks, 'lazy')
  await fs.write(path('/kept'), Uint8Array.of(1))
  await fs.flush()
  blocks.failures.push(new DOMException('full', 'QuotaExceededError'))
  await fs.write(path('/lost'), Uint8Array.of(1))
  await expect(fs.flush()).rejects.toMatchObject({ code: 'ENOSPC' })
  expect((await fs.list(path('/'))).map(({ name }) => name)).toEqual(['kept'])
  await fs.flush()
  await fs.close()
})

test('another owner ends this one, which never takes the store back', async () => {
  const blocks = new FakeBlocks()
  const { fs: first } = await openOn(blocks)
  await first.write(path('/a'), Uint8Array.of(1))
  const { fs: second } = await openOn(blocks)
  await second.write(path('/b'), Uint8Array.of(2))
  for (let time = 0; time < 2; time++) {
    await expect(first.write(path('/c'), Uint8Array.of(3))).rejects.toMatchObject({ code: 'EBUSY' })
    await expect(first.flush()).rejects.toMatchObject({ code: 'EBUSY' })
  }
  await second.write(path('/d'), Uint8Array.of(4))
  expect((await second.list(path('/'))).map(({ name }) => name)).toEqual(['a', 'b', 'd'])
  await second.close()
})

test('appends and small overwrites of a large file store what they write, and not the file', async () => {
  /** The bytes and the number of all blocks that were written. */
  const written = async (count: number, change: (fs: VfsBackend, index: number) => Promise<unknown>) => {
    const blocks = new FakeBlocks()
    const { fs } = await openOn(blocks)
    await fs.write(path('/large'), new Uint8Array(1_000_000))
    const before = blocks.transactions.length
    for (let index = 0; index < count; index++) await change(fs, index)
    const puts = blocks.transactions.slice(before).flatMap(({ changes }) => changes.flatMap(each => each.puts))
    const storedBytes = blocks.usedBytes
    await fs.close()
    return { bytes: puts.reduce((sum, { bytes }) => sum + bytes.length, 0), puts: puts.length, storedBytes }
  }
  const append = (fs: VfsBackend, index: number): Promise<unknown> =>
    fs.write(path('/log'), new Uint8Array(1_000).fill(index), { append: true })
  const overwrite = async (fs: VfsBackend, index: number): Promise<void> => {
    const handle = await toNodeFs(createVfs(fs)).promises.open('/large', 'r+')
    await handle.write(new Uint8Array(1_000).fill(index), 0, 1_000, (index * 77_777) % 999_000)
    await handle.close()
  }
  for (const change of [append, overwrite]) {
    const [few, many] = [await written(100, change), await written(400, change)]
    // A block that is not full is written again with the next change, and joined pieces once more.
    expect(many.bytes).toBeLessThan(400 * 2 * blockBytes)
    expect(many.bytes).toBeLessThan(few.bytes * 6)
    expect(many.puts).toBeLessThan(few.puts * 6)
    expect(many.storedBytes).toBeLessThan(8_000_000)
  }
})

test('a part that is missing is damage, and no other content', async () => {
  const blocks = new FakeBlocks()
  const { fs } = await openOn(blocks)
  await fs.write(path('/large'), new Uint8Array(200_000).fill(3))
  await fs.close()
  const files = (await blocks.own().load()).map(
    ({ file, blocks: parts }) => [file, parts.map((part, index) => (index === 1 ? part.slice(1) : part))] as const,
  )
  const { fs: damaged } = await openOn(new FakeBlocks(new Map(files)))
  await expect(damaged.read(path('/large'))).rejects.toMatchObject({ code: 'EIO' })
  await damaged.close()
})

describe('a large file that is removed gradually', () => {
  const storageOf = async (blocks: FakeBlocks): Promise<BlockStorage> =>
    await openBlockStorage(blocks.own(), error => {
      throw error
    })
  /** Waits until no more writes are scheduled. */
  const settled = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(60_000)
  }
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('what is written meanwhile does not wait for all of it', async () => {
    const blocks = new FakeBlocks()
    const storage = await storageOf(blocks)
    const [large, other] = [storage.take(), storage.take()]
    if (large === undefined || other === undefined) throw new Error('a file is always at hand')
    large.append(new Uint8Array(1_000 * blockBytes))
    await storage.stored()
    storage.discard(large, 'gradually')
    await vi.advanceTimersByTimeAsync(150)
    other.append(Uint8Array.of(1))
    await storage.stored()
    expect(blocks.usedBytes, 'more than what was written is there still').toBeGreaterThan(1)
    await settled()
    expect(blocks.usedBytes).toBe(1)
    const drops = blocks.transactions.flatMap(({ changes }) => changes.map(({ drop }) => drop?.from ?? [])).flat()
    expect(drops).toEqual([744, 488, 232, 0])
    await storage.close()
  })

  test('is gone with the next opening, wherever a crash cuts it short', async () => {
    const blocks = new FakeBlocks()
    const storage = await storageOf(blocks)
    const open = openLog(storage)
    const { fs } = open.store
    const content = new Uint8Array(500_000).fill(7)
    for (let index = 0; index < 20; index++) fs.write(path(`/f${index}`), content)
    for (let index = 1; index < 20; index++) fs.remove(path(`/f${index}`), 'file')
    await storage.stored()
    const usedBytes = blocks.usedBytes
    for (const victim of compactNow(open.log, open.state)) open.log.files.discard(victim, 'gradually')
    // The checkpoint is in one transaction, and no part of the file is stored before it.
    const compactedAt = blocks.transactions.length
    fs.write(path('/after'), Uint8Array.of(1))
    await settled()
    expect(blocks.transactions.length - compactedAt).toBeGreaterThan(4)
    for (let count = compactedAt; count <= blocks.transactions.length; count++) {
      const left = blocks.after(count)
      const again = await storageOf(left)
      const reopened = openLog(again)
      const names = reopened.store.fs.list(path('/')).map(({ name }) => name)
      expect(names, `after ${count} transactions`).toEqual(count > compactedAt ? ['after', 'f0'] : ['f0'])
      const found = reopened.store.fs.read(path('/f0'))
      expect([found.length, found.every(byte => byte === 7)], `after ${count} transactions`).toEqual([500_000, true])
      reopened.log.checkpointTwice(reopened.state())
      for (const file of reopened.unused) reopened.log.files.discard(file, 'gradually')
      await settled()
      if (count > compactedAt) expect(left.usedBytes, `after ${count} transactions`).toBeLessThan(usedBytes / 5)
      await again.close()
    }
  })
})
