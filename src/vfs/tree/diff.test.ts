// A difference is right if it turns the earlier tree into the later one: rows for what it should report, and random histories in which
// every path of both trees must be accounted for.
import { describe, expect, test, vi } from 'vitest'
import { parsePath, rootPath } from '../../core/path.ts'
import { checkExplains, contentOf, randomStep, removeAll } from '../../testing/differences.ts'
import { seeds } from '../../testing/depth.ts'
import { forSeeds } from '../../testing/random.ts'
import { bytes, path, plant, show, text } from '../../testing/vfs-contract/context.ts'
import type { Difference, Snapshot, VfsBackend, VfsSync } from '../backend.ts'
import { Slot } from './entries.ts'
import { createTreeStore } from './store.ts'
import { treeBackend } from './tree-backend.ts'

interface Tracked extends VfsBackend {
  readonly sync: VfsSync
  readonly snapshot: () => Snapshot
  readonly fork: NonNullable<VfsBackend['fork']>
  readonly diff: NonNullable<VfsBackend['diff']>
}

function tracked(backend: VfsBackend): Tracked {
  const { sync, snapshot, fork, diff } = backend
  if (sync === undefined || snapshot === undefined || fork === undefined || diff === undefined) throw new Error('a tree has them')
  return { ...backend, sync, snapshot, fork, diff }
}

function tree(): Tracked {
  const store = createTreeStore(() => 0)
  return tracked(treeBackend(() => store))
}

const describeAll = (all: readonly Difference[]): string =>
  all.map(({ type, path: at, oldPath }) => `${type} ${oldPath === undefined ? '' : `${oldPath}>`}${at}`).join(', ')

type Row = readonly [rule: string, before: string, act: (fs: VfsSync) => void, told: string]

const rows: readonly Row[] = [
  ['nothing', 'd/f=1', () => {}, ''],
  ['a new file', 'd/f=1', fs => fs.write(path('/d/g'), bytes('2')), 'create /d/g'],
  [
    'a new directory and what is in it',
    '',
    fs => fs.write(path('/d/e/f'), bytes('1'), { parents: true }),
    'create /d, create /d/e, create /d/e/f',
  ],
  ['new content', 'd/e/f=1', fs => fs.write(path('/d/e/f'), bytes('2')), 'modify /d/e/f'],
  ['a removed file', 'd/f=1', fs => fs.remove(path('/d/f'), 'file'), 'delete /d/f'],
  ['a removed directory is one', 'd/e/f=1 d/g=1', fs => removeAll(fs, path('/d')), 'delete /d'],
  ['a mode', 'd/f=1', fs => fs.setattr(path('/d/f'), { mode: 0o755 }), 'attributes /d/f'],
  ['the mode of a directory', 'd/f=1', fs => fs.setattr(path('/d'), { mode: 0o700 }), 'attributes /d'],
  ['the mode of the root', '', fs => fs.setattr(path('/'), { mode: 0o700 }), 'attributes /'],
  ['a renamed file', 'd/f=1', fs => fs.rename(path('/d/f'), path('/g')), 'move /d/f>/g'],
  ['a renamed directory', 'd/e/f=1', fs => fs.rename(path('/d'), path('/x')), 'move /d>/x'],
  ['there and back', 'd/f=1', fs => (fs.rename(path('/d'), path('/x')), fs.rename(path('/x'), path('/d'))), ''],
  [
    'moved, and something in it written',
    'd/e/f=1 d/g=1',
    fs => (fs.rename(path('/d'), path('/x')), fs.write(path('/x/e/f'), bytes('2'))),
    'move /d>/x, modify /x/e/f',
  ],
  [
    'moved, and something in it removed, by its old name',
    'd/f=1',
    fs => (fs.rename(path('/d'), path('/x')), fs.remove(path('/x/f'), 'file')),
    'delete /d/f, move /d>/x',
  ],
  [
    'moved into a new directory',
    'd/f=1',
    fs => (fs.mkdir(path('/new')), fs.rename(path('/d'), path('/new/d'))),
    'create /new, move /d>/new/d',
  ],
  [
    'moved out of a removed directory',
    'd/e/f=1 d/g=1',
    fs => (fs.rename(path('/d/e'), path('/e')), removeAll(fs, path('/d'))),
    'delete /d, move /d/e>/e',
  ],
  ['two that changed places', 'a=1 b=2', fs => swap(fs, '/a', '/b'), 'move /b>/a, move /a>/b'],
  [
    'a parent into its own child is too tangled to be a move',
    'd/e/f=1',
    fs => (fs.rename(path('/d/e'), path('/e')), fs.rename(path('/d'), path('/e/d'))),
    'move /d/e>/e, delete /d, create /e/d',
  ],
  ['replaced by a rename', 'f=1', fs => (fs.write(path('/tmp'), bytes('2')), fs.rename(path('/tmp'), path('/f'))), 'modify /f'],
  ['replaced by one that was there', 'a=1 b=2', fs => fs.rename(path('/b'), path('/a')), 'move /b>/a, delete /a'],
  [
    'a file where a directory was',
    'd/f=1',
    fs => (removeAll(fs, path('/d')), fs.write(path('/d'), bytes('1'))),
    'delete /d, create /d',
  ],
  ['a directory made anew', 'd/f=1', fs => (removeAll(fs, path('/d')), fs.mkdir(path('/d'))), 'delete /d, create /d'],
  ['a second name', 'f=1', fs => fs.link(path('/f'), path('/g')), 'create /g'],
  [
    'all names of a file that was written',
    'd/f=1 e/',
    fs => (fs.link(path('/d/f'), path('/e/g')), fs.write(path('/d/f'), bytes('2'))),
    'modify /d/f, create /e/g',
  ],
  ['a symlink to somewhere else', 'l->a', fs => (fs.remove(path('/l'), 'file'), fs.symlink('b', path('/l'))), 'modify /l'],
  [
    'names like __proto__',
    '__proto__/f=1',
    fs => fs.write(path('/__proto__/constructor'), bytes('1')),
    'create /__proto__/constructor',
  ],
]

