// From one session of a workspace to the next: everything that is restored from the earlier session is true of the current files, whatever
// happened to the files or to the stored data.

import { describe, expect, test } from 'vitest'

import { memory } from '../backends/memory/index.ts'
import type { DerivedStorage } from '../core/derived-storage.ts'
import { defaultLimits } from '../core/limits.ts'
import { parsePath, type VfsPath } from '../core/path.ts'
import { seeds } from '../testing/depth.ts'
import { forSeeds, type Random } from '../testing/random.ts'
import { textOf } from '../testing/tool-session.ts'
import { createVfs } from '../vfs/create-vfs.ts'
import { VfsError } from '../vfs/error.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import { versionOf } from './file-version.ts'
import { SearchIndex, searchIndexOf } from './search-index.ts'
import { compiled } from '../testing/compiled.ts'

interface Shelf extends DerivedStorage {
  bytes: Uint8Array | undefined
  saves: number
}

function shelf(): Shelf {
  const kept: Shelf = {
    bytes: undefined,
    saves: 0,
    load: () => Promise.resolve(kept.bytes?.slice()),
    save(bytes) {
      kept.bytes = bytes.slice()
      kept.saves++
      return Promise.resolve(true)
    },
  }
  return kept
}

const open = (vfs: Vfs, derived: DerivedStorage): Promise<SearchIndex> =>
  SearchIndex.open(vfs, defaultLimits.searchMaxFileBytes, { derived })

const hay = 'hay '.repeat(300_000)
const path = (text: string): VfsPath => parsePath(text)

async function allFiles(vfs: Vfs): Promise<readonly VfsPath[]> {
  const paths: VfsPath[] = []
  for await (const entry of vfs.walk('/')) if (entry.kind === 'file') paths.push(path(entry.path))
  return paths
}

/** A session: everything is indexed, and stored when that is due. */
async function live(vfs: Vfs, derived: DerivedStorage): Promise<SearchIndex> {
  const index = await open(vfs, derived)
  index.offer(await allFiles(vfs))
  await index.settled()
  return index
}

const kindAt = (index: SearchIndex, file: string): string => index.blocks.query(compiled('needle')).candidate(file).kind

describe('what the next life knows at once, and what it reads again', () => {
  const rows: readonly (readonly [what: string, change: (vfs: Vfs) => Promise<unknown>, kind: string, readAgain: number])[] = [
    ['nothing happened', () => Promise.resolve(), 'none', 0],
    ['written', vfs => vfs.writeFile('/d/f', 'needle'), 'unknown', 1],
    ['the same size', vfs => vfs.writeFile('/d/f', 'hat'), 'unknown', 1],
    ['written with the same bytes', vfs => vfs.writeFile('/d/f', 'hay'), 'unknown', 1],
    ['removed', vfs => vfs.rm('/d/f'), 'unknown', 0],
    ['moved away', vfs => vfs.rename('/d/f', '/g'), 'unknown', 1],
    ['moved away with its directory', vfs => vfs.rename('/d', '/e'), 'unknown', 1],
    ['replaced by another', vfs => vfs.rename('/other', '/d/f'), 'unknown', 1],
    ['another is new', vfs => vfs.writeFile('/new', 'needle'), 'none', 1],
    [
      'its directory moved away, and a link to it in its place',
      async vfs => {
        await vfs.rename('/d', '/e')
        await vfs.symlink('/e', '/d')
      },
      'unknown',
      1,
    ],
    ['a link in its place', vfs => vfs.rm('/d/f').then(() => vfs.symlink('/other', '/d/f')), 'unknown', 0],
    ['a directory in its place', vfs => vfs.rm('/d/f').then(() => vfs.mkdir('/d/f')), 'unknown', 0],
  ]
  test.each(rows)('%s', async (_what, change, kind, readAgain) => {
    const vfs = createVfs(memory({ '/d/f': 'hay', '/other': 'needle', '/large': hay }))
    const kept = shelf()
    expect([(await live(vfs, kept)).readFiles(), kept.saves]).toEqual([3, 1])
    await change(vfs)
    const index = await open(vfs, kept)
    expect(kindAt(index, '/d/f')).toBe(kind)
    expect(kindAt(index, '/large')).toBe('none')
    index.offer(await allFiles(vfs))
    await index.settled()
    expect(index.readFiles()).toBe(readAgain)
  })
})

