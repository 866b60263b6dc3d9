// Many tabs on one store, in a world that is driven by seeds: what was acknowledged is there once, what was refused is not there, and
// everybody sees the same tree, whoever dies, sleeps or says things twice.

import { describe, expect, test } from 'vitest'
import { parsePath } from '../../../core/path.ts'
import type { Change, VfsBackend } from '../../../vfs/backend.ts'
import { isVfsError, VfsError } from '../../../vfs/error.ts'
import { FakeWorld, type FakeTab } from '../../../testing/opfs/fake-tabs.ts'
import { createRandom, forSeeds, type Random } from '../../../testing/random.ts'

const decoder = new TextDecoder()
const encoder = new TextEncoder()
const shared = parsePath('/shared')

const quick = { delayMs: 2, duplicates: 0 }

async function opened(world: FakeWorld, answerTimeoutMs?: number): Promise<FakeTab & { readonly fs: VfsBackend }> {
  const tab = world.open(answerTimeoutMs)
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
      const { mode, ino, rev, nlink, mtimeMs } = await done(world, fs.lookup(path, { follow: false }))
      const content = kind === 'file' ? decoder.decode(await done(world, fs.read(path))) : ''
      lines.push([path, kind, mode, ino, rev, nlink, mtimeMs, content].join(' '))
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

/** Appends what only it writes, again and again, and keeps what it was told. */
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
      // Nobody hears what a dead tab is told.
      if (!tab.isDead) told.set(token, fateOf(error))
    }
  }
}

/** Reads, and commits on what was read, until nobody was faster. */
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

/** Every change once and in order, for whoever was not told that it missed some. */
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
  /** Kills the leader after exactly so many events, instead. */
  readonly killAt?: number
}

/** How often each thing was told, over all sessions of a test: a test in which nothing happens proves nothing. */
type Tally = Record<Told | 'takeovers' | 'commits', number>

const emptyTally = (): Tally => ({ done: 0, 'not-done': 0, unknown: 0, takeovers: 0, commits: 0 })

async function session(random: Random, trouble: Trouble, tally: Tally): Promise<number> {
  const world = new FakeWorld(random, { delayMs: 1 + random.below(30), duplicates: random.pick([0, 0.1]) })
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
  ])
  for (const what of plan) {
    await until(world.eventCount + 1 + random.below(60))
    if (random.chance(0.3)) world.owner?.opened?.log.checkpoint(world.owner.opened.state())
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
  // Everything that is still on its way arrives, and who slept has caught up.
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

/** More with SEEDS=1000; in every run of the tests a part of them. */
const seedCount = Number(process.env['SEEDS'] ?? 250)

async function sessions(trouble: Trouble): Promise<Tally> {
  const tally = emptyTally()
  await forSeeds(seedCount, random => session(random, trouble, tally).then(() => {}))
  return tally
}

describe('sessions of three tabs', { timeout: 120_000 }, () => {
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
