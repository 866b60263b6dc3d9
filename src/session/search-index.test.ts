// The index forgets what changes: after any change to a tree, everything that it claims about a file is true.

import { afterEach, describe, expect, test } from 'vitest'

import { memory } from '../backends/memory/index.ts'
import { defaultLimits } from '../core/limits.ts'
import { parsePath, type VfsPath } from '../core/path.ts'
import { seeds } from '../testing/depth.ts'
import { forSeeds, type Random } from '../testing/random.ts'
import type { VfsSync } from '../vfs/backend.ts'
import { createVfs } from '../vfs/create-vfs.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { versionOf } from './file-version.ts'
import { SearchIndex } from './search-index.ts'
import { compiled } from '../testing/compiled.ts'

const opened: Vfs[] = []
afterEach(async () => {
  for (const vfs of opened.splice(0)) await vfs.flush()
})

async function open(files: Readonly<Record<string, string>>): Promise<{ vfs: Vfs; index: SearchIndex }> {
  const vfs = createVfs(memory(files))
  opened.push(vfs)
  return { vfs, index: await SearchIndex.open(vfs, defaultLimits.searchMaxFileBytes) }
}

const path = (text: string): VfsPath => parsePath(text)

async function seqOf(vfs: Vfs): Promise<number> {
  const snapshot = await vfs.snapshot()
  await snapshot.dispose()
  return snapshot.seq
}

const kindAt = (index: SearchIndex, file: string, source: string): string =>
  index.blocks.query(compiled(source)).candidate(file).kind

describe('what becomes of a file that is known', () => {
  const rows: readonly (readonly [what: string, change: (vfs: Vfs) => Promise<unknown>, kind: string, afterIdle: string])[] = [
    ['nothing', () => Promise.resolve(), 'none', 'none'],
    ['written: forgotten, and known again when idle', vfs => vfs.writeFile('/d/f', 'needle'), 'unknown', 'regions'],
    ['removed', vfs => vfs.rm('/d/f'), 'unknown', 'unknown'],
    ['removed with its directory', vfs => vfs.rm('/d', { recursive: true }), 'unknown', 'unknown'],
    ['moved away', vfs => vfs.rename('/d/f', '/g'), 'unknown', 'unknown'],
    ['moved away with its directory', vfs => vfs.rename('/d', '/e'), 'unknown', 'unknown'],
    ['replaced by another', vfs => vfs.rename('/other', '/d/f'), 'unknown', 'unknown'],
    ['touched', vfs => vfs.utimes('/d/f', 1e12), 'none', 'none'],
  ]
  test.each(rows)('%s', async (_what, change, kind, afterIdle) => {
    const { vfs, index } = await open({ '/d/f': 'hay', '/other': 'needle' })
    index.offer([path('/d/f')])
    await index.settled()
    expect([index.isCurrentAt(await seqOf(vfs)), kindAt(index, '/d/f', 'needle')]).toEqual([true, 'none'])
    await change(vfs)
    expect([index.isCurrentAt(await seqOf(vfs)), kindAt(index, '/d/f', 'needle')]).toEqual([true, kind])
    await index.settled()
    expect(kindAt(index, '/d/f', 'needle')).toBe(afterIdle)
  })
})

test('random changes never leave a wrong answer', async () => {
  let asked = 0
  let known = 0
  await forSeeds(seeds({ quick: 4, deep: 60 }), async random => {
    const { vfs, index } = await open(
      Object.fromEntries(Array.from({ length: 8 }, (_, number) => [`/d${number % 3}/f${number}`, text(random)])),
    )
    const pattern = compiled('needle')
    for (let round = 0; round < 25; round++) {
      const paths: VfsPath[] = []
      for await (const entry of vfs.walk('/')) if (entry.kind === 'file') paths.push(path(entry.path))
      if (random.chance(0.4)) index.offer(paths)
      if (random.chance(0.4)) await index.settled()
      await randomChange(random, vfs, paths)
      const snapshot = await vfs.snapshot()
      for (const file of paths) {
        if (!(await snapshot.exists(file))) continue
        const holds = (await snapshot.readText(file)).includes('needle')
        const answers: string[] = [index.blocks.query(pattern).candidate(file, versionOf(await snapshot.lstat(file))).kind]
        if (index.isCurrentAt(snapshot.seq)) answers.push(kindAt(index, file, 'needle'))
        for (const answer of answers) {
          asked++
          if (answer !== 'unknown') known++
          expect(holds && answer === 'none', `${file} holds it, and the index says it does not`).toBe(false)
        }
      }
      await snapshot.dispose()
    }
  })
  expect(known / asked).toBeGreaterThan(0.3)
})

