// Many tabs on one store, in a simulation that is driven by seeds. Acknowledged changes are there once, refused changes are not there, and
// every tab sees the same tree, whichever tab ends, is suspended or repeats messages.

import { describe, expect, test } from 'vitest'
import { parsePath } from '../../../core/path.ts'
import type { Change, VfsBackend } from '../../../vfs/backend.ts'
import { createVfs } from '../../../vfs/create-vfs.ts'
import { isVfsError, VfsError } from '../../../vfs/error.ts'
import { leasedStamps } from './leased-stamps.ts'
import { FakeWorld, type FakeTab } from '../../../testing/opfs/fake-tabs.ts'
import { seeds } from '../../../testing/depth.ts'
import { createRandom, forSeeds, type Random } from '../../../testing/random.ts'

const decoder = new TextDecoder()
const encoder = new TextEncoder()
const shared = parsePath('/shared')

const quick = { delayMs: 2, duplicates: 0 }

async function opened(world: FakeWorld, keptBytes?: number): Promise<FakeTab & { readonly fs: VfsBackend }> {
  const tab = world.open(keptBytes)
  await world.run(() => tab.shared !== undefined || tab.failure !== undefined)
  if (tab.fs === undefined) throw tab.failure
  return tab as FakeTab & { readonly fs: VfsBackend }
}

async function done<T>(world: FakeWorld, work: Promise<T>): Promise<T> {
  let isOver = false
  const watched = work.finally(() => {
    isOver = true
  })
  watched.catch(() => {})
  await world.run(() => isOver)
  if (!isOver) throw new Error('it never ended')
  return await watched
}

const textOf = async (world: FakeWorld, fs: VfsBackend, path = shared): Promise<string> =>
  decoder.decode(await done(world, fs.read(path)))

async function whole(world: FakeWorld, fs: VfsBackend): Promise<string> {
  const lines: string[] = []
  const visit = async (at: string): Promise<void> => {
    for (const { name, kind } of await done(world, fs.list(parsePath(at)))) {
      const path = parsePath(`${at}/${name}`)
      const { mode, ino, rev, nlink, mtimeMs, uid, atimeMs } = await done(world, fs.lookup(path, { follow: false }))
      const content = kind === 'file' ? decoder.decode(await done(world, fs.read(path))) : ''
      lines.push([path, kind, mode, ino, rev, nlink, mtimeMs, uid, atimeMs, content].join(' '))
      if (kind === 'directory') await visit(path)
    }
  }
  await visit('/')
  return lines.join('\n')
}