describe('nothing is taken', () => {
  const rows: readonly (readonly [what: string, spoil: (kept: Shelf) => void])[] = [
    ['when nothing was kept', kept => (kept.bytes = undefined)],
    ['from half of a pack', kept => (kept.bytes = kept.bytes?.slice(0, kept.bytes.length >> 1))],
    ['from a damaged one', kept => kept.bytes?.fill(7, 100, 108)],
    ['from another kind of thing', kept => (kept.bytes = new TextEncoder().encode('not a pack'))],
    ['from a place that does not answer', kept => (kept.load = () => new Promise(() => {}))],
  ]
  test.each(rows)('%s', async (_what, spoil) => {
    const vfs = createVfs(memory({ '/d/f': 'hay', '/large': hay }))
    const kept = shelf()
    await live(vfs, kept)
    spoil(kept)
    const index = await open(vfs, kept)
    expect([index.blocks.fileCount, kindAt(index, '/large')]).toEqual([0, 'unknown'])
    index.offer(await allFiles(vfs))
    await index.settled()
    expect([index.readFiles(), kindAt(index, '/large')]).toEqual([2, 'none'])
  })

  test('of files that are too large for this life', async () => {
    const vfs = createVfs(memory({ '/d/f': 'hay', '/large': hay }))
    const kept = shelf()
    await live(vfs, kept)
    const index = await SearchIndex.open(vfs, 1000, { derived: kept })
    expect([kindAt(index, '/d/f'), kindAt(index, '/large')]).toEqual(['none', 'unknown'])
  })

  test('of another filesystem with the same paths, sizes and numbers', async () => {
    const make = (): Vfs => createVfs(memory({ '/d/f': 'hay', '/large': hay }))
    const kept = shelf()
    const first = make()
    await live(first, kept)
    const { ctimeMs, ...numbers } = await first.lstat('/d/f')
    // Only the time distinguishes the two.
    while (Date.now() <= ctimeMs) await new Promise(resolve => setTimeout(resolve, 1))
    const second = make()
    const { ino, rev, sizeBytes } = await second.lstat('/d/f')
    expect(numbers).toMatchObject({ ino, rev, sizeBytes })
    expect((await open(second, kept)).blocks.fileCount).toBe(0)
  })
})

describe('what is worth keeping', () => {
  test('not a few small files', async () => {
    const kept = shelf()
    await live(createVfs(memory({ '/a': 'hay' })), kept)
    expect(kept.saves).toBe(0)
  })

  test('not the whole again for each edit, but when many were made', async () => {
    const vfs = createVfs(memory({ '/a': hay, '/b': hay, '/c': 'hay' }))
    const kept = shelf()
    const index = await live(vfs, kept)
    for (let edit = 0; edit < 5; edit++) {
      await vfs.writeFile('/c', `needle ${edit}`)
      await index.settled()
    }
    expect(kept.saves).toBe(1)
    await vfs.writeFile('/a', `${hay}needle`)
    await index.settled()
    expect(kept.saves).toBe(2)
    const next = await live(vfs, kept)
    expect([next.readFiles(), kindAt(next, '/a'), kindAt(next, '/c')]).toEqual([0, 'regions', 'regions'])
  })

  test('nothing that may not be durable', async () => {
    const backend = memory({ '/a': hay })
    const vfs = createVfs({ ...backend, flush: () => Promise.reject(new VfsError('ENOSPC', 'flush')) })
    const kept = shelf()
    await live(vfs, kept)
    expect(kept.saves).toBe(0)
  })

  test('nothing from before the count of changes was lost', async () => {
    const backend = memory({ '/a': hay })
    let tell: (() => void) | undefined
    const vfs = createVfs({
      ...backend,
      watch(at, listener, options) {
        tell = () => listener({ changes: [], overflow: true })
        return backend.watch?.(at, listener, options) ?? (() => {})
      },
      flush: () => Promise.resolve(tell?.()),
    })
    const kept = shelf()
    await live(vfs, kept)
    expect(kept.saves).toBe(0)
  })
})