function text(random: Random): string {
  return Array.from({ length: random.below(30) }, () => random.pick(['hay', 'straw', 'grass', 'needle', '\n'])).join(' ')
}

async function randomChange(random: Random, vfs: Vfs, paths: readonly VfsPath[]): Promise<void> {
  const file = (): string =>
    paths.length > 0 && random.chance(0.8) ? random.pick(paths) : `/d${random.below(3)}/n${random.below(9)}`
  const directory = (): string => `/d${random.below(4)}`
  const change = random.pick<() => Promise<unknown>>([
    () => vfs.writeFile(file(), text(random), { parents: true }),
    () => vfs.writeFile(file(), text(random), { parents: true }),
    () => vfs.rename(file(), file()),
    () => vfs.rename(directory(), directory()),
    () => vfs.rm(file()),
    () => vfs.rm(directory(), { recursive: true }),
    () =>
      vfs.batch(async fs => {
        await fs.writeFile(file(), text(random), { parents: true })
        await fs.writeFile(file(), text(random), { parents: true })
      }),
  ])
  // A refused change is not a change.
  await change().catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'VfsError') throw error
  })
}

describe('a listing is used again only while it is true', () => {
  const rows: readonly (readonly [what: string, change: (vfs: Vfs) => Promise<unknown>, isKept: boolean])[] = [
    ['nothing changed', () => Promise.resolve(), true],
    ['the content of a file', vfs => vfs.writeFile('/a', 'other'), true],
    ['a new file', vfs => vfs.writeFile('/b', ''), false],
    ['a file less', vfs => vfs.rm('/a'), false],
    ['another name', vfs => vfs.rename('/a', '/b'), false],
    ['an ignore file', vfs => vfs.writeFile('/.gitignore', 'a'), false],
  ]
  test.each(rows)('%s', async (_what, change, isKept) => {
    const { vfs, index } = await open({ '/a': '', '/.gitignore': '' })
    const listing = { entries: [] }
    index.keepListing('key', await seqOf(vfs), listing)
    await change(vfs)
    expect(index.listing('key', await seqOf(vfs)) === listing).toBe(isKept)
  })
})

test('the entries of a listing lead to contents only until a file changes', async () => {
  const { vfs, index } = await open({ '/a': 'hay' })
  const dirents = await vfs.readdir('/')
  index.keepListing('key', await seqOf(vfs), { entries: [], dirents })
  expect(index.listing('key', await seqOf(vfs))?.dirents).toBe(dirents)
  await vfs.writeFile('/a', 'needle')
  expect(index.listing('key', await seqOf(vfs))).toEqual({ entries: [] })
})

test('without snapshots and exact events, nothing is taken for current', async () => {
  const { watch: _watch, snapshot: _snapshot, ...rest } = memory({ '/a': 'hay' })
  const vfs = createVfs({ ...rest, caps: { ...rest.caps, watch: 'none', snapshots: false } })
  const index = await SearchIndex.open(vfs, 100)
  index.offer([path('/a')])
  await index.settled()
  expect([index.isCurrentAt(undefined), index.isCurrentAt(0), index.blocks.fileCount]).toEqual([false, false, 1])
  index.keepListing('key', undefined, { entries: [] })
  expect(index.listing('key', undefined)).toBeUndefined()
})

describe('an index that is ended', () => {
  test('reads nothing more, and resolves who waits for it', async () => {
    const names = Array.from({ length: 2000 }, (_, index) => `/f${index}`)
    const { sync, ...backend } = memory(Object.fromEntries(names.map(name => [name, 'hay'])))
    if (sync === undefined) throw new Error('memory has it')
    const lifetime = new AbortController()
    let reads = 0
    // Ended from inside, because a fast machine reads them all before a timer comes.
    const read = (...args: Parameters<VfsSync['read']>): Uint8Array => {
      if (++reads === 10) lifetime.abort()
      return sync.read(...args)
    }
    const index = await SearchIndex.open(createVfs({ ...backend, sync: { ...sync, read } }), 100_000, { signal: lifetime.signal })
    index.offer(names.map(path))
    await index.settled()
    expect(reads).toBe(10)
    index.offer(names.map(path))
    await index.settled()
    expect([reads, index.readFiles()]).toEqual([10, 10])
  })

  test('hears of no change any more', async () => {
    const vfs = createVfs(memory({ '/f': 'hay' }))
    const lifetime = new AbortController()
    const index = await SearchIndex.open(vfs, 100_000, { signal: lifetime.signal })
    lifetime.abort()
    await vfs.writeFile('/f', 'needle')
    expect(index.isCurrentAt(await seqOf(vfs))).toBe(false)
  })
})