function swap(fs: VfsSync, a: string, b: string): void {
  fs.rename(path(a), path('/swap'))
  fs.rename(path(b), path(a))
  fs.rename(path('/swap'), path(b))
}

describe('what a difference tells', () => {
  test.each(rows)('%s', async (_rule, before, act, told) => {
    const fs = tree()
    await plant(fs, before)
    const snapshot = fs.snapshot()
    act(fs.sync)
    const sortedByPath = (all: string): string[] => all.split(', ').toSorted()
    expect(sortedByPath(describeAll(await fs.diff(snapshot, 'now')))).toEqual(sortedByPath(told))
    expect(await fs.diff(snapshot, fs.snapshot())).toEqual(await fs.diff(snapshot, 'now'))
  })

  test('every name of a written file that had them before', async () => {
    const fs = tree()
    await plant(fs, 'd/f=1 e/')
    fs.sync.link(path('/d/f'), path('/e/g'))
    const snapshot = fs.snapshot()
    fs.sync.write(path('/e/g'), bytes('2'))
    expect(describeAll(await fs.diff(snapshot, 'now'))).toBe('modify /d/f, modify /e/g')
  })

  test('a foreign snapshot is refused', async () => {
    const foreign: Snapshot = { seq: 0, fs: tree().sync }
    await expect(tree().diff(foreign, 'now')).rejects.toThrow('EINVAL')
    expect(() => tree().fork(foreign)).toThrow('EINVAL')
  })
})

describe('a fork', () => {
  test('goes its own way, and so does what it was forked from', async () => {
    const fs = tree()
    await plant(fs, 'd/f=1 g=1')
    const snapshot = fs.snapshot()
    const fork = tracked(fs.fork(snapshot))
    fs.sync.write(path('/d/f'), bytes('2'))
    fork.sync.write(path('/d/f'), bytes('3'))
    fork.sync.rename(path('/g'), path('/h'))
    expect([await show(fs), await show(fork), text(snapshot.fs.read(path('/d/f')))]).toEqual(['d/f=2 g=1', 'd/f=3 h=1', '1'])
    expect(describeAll(await fs.diff(snapshot, fork.snapshot()))).toBe('modify /d/f, move /g>/h')
  })

  test('hands out no number that its origin hands out too', () => {
    const fs = tree()
    const fork = tracked(fs.fork(fs.snapshot()))
    const [a, b] = [fs.sync.write(path('/f'), bytes('1')), fork.sync.write(path('/f'), bytes('1'))]
    expect(a.ino).not.toBe(b.ino)
    expect(a.rev).not.toBe(b.rev)
  })

  test('tells of what happens in it, counted on from the snapshot', async () => {
    const fs = tree()
    await plant(fs, 'a=1 b=1')
    const fork = tracked(fs.fork(fs.snapshot()))
    const heard: string[] = []
    fork.watch?.(rootPath, ({ changes }) => heard.push(...changes.map(change => `${change.seq} ${change.path}`)))
    fork.sync.write(path('/c'), bytes('1'))
    fs.sync.write(path('/d'), bytes('1'))
    await Promise.resolve()
    expect(heard).toEqual(['3 /c'])
  })
})

const seedCount = seeds({ quick: 80, deep: 2000 })
test('every path of both trees is accounted for', { timeout: 600_000 }, async () => {
  let told = 0
  await forSeeds(seedCount, async random => {
    const fs = tree()
    for (let count = 30; count > 0; count--) randomStep(random, fs.sync)
    const from = fs.snapshot()
    const fork = tracked(fs.fork(from))
    for (let count = 1 + random.below(20); count > 0; count--) randomStep(random, random.chance(0.2) ? fork.sync : fs.sync)
    const moments = [from, fs.snapshot(), fork.snapshot()]
    for (const a of moments) {
      for (const b of moments) {
        const all = await fs.diff(a, b)
        told += all.length
        checkExplains(contentOf(a.fs), contentOf(b.fs), all)
      }
    }
  })
  expect(told).toBeGreaterThan(3 * seedCount)
})

test('the time goes with what changed, not with the size of the tree', async () => {
  const fs = tree()
  for (let d = 0; d < 200; d++)
    for (let f = 0; f < 50; f++) fs.sync.write(parsePath(`/d${d}/f${f}`), bytes('1'), { parents: true })
  const snapshot = fs.snapshot()
  fs.sync.write(path('/d7/f7'), bytes('2'))
  fs.sync.rename(path('/d8'), path('/e8'))
  // Counts instead of timing: reading the entries of directories takes most of the time of a comparison.
  let opened = 0
  const entryOf = Slot.entryOf
  vi.spyOn(Slot, 'entryOf').mockImplementation(slot => {
    opened++
    return entryOf(slot)
  })
  try {
    expect(describeAll(await fs.diff(snapshot, 'now'))).toBe('modify /d7/f7, move /d8>/e8')
  } finally {
    vi.restoreAllMocks()
  }
  expect(opened).toBeGreaterThan(0)
  expect(opened).toBeLessThan(500)
})