test('a workspace has it done, for the search tool and for rg', async () => {
  const kept = shelf()
  let loads = 0
  const load = (): Promise<Uint8Array | undefined> => {
    loads++
    return kept.load()
  }
  const files = { '/workspace/a.txt': `${hay}\nneedle here\n`, '/workspace/b.txt': `${hay}\nstraw\n` }
  const backend = { ...memory(files), derived: { ...kept, load } }
  const searchIn = async (): Promise<string> => {
    const workspace = await createWorkspace({ fs: backend })
    const tools = await workspace.toolset('atomic')
    return textOf(await tools.call('search', { pattern: 'needle', paths: '.' }))
  }
  const first = await searchIn()
  expect(first).toContain('needle here')
  await expect.poll(() => kept.saves).toBe(1)
  expect([await searchIn(), loads, kept.saves]).toEqual([first, 2, 1])
  const workspace = await createWorkspace({ fs: backend })
  const tools = await workspace.toolset('atomic')
  expect(textOf(await tools.call('bash', { command: 'rg --no-line-number needle' }))).toContain('a.txt:needle here')
  expect(loads).toBe(3)
})

test('an aborted search does not wait for what was kept', async () => {
  const derived = { load: () => new Promise<undefined>(() => {}), save: () => Promise.resolve(true) }
  const index = open(createVfs(memory({ '/a': 'hay' })), derived)
  const controller = new AbortController()
  const opening = searchIndexOf({ index: () => index }, controller.signal)
  controller.abort(new Error('no more'))
  await expect(opening).rejects.toThrow('no more')
})

test('random edits between lives never leave a wrong answer', async () => {
  let [asked, taken, read] = [0, 0, 0]
  await forSeeds(seeds({ quick: 3, deep: 40 }), async random => {
    const vfs = createVfs(memory({ '/large': hay }))
    const kept = shelf()
    for (let number = 0; number < 30; number++) await vfs.writeFile(`/d${number % 5}/f${number}`, text(random), { parents: true })
    const pattern = compiled('needle')
    for (let life = 0; life < 6; life++) {
      const index = await open(vfs, kept)
      const files = await allFiles(vfs)
      const known = index.blocks.fileCount
      taken += known
      if (life > 0 && kept.bytes === undefined) throw new Error('nothing was kept')
      for (const file of files) {
        const holds = (await vfs.readText(file)).includes('needle')
        const version = versionOf(await vfs.lstat(file))
        for (const { kind } of [
          index.blocks.query(pattern).candidate(file),
          index.blocks.query(pattern).candidate(file, version),
        ]) {
          asked++
          expect(holds && kind === 'none', `life ${life}: ${file} holds it, and the index says it does not`).toBe(false)
        }
      }
      index.offer(files)
      // Enough new text that this session stores its index.
      if (random.chance(0.7)) await vfs.writeFile('/large', `${hay}${random.below(9)}`)
      await index.settled()
      read += index.readFiles()
      for (let edits = random.below(12); edits > 0; edits--) await randomChange(random, vfs, files)
      if (random.chance(0.3)) await index.settled()
    }
  })
  expect([asked > 500, taken > 150, read > 150]).toEqual([true, true, true])
})

function text(random: Random): string {
  return Array.from({ length: random.below(30) }, () => random.pick(['hay', 'straw', 'grass', 'needle', '\n'])).join(' ')
}

async function randomChange(random: Random, vfs: Vfs, files: readonly VfsPath[]): Promise<void> {
  const file = (): string => random.pick(files)
  const directory = (): string => `/d${random.below(6)}`
  const change = random.pick<() => Promise<unknown>>([
    () => vfs.writeFile(file(), text(random)),
    () => vfs.writeFile(file(), text(random)),
    () => vfs.rename(file(), file()),
    () => vfs.rename(directory(), directory()),
    () => vfs.rm(file()),
    () => vfs.symlink(directory(), directory()),
    () => vfs.link(file(), `/d${random.below(5)}/link${random.below(99)}`),
    () => vfs.utimes(file(), random.below(1e9)),
    async () => {
      const [from, to] = [directory(), directory()]
      await vfs.rename(from, `${to}moved`)
      await vfs.symlink(`${to}moved`, from)
    },
  ])
  // A refused change is not a change.
  await change().catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'VfsError') throw error
  })
}