function shuffled<T>(random: Random, values: readonly T[]): readonly T[] {
  return values
    .map(value => ({ value, at: random.below(1_000_000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value)
}

type Told = 'done' | 'not-done' | 'unknown'

function fateOf(error: unknown): Told {
  if (!isVfsError(error)) throw error
  return error.details['fate'] === 'unknown' ? 'unknown' : 'not-done'
}

/** Repeatedly appends text that is unique to this writer, and records the results. */
async function writer(tab: FakeTab, random: Random, told: Map<string, Told>, count: number): Promise<void> {
  for (let index = 0; index < count && !tab.isDead; index++) {
    const token = `${tab.id}.${index}`
    const { fs } = tab
    if (fs === undefined) return
    told.set(token, 'unknown')
    try {
      if (random.chance(0.5)) await fs.write(shared, encoder.encode(`${token} `), { append: true })
      else await editOnce(fs, token)
      told.set(token, 'done')
    } catch (error) {
      // The result of a dead tab reaches no one.
      if (!tab.isDead) told.set(token, fateOf(error))
    }
  }
}

/** Reads, and commits an edit of what was read, until no other tab commits in between. */
async function editOnce(fs: VfsBackend, token: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      await fs.batch?.(async transaction => {
        const before = transaction.read(shared)
        await Promise.resolve()
        transaction.write(shared, encoder.encode(`${decoder.decode(before)}${token} `))
        transaction.write(parsePath(`/own/${token}`), encoder.encode(token), { parents: true })
      })
      return
    } catch (error) {
      if (!isVfsError(error, 'ESTALE')) throw error
    }
  }
  throw new VfsError('EAGAIN', 'commit')
}

function checkOnceInOrder(text: string, told: ReadonlyMap<string, Told>): void {
  const found = text.split(' ').filter(token => token !== '')
  expect(new Set(found).size, 'something was applied twice').toBe(found.length)
  for (const [token, fate] of told) {
    if (fate === 'done') expect(found, `${token} was acknowledged`).toContain(token)
    if (fate === 'not-done') expect(found, `${token} was refused`).not.toContain(token)
  }
  const lastOf = new Map<string, number>()
  for (const token of found) {
    const [tab = '', index = ''] = token.split('.')
    expect(Number(index), `the order of ${tab}`).toBeGreaterThan(lastOf.get(tab) ?? -1)
    lastOf.set(tab, Number(index))
  }
}

/** Records what a watcher receives. Unless it gets an overflow, it must receive every change once and in order. */
function watched(tab: FakeTab): { readonly seqs: number[]; overflows: number } {
  const heard = { seqs: new Array<number>(), overflows: 0 }
  tab.fs?.watch?.(parsePath('/'), ({ changes, overflow }) => {
    if (overflow) {
      heard.overflows++
      heard.seqs.length = 0
    }
    heard.seqs.push(...changes.map((change: Change) => change.seq))
  })
  return heard
}

interface Trouble {
  readonly kills: number
  readonly freezes: number
  /** Kills the leader after exactly this many events instead. */
  readonly killAt?: number
  /** The files are in a database, which refuses this many transactions. */
  readonly refusals?: number
}

/** How often each result occurred over all sessions of a test: a test in which nothing happens proves nothing. */
type Tally = Record<Told | 'takeovers' | 'commits', number>

const emptyTally = (): Tally => ({ done: 0, 'not-done': 0, unknown: 0, takeovers: 0, commits: 0 })

async function session(random: Random, trouble: Trouble, tally: Tally): Promise<number> {
  const place = trouble.refusals === undefined ? 'disk' : 'database'
  const world = new FakeWorld(random, { delayMs: 1 + random.below(30), duplicates: random.pick([0, 0.1]), place })
  const told = new Map<string, Told>()
  const first = await opened(world)
  await done(world, first.fs.write(shared, new Uint8Array()))
  const heard = [watched(first)]
  const second = await opened(world)
  const third = await opened(world)
  heard.push(watched(second), watched(third))
  const writers = [first, second, third].map(tab => ({ tab, work: writer(tab, random, told, 6) }))
  const startCount = world.eventCount
  const until = async (count: number): Promise<void> => await world.run(() => world.eventCount >= count)
  if (trouble.killAt !== undefined) {
    await until(startCount + trouble.killAt)
    world.owner?.kill()
  }
  const plan = shuffled(random, [
    ...Array.from({ length: trouble.kills }, () => 'kill' as const),
    ...Array.from({ length: trouble.freezes }, () => 'freeze' as const),
    ...Array.from({ length: trouble.refusals ?? 0 }, () => 'refuse' as const),
  ])
  for (const what of plan) {
    await until(world.eventCount + 1 + random.below(60))
    const opened = world.owner?.opened
    if (random.chance(0.3) && opened?.log.failure === undefined) opened?.log.checkpoint(opened.state())
    if (what === 'refuse') {
      world.blocks.failures.push(new DOMException('there is no more room', 'QuotaExceededError'))
      continue
    }
    const victim = random.chance(0.8) ? world.owner : random.pick(world.alive)
    if (victim === undefined) continue
    if (what === 'freeze') victim.freeze(random.pick([500, 15_000]))
    else if (world.alive.length > 1) victim.kill()
  }
  const isOver = writers.map(() => false)
  for (const [index, { work }] of writers.entries()) void work.then(() => (isOver[index] = true))
  await world.run(() => writers.every(({ tab }, index) => tab.isDead || isOver[index] === true))
  for (const [index, { tab }] of writers.entries()) {
    expect(tab.isDead || isOver[index], `${tab.id} was left waiting`).toBe(true)
  }
  const busyCount = world.eventCount - startCount
  world.blocks.failures.length = 0
  // All messages arrive, and suspended tabs catch up.
  await world.run(() => false, 30_000)

  const late = await opened(world)
  checkOnceInOrder(await textOf(world, late.fs), told)
  const expected = await whole(world, late.fs)
  for (const tab of world.alive) if (tab.fs !== undefined) expect(await whole(world, tab.fs), tab.id).toBe(expected)
  for (const { seqs } of heard) {
    for (const [index, seq] of seqs.entries()) if (index > 0) expect(seq).toBe((seqs[index - 1] ?? 0) + 1)
  }
  for (const fate of told.values()) tally[fate]++
  tally.takeovers += world.tabs.filter(tab => tab.opened !== undefined).length - 1
  tally.commits += world.alive.find(tab => tab.isLeading)?.opened?.log.transaction ?? 0
  for (const tab of world.alive) await done(world, tab.fs?.close() ?? Promise.resolve())
  return busyCount
}

const seedCount = seeds({ quick: 3, deep: 300 })

async function sessions(trouble: Trouble): Promise<Tally> {
  const tally = emptyTally()
  await forSeeds(seedCount, random => session(random, trouble, tally).then(() => {}))
  return tally
}

describe('sessions of three tabs', () => {
  test('nobody dies: everything is done', async () => {
    const tally = await sessions({ kills: 0, freezes: 0 })
    expect(tally).toMatchObject({ done: 18 * seedCount, unknown: 0, 'not-done': 0, takeovers: 0 })
  })
  test('leaders die', async () => {
    const tally = await sessions({ kills: 2, freezes: 0 })
    expect(tally.takeovers).toBeGreaterThan(seedCount)
    expect(tally['not-done'], 'whoever lives on is told yes').toBe(0)
  })
  test('leaders sleep', async () => {
    const tally = await sessions({ kills: 0, freezes: 2 })
    expect(tally.unknown).toBeGreaterThan(0)
    expect(tally['not-done']).toBeGreaterThan(0)
  })
  test('leaders sleep and die', async () => {
    const tally = await sessions({ kills: 2, freezes: 2 })
    expect(tally.takeovers).toBeGreaterThan(seedCount / 2)
  })
  test('in a database: nobody dies', async () => {
    const tally = await sessions({ kills: 0, freezes: 0, refusals: 0 })
    expect(tally).toMatchObject({ done: 18 * seedCount, unknown: 0, 'not-done': 0, takeovers: 0 })
  })
  test('in a database that refuses transactions', async () => {
    const tally = await sessions({ kills: 0, freezes: 0, refusals: 2 })
    expect(tally['not-done'], 'what was refused').toBeGreaterThan(seedCount)
    expect(tally).toMatchObject({ unknown: 0, takeovers: 0 })
  })
  test('in a database that refuses transactions, leaders sleep and die', async () => {
    const tally = await sessions({ kills: 1, freezes: 1, refusals: 2 })
    expect(tally.takeovers).toBeGreaterThan(seedCount / 5)
  })
  test('the leader dies at every step', async () => {
    const tally = emptyTally()
    const steps = await session(createRandom(7), { kills: 0, freezes: 0 }, emptyTally())
    expect(steps).toBeGreaterThan(50)
    for (let killAt = 0; killAt < steps; killAt++) {
      try {
        await session(createRandom(7), { kills: 0, freezes: 0, killAt }, tally)
      } catch (error) {
        throw new Error(`killed after ${killAt} events: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        })
      }
    }
    expect(tally.takeovers).toBeGreaterThanOrEqual(steps)
  })
})

test('a second tab sees what the first has, and the other way round', async () => {
  const world = new FakeWorld(createRandom(1), quick)
  const first = await opened(world)
  await done(world, first.fs.write(parsePath('/d/a'), encoder.encode('one'), { parents: true }))
  const second = await opened(world)
  expect(await textOf(world, second.fs, parsePath('/d/a'))).toBe('one')
  const stat = await done(world, second.fs.write(parsePath('/d/b'), encoder.encode('two')))
  expect(await done(world, second.fs.lookup(parsePath('/d/b')))).toEqual(stat)
  expect(await textOf(world, first.fs, parsePath('/d/b'))).toBe('two')
  expect(await done(world, first.fs.lookup(parsePath('/d/b')))).toEqual(stat)
})

describe('a lock that is taken away', () => {
  test('ends its holder at once; the next tab goes on', async () => {
    await forSeeds(seeds({ quick: 6, deep: 300 }), async random => {
      const world = new FakeWorld(random, quick)
      const first = await opened(world)
      const second = await opened(world)
      await done(world, first.fs.write(shared, encoder.encode('before')))
      world.steal()
      // Whichever of the two carries it out: the message may arrive before the lock is lost.
      await done(world, second.fs.write(parsePath('/b'), encoder.encode('goes on')))
      await world.run(() => world.owner === second)
      await expect(first.fs.write(shared, encoder.encode('never'))).rejects.toMatchObject({ code: 'EBUSY' })
      expect(await textOf(world, second.fs)).toBe('before')
      expect(await textOf(world, second.fs, parsePath('/b'))).toBe('goes on')
      expect(world.owner).toBe(second)
    })
  })

  test('while its holder sleeps: the files are still open there, so nobody else writes', async () => {
    const world = new FakeWorld(createRandom(1), quick)
    const first = await opened(world)
    await done(world, first.fs.write(shared, encoder.encode('before')))
    const second = await opened(world)
    first.freeze(60_000)
    world.steal()
    await expect(done(world, second.fs.write(shared, encoder.encode('two')))).rejects.toMatchObject({
      details: { reason: 'leader-unresponsive', fate: 'unknown' },
    })
    await expect(done(world, second.fs.write(shared, encoder.encode('two')))).rejects.toMatchObject({ code: 'EBUSY' })
    expect(world.owner).toBe(first)
    await world.run(() => false, 70_000)
    await expect(first.fs.write(shared, encoder.encode('never'))).rejects.toMatchObject({ code: 'EBUSY' })
    const third = await opened(world)
    expect(await textOf(world, third.fs)).toBe('before')
  })

  test('a tab that opens while the leader sleeps is told so', async () => {
    const world = new FakeWorld(createRandom(1), quick)
    const first = await opened(world)
    first.freeze(60_000)
    await expect(opened(world)).rejects.toMatchObject({ code: 'EBUSY', details: { reason: 'leader-unresponsive' } })
  })
})

describe('a tree that is too large for a tab that follows', () => {
  const path = (index: number) => parsePath(`/f${index}`)

  test('its contents are brought when they are read', async () => {
    const world = new FakeWorld(createRandom(1), quick)
    const first = await opened(world)
    for (let index = 0; index < 20; index++) await first.fs.write(path(index), new Uint8Array(1_000).fill(index))
    await first.fs.write(path(99), new Uint8Array(3_500_000).fill(99))
    const second = await opened(world, 10_000)
    const files = createVfs(second.fs)
    expect((await done(world, files.readFile('/f7')))[999]).toBe(7)
    expect((await done(world, files.readFile('/f99'))).every(byte => byte === 99)).toBe(true)
    // The work of a batch reads synchronously, and so does a copy.
    const sum = await done(
      world,
      files.batch(async draft => {
        const sizes = [(await draft.readFile('/f3')).length, (await draft.readFile('/f4')).length]
        await draft.writeFile('/f3', 'short')
        return sizes
      }),
    )
    expect(sum).toEqual([1_000, 1_000])
    // The first copy loads its code, which takes real time.
    await import('../../../vfs/derived/copy-tree.ts')
    await done(world, files.copy('/f5', '/copy'))
    expect((await done(world, first.fs.read(parsePath('/copy'))))[0]).toBe(5)
    await done(world, files.writeFile('/f6', 'more', { append: true }))
    expect(await done(world, first.fs.read(path(6)))).toHaveLength(1_004)
    // Renamed, so that it is not at the path that this tab knows.
    await done(world, first.fs.rename(path(8), parsePath('/moved')))
    await world.run(() => false, 1_000)
    expect((await done(world, files.readFile('/moved')))[0]).toBe(8)
    const snapshot = await files.snapshot()
    await done(world, first.fs.write(path(9), encoder.encode('replaced')))
    await world.run(() => false, 1_000)
    await expect(done(world, snapshot.readFile('/f9'))).rejects.toMatchObject({ code: 'ESTALE' })
    first.kill()
    await world.run(() => world.owner === second)
    expect((await done(world, files.readFile('/f10')))[0]).toBe(10)
  })
})

test('a change that needs many messages is whole, or not there', async () => {
  const world = new FakeWorld(createRandom(3), { delayMs: 5, duplicates: 0.2 })
  const first = await opened(world)
  const second = await opened(world)
  const third = await opened(world)
  const content = new Uint8Array(3_300_000).map((_, index) => index * 7)
  const written = second.fs.batch?.(transaction => {
    transaction.write(parsePath('/large'), content)
    transaction.write(parsePath('/small'), encoder.encode('x'))
  })
  await world.run(() => false, 3)
  first.kill()
  await done(world, written ?? Promise.resolve())
  await world.run(() => false, 1_000)
  for (const { fs } of [second, third]) {
    expect(Buffer.compare(await done(world, fs.read(parsePath('/large'))), content)).toBe(0)
    expect(await textOf(world, fs, parsePath('/small'))).toBe('x')
  }
})

test('names, links and modes come through as they are', async () => {
  const world = new FakeWorld(createRandom(1), quick)
  const first = await opened(world)
  const { fs } = first
  await fs.mkdir(parsePath('/empty'))
  await fs.write(parsePath('/d/é💾'), Uint8Array.of(0, 255, 13, 10), { parents: true, mode: 0o755 })
  await fs.write(parsePath('/none'), new Uint8Array())
  await fs.symlink('../d/é💾', parsePath('/empty/link'))
  await fs.link(parsePath('/d/é💾'), parsePath('/second-name'))
  await fs.link(parsePath('/empty/link'), parsePath('/d/link'))
  await fs.setattr(parsePath('/empty'), { uid: 5, atimeMs: 9 })
  await fs.setattr(parsePath('/d/link'), { gid: 5, atimeMs: 8, follow: false })
  const second = await opened(world)
  expect(await whole(world, second.fs)).toBe(await whole(world, fs))
  await done(world, second.fs.write(parsePath('/second-name'), encoder.encode('both')))
  await done(world, second.fs.setattr(parsePath('/d/é💾'), { mode: 0o600 }))
  await done(world, second.fs.link(parsePath('/none'), parsePath('/d/none')))
  await done(world, second.fs.link(parsePath('/d/link'), parsePath('/third-link')))
  await done(world, second.fs.rename(parsePath('/d'), parsePath('/e')))
  expect(await textOf(world, fs, parsePath('/e/é💾'))).toBe('both')
  expect(await whole(world, second.fs)).toBe(await whole(world, fs))
})

test("numbers that a tab was given are nobody else's, also after the leader died", async () => {
  const world = new FakeWorld(createRandom(1), quick)
  const first = await opened(world)
  const second = await opened(world)
  const third = await opened(world)
  const revs: number[] = []
  const inos: number[] = []
  const make = async (tab: FakeTab & { readonly fs: VfsBackend }, count: number): Promise<void> => {
    for (let index = 0; index < count; index++) {
      const { rev, ino } = await done(world, tab.fs.write(parsePath(`/${tab.id}-${revs.length}`), new Uint8Array()))
      revs.push(rev)
      inos.push(ino)
    }
  }
  for (const tab of [first, second, third, first]) await make(tab, 5)
  first.kill()
  for (const tab of [second, third]) await make(tab, 5)
  expect(new Set(revs).size).toBe(30)
  expect(new Set(inos).size).toBe(30)
})

test('closing leaves the files to the next tab; afterwards everything is refused', async () => {
  const world = new FakeWorld(createRandom(1), quick)
  const first = await opened(world)
  const second = await opened(world)
  await done(world, first.fs.write(shared, encoder.encode('kept')))
  await done(world, first.fs.close())
  await world.run(() => false, 1_000)
  expect(await textOf(world, second.fs)).toBe('kept')
  await done(world, second.fs.write(shared, encoder.encode('more')))
  const third = await opened(world)
  await done(world, third.fs.close())
  await expect(third.fs.read(shared)).rejects.toMatchObject({ code: 'EBADF' })
  await expect(third.fs.write(shared, new Uint8Array())).rejects.toMatchObject({ code: 'EBADF' })
  await done(world, second.fs.close())
  await done(world, second.fs.close())
  expect(await textOf(world, (await opened(world)).fs)).toBe('more')
})

test('what is being fetched or flushed when its tab takes over comes from the files themselves', async () => {
  const world = new FakeWorld(createRandom(1), quick)
  const first = await opened(world)
  const second = await opened(world)
  // Too large to be sent with the commit.
  const bytes = new Uint8Array(3 * 1024 * 1024).fill(7)
  await done(world, first.fs.write(shared, bytes))
  await world.run(() => false, 1_000)
  const asked = Promise.all([second.fs.read(shared), second.fs.flush()])
  first.kill()
  const [read] = await done(world, asked)
  expect(Buffer.compare(read, bytes)).toBe(0)
  expect(world.owner).toBe(second)
})

test('a lease that comes twice gives no number twice', () => {
  const stamps = leasedStamps(() => 1_000)
  stamps.grant({ rev: 100, ino: 10, count: 4 })
  const given = [stamps.nextRev(), stamps.nextRev()]
  stamps.grant({ rev: 100, ino: 10, count: 4 })
  given.push(stamps.nextRev())
  expect(stamps.isShort).toBe(true)
  stamps.grant({ rev: 200, ino: 20, count: 4 })
  given.push(stamps.nextRev())
  expect(given).toEqual([101, 102, 103, 201])
  for (let count = 0; count < 3; count++) stamps.nextRev()
  expect(() => stamps.nextRev()).toThrow('EAGAIN')
})
