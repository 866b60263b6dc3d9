// The changes that an overlay reports, its state after drop, and the lower layer after apply: rows, and random histories compared with a
// plain tree with the same changes.

import { describe, expect, test } from 'vitest'
import { parsePath, rootPath } from '../../core/path.ts'
import { checkExplains, contentOf, randomStep, removeAll } from '../../testing/differences.ts'
import { seeds } from '../../testing/depth.ts'
import { createRandom, forSeeds } from '../../testing/random.ts'
import { bytes, path, plant, settle, show, text } from '../../testing/vfs-contract/context.ts'
import type { VfsBackend, VfsSync } from '../backend.ts'
import { createVfs } from '../create-vfs.ts'
import { overlay } from '../overlay.ts'
import { describeAll, syncOf, tree } from '../../testing/overlay-changes.ts'

/** A backend without a synchronous side. */
function waiting(backend: VfsBackend): VfsBackend {
  const { sync: _sync, batch: _batch, snapshot: _snapshot, watch: _watch, fork: _fork, diff: _diff, ...rest } = backend
  return { ...rest, caps: { ...rest.caps, sync: false, transactions: false, snapshots: false, watch: 'none' } }
}

type Row = readonly [rule: string, lower: string, act: (fs: VfsSync) => void, told: string, after: string]

const rows: readonly Row[] = [
  ['nothing', 'd/f=1', () => {}, '', 'd/f=1'],
  ['reading is nothing', 'd/f=1', fs => fs.read(path('/d/f')), '', 'd/f=1'],
  ['a new file', 'd/f=1', fs => fs.write(path('/d/g'), bytes('2')), 'create /d/g', 'd/f=1 d/g=2'],
  ['a new file beside the top', '', fs => fs.write(path('/g'), bytes('2')), 'create /g', 'g=2'],
  ['new content', 'd/f=1 d/g=1', fs => fs.write(path('/d/f'), bytes('2')), 'modify /d/f', 'd/f=2 d/g=1'],
  ['more content', 'd/f=1', fs => fs.write(path('/d/f'), bytes('2'), { append: true }), 'modify /d/f', 'd/f=12'],
  ['a removed file', 'd/f=1 d/g=1', fs => fs.remove(path('/d/f'), 'file'), 'delete /d/f', 'd/g=1'],
  ['a removed directory is one', 'd/e/f=1 d/g=1 h=1', fs => removeAll(fs, path('/d')), 'delete /d', 'h=1'],
  ['an empty one', 'd/', fs => fs.remove(path('/d'), 'directory'), 'delete /d', ''],
  ['a removed symlink', 'l->x', fs => fs.remove(path('/l'), 'file'), 'delete /l', ''],
  ['made and removed', 'd/f=1', fs => (fs.write(path('/d/g'), bytes('2')), fs.remove(path('/d/g'), 'file')), '', 'd/f=1'],
  [
    'removed and made again',
    'd/f=1',
    fs => (fs.remove(path('/d/f'), 'file'), fs.write(path('/d/f'), bytes('2'))),
    'modify /d/f',
    'd/f=2',
  ],
  ['a mode', 'd/f=1', fs => fs.setattr(path('/d/f'), { mode: 0o755 }), 'attributes /d/f', 'd/f=1'],
  ['a mode and back', 'f=1', fs => (fs.setattr(path('/f'), { mode: 0o755 }), fs.setattr(path('/f'), { mode: 0o644 })), '', 'f=1'],
  ['the mode of a directory', 'd/f=1', fs => fs.setattr(path('/d'), { mode: 0o700 }), 'attributes /d', 'd/f=1'],
  ['the mode of the root', 'f=1', fs => fs.setattr(path('/'), { mode: 0o700 }), 'attributes /', 'f=1'],
  ['a renamed file', 'd/f=1', fs => fs.rename(path('/d/f'), path('/g')), 'move /d/f>/g', 'd/ g=1'],
  [
    'renamed and written',
    'f=1',
    fs => (fs.rename(path('/f'), path('/g')), fs.write(path('/g'), bytes('2'))),
    'delete /f, create /g',
    'g=2',
  ],
  ['a renamed directory', 'd/e/f=1', fs => fs.rename(path('/d'), path('/x')), 'move /d>/x', 'x/e/f=1'],
  ['there and back', 'd/f=1', fs => (fs.rename(path('/d'), path('/x')), fs.rename(path('/x'), path('/d'))), '', 'd/f=1'],
  [
    'moved, and something in it written',
    'd/e/f=1',
    fs => (fs.rename(path('/d'), path('/x')), fs.write(path('/x/e/f'), bytes('2'))),
    'move /d>/x, modify /x/e/f',
    'x/e/f=2',
  ],
  [
    'moved, and something in it removed',
    'd/f=1 d/g=1',
    fs => (fs.rename(path('/d'), path('/x')), fs.remove(path('/x/f'), 'file')),
    'delete /d/f, move /d>/x',
    'x/g=1',
  ],
  ['moved, then removed', 'd/f=1 g=1', fs => (fs.rename(path('/d'), path('/x')), removeAll(fs, path('/x'))), 'delete /d', 'g=1'],
  [
    'moved into a new directory',
    'd/f=1',
    fs => (fs.mkdir(path('/new')), fs.rename(path('/d'), path('/new/d'))),
    'create /new, move /d>/new/d',
    'new/d/f=1',
  ],
  [
    'moved out of a removed directory',
    'd/e/f=1 d/g=1',
    fs => (fs.rename(path('/d/e'), path('/e')), removeAll(fs, path('/d'))),
    'delete /d, move /d/e>/e',
    'e/f=1',
  ],
  ['two files that changed places', 'a=1 b=2', fs => swap(fs, '/a', '/b'), 'move /b>/a, move /a>/b', 'a=2 b=1'],
  ['two directories that changed places', 'a/f=1 b/g=2', fs => swap(fs, '/a', '/b'), 'move /b>/a, move /a>/b', 'a/g=2 b/f=1'],
  [
    'a parent into its own child',
    'd/e/f=1 d/g=1',
    fs => (fs.rename(path('/d/e'), path('/e')), fs.rename(path('/d'), path('/e/d'))),
    'move /d/e>/e, move /d>/e/d',
    'e/d/g=1 e/f=1',
  ],
  ['replaced by one that was there', 'a=1 b=2', fs => fs.rename(path('/b'), path('/a')), 'delete /a, move /b>/a', 'a=2'],
  [
    'a file where a directory was',
    'd/f=1',
    fs => (removeAll(fs, path('/d')), fs.write(path('/d'), bytes('1'))),
    'delete /d, create /d',
    'd=1',
  ],
  [
    'a directory where a file was',
    'f=1',
    fs => (fs.remove(path('/f'), 'file'), fs.mkdir(path('/f'))),
    'delete /f, create /f',
    'f/',
  ],
  [
    'a directory made anew is empty',
    'd/f=1',
    fs => (removeAll(fs, path('/d')), fs.mkdir(path('/d'))),
    'delete /d, create /d',
    'd/',
  ],
  ['a directory moved over an empty one', 'd/f=1 e/', fs => fs.rename(path('/d'), path('/e')), 'delete /e, move /d>/e', 'e/f=1'],
  [
    'a directory moved away and another made there',
    'd/f=1',
    fs => (fs.rename(path('/d'), path('/x')), fs.mkdir(path('/d'))),
    'create /d, move /d>/x',
    'd/ x/f=1',
  ],
  [
    'a file with its old path again, in another directory',
    'd/f=1 d/g=2',
    fs => (fs.rename(path('/d'), path('/x')), fs.mkdir(path('/d')), fs.rename(path('/x/f'), path('/d/f'))),
    'create /d, move /d>/x, move /d/f>/d/f',
    'd/f=1 x/g=2',
  ],
  [
    'a file with its old path again, in another directory that had such a name',
    'd/f=1 d/g=2 o/f=3',
    fs => (fs.rename(path('/d'), path('/x')), fs.rename(path('/o'), path('/d')), fs.rename(path('/x/f'), path('/d/f'))),
    'delete /o/f, move /d>/x, move /o>/d, move /d/f>/d/f',
    'd/f=1 x/g=2',
  ],
  [
    'a directory with its old path again, in another one',
    'd/e/f=1 d/g=2',
    fs => (fs.rename(path('/d'), path('/x')), fs.mkdir(path('/d')), fs.rename(path('/x/e'), path('/d/e'))),
    'create /d, move /d>/x, move /d/e>/d/e',
    'd/e/f=1 x/g=2',
  ],
  [
    'a directory with its old path again, in another one that had such a name',
    'd/e/f=1 d/g=2 o/e/f=3',
    fs => (
      fs.rename(path('/d'), path('/x')),
      fs.rename(path('/o'), path('/d')),
      fs.rename(path('/d/e'), path('/y')),
      fs.rename(path('/x/e'), path('/d/e'))
    ),
    'move /d>/x, move /o>/d, move /o/e>/y, move /d/e>/d/e',
    'd/e/f=1 x/g=2 y/f=3',
  ],
  [
    'a directory with its old path again, after the one around it was removed',
    'd/e/f=1 d/g=2',
    fs => (
      fs.rename(path('/d/e'), path('/y')),
      removeAll(fs, path('/d')),
      fs.mkdir(path('/d')),
      fs.rename(path('/y'), path('/d/e'))
    ),
    'create /d, delete /d, move /d/e>/d/e',
    'd/e/f=1',
  ],
  ['a second name', 'f=1', fs => fs.link(path('/f'), path('/g')), 'create /g', 'f=1 g=1'],
  ['a symlink', '', fs => fs.symlink('/nowhere', path('/l')), 'create /l', 'l->/nowhere'],
  [
    'a symlink to somewhere else',
    'l->a',
    fs => (fs.remove(path('/l'), 'file'), fs.symlink('b', path('/l'))),
    'modify /l',
    'l->b',
  ],
  ['through a symlink', 'd/f=1 l->d', fs => fs.write(path('/l/f'), bytes('2')), 'modify /d/f', 'd/f=2 l->d'],
  [
    'names that mean something in the upper layer',
    '',
    fs => (fs.mkdir(path('/e')), fs.write(path('/e/o'), bytes('1')), fs.write(path('/t'), bytes('2'))),
    'create /e, create /e/o, create /t',
    'e/o=1 t=2',
  ],
  [
    'targets that mean something there',
    '',
    fs => (fs.symlink('/gone', path('/a')), fs.symlink('/link/x', path('/b'))),
    'create /a, create /b',
    'a->/gone b->/link/x',
  ],
]

function swap(fs: VfsSync, a: string, b: string): void {
  fs.rename(path(a), path('/swap'))
  fs.rename(path(b), path(a))
  fs.rename(path('/swap'), path(b))
}

const sorted = (told: string): string[] => told.split(', ').toSorted()

describe('what was done', () => {
  test.each(rows)('%s', async (_rule, lowerTree, act, told, after) => {
    const lower = tree()
    await plant(lower, lowerTree)
    const before = [await show(lower), lower.sync.lookup(rootPath)]
    const upper = tree()
    const over = overlay(lower, upper)
    act(syncOf(over))
    expect(sorted(describeAll(await over.changes()))).toEqual(sorted(told))
    expect(await show(over)).toBe(after)
    expect([await show(lower), lower.sync.lookup(rootPath)], 'the lower is as it was').toEqual(before)

    const again = overlay(lower, upper)
    expect([await show(again), describeAll(await again.changes())], 'the upper alone brings it back').toEqual([
      after,
      describeAll(await over.changes()),
    ])

    const waited = overlay(waiting(lower), waiting(upper))
    expect([await show(waited), sorted(describeAll(await waited.changes()))], 'by waiting').toEqual([after, sorted(told)])
  })

  test.each(rows)('applied: %s', async (_rule, lowerTree, act, _told, after) => {
    for (const isWaiting of [false, true]) {
      const lower = tree()
      await plant(lower, lowerTree)
      const over = overlay(lower)
      act(syncOf(over))
      const modes = contentOf(syncOf(over))
      if (isWaiting) {
        const upper = tree()
        act(syncOf(overlay(lower, upper)))
        await overlay(waiting(lower), waiting(upper)).apply()
      } else await over.apply()
      expect(await show(lower)).toBe(after)
      expect(contentOf(lower.sync)).toEqual(modes)
      if (isWaiting) continue
      expect([await show(over), await over.changes()]).toEqual([after, []])
      await over.apply()
    }
  })

  test.each(rows)('dropped: %s', async (_rule, lowerTree, act) => {
    const lower = tree()
    await plant(lower, lowerTree)
    const upper = tree()
    const over = overlay(lower, upper)
    act(syncOf(over))
    await over.drop()
    expect([await show(over), await over.changes(), await upper.list(rootPath)]).toEqual([await show(lower), [], []])
    act(syncOf(over))
  })
})

describe('identity', () => {
  test('name and attributes change, and the file is the same; its content changes, and it is another', async () => {
    const lower = tree()
    await plant(lower, 'd/f=1')
    lower.sync.setattr(path('/d/f'), { mode: 0o751, mtimeMs: 1_000_000_000_000 })
    lower.sync.setattr(path('/d'), { mtimeMs: 1_000_000_000_001 })
    const fs = syncOf(overlay(lower))
    const [file, directory] = [fs.lookup(path('/d/f')), fs.lookup(path('/d'))]
    fs.setattr(path('/d/f'), { mode: 0o755 })
    expect(fs.lookup(path('/d/f'))).toMatchObject({ ino: file.ino, mode: 0o755, mtimeMs: file.mtimeMs })
    expect(fs.lookup(path('/d')), 'for its directory nothing happened').toMatchObject({
      ino: directory.ino,
      mtimeMs: directory.mtimeMs,
    })
    fs.rename(path('/d/f'), path('/g'))
    fs.rename(path('/d'), path('/e'))
    expect(fs.lookup(path('/g'))).toMatchObject({ ino: file.ino, mtimeMs: file.mtimeMs })
    expect(fs.lookup(path('/e'))).toMatchObject({ ino: directory.ino })
    const written = fs.write(path('/g'), bytes('2'))
    expect(written.ino).not.toBe(file.ino)
    expect(written.mode).toBe(0o755)
    expect(written.mtimeMs).toBeGreaterThan(file.mtimeMs)
    expect(written.rev).toBeGreaterThan(file.rev)
  })

  test('a write is based on what is seen, whichever layer that is in', async () => {
    const lower = tree()
    await plant(lower, 'f=1')
    const vfs = createVfs(overlay(lower))
    const first = await vfs.stat('/f')
    const second = await vfs.writeFile('/f', '2', { ifRev: first.rev })
    await expect(vfs.writeFile('/f', '3', { ifRev: first.rev })).rejects.toMatchObject({ code: 'ESTALE' })
    await expect(vfs.batch(fs => fs.writeFile('/g', '3'), { expect: { '/f': first.rev } })).rejects.toMatchObject({
      code: 'ESTALE',
    })
    await vfs.batch(fs => fs.writeFile('/g', '3'), { expect: { '/f': second.rev, '/g': 0 } })
    expect(await vfs.readText('/g')).toBe('3')
  })

  test('a batch that was overtaken changes nothing, also where one wrote and the other removed', async () => {
    const lower = tree()
    await plant(lower, 'd/f=1')
    const over = overlay(lower)
    const vfs = createVfs(over)
    const overtaken = vfs.batch(async fs => {
      await fs.rm('/d/f')
      await vfs.writeFile('/d/f', '3')
    })
    await expect(overtaken).rejects.toMatchObject({ code: 'ESTALE' })
    expect(await show(over)).toBe('d/f=3')
  })

  test('watchers hear what is done here, and what drop takes back', async () => {
    const lower = tree()
    await plant(lower, 'd/f=1')
    const over = overlay(lower)
    const heard: string[] = []
    over.watch?.(rootPath, ({ changes }) => heard.push(describeAll(changes)))
    await over.rename(path('/d/f'), path('/d/g'))
    await over.write(path('/d/h'), bytes('1'))
    await over.drop()
    await settle()
    expect(heard).toEqual(['move /d/f>/d/g', 'create /d/h', 'delete /d/h, move /d/g>/d/f'])
  })
})

test('an overlay is the tree to which the same was done, says what that was, and applies it', async () => {
  let told = 0
  await forSeeds(seeds({ quick: 40, deep: 1000 }), async (_random, seed) => {
    const [lower, plain, upper] = [tree(), tree(), tree()]
    // Several names of a file in the lower layer become separate files at the first write, so the lower layer has none here.
    for (let count = 0; count < 25; count++) {
      for (const fs of [lower, plain]) randomStep(createRandom(seed * 1_000 + count), fs.sync, ['link'])
    }
    const before = contentOf(lower.sync)
    let over = overlay(lower, upper)
    for (let count = 0; count < 25; count++) {
      const number = seed * 1_000 + 500 + count
      const [expected, actual] = [plain.sync, syncOf(over)].map(fs => randomStep(createRandom(number), fs))
      if (actual !== expected) throw new Error(`step ${count} gives ${actual} and should give ${expected}`)
      if (count % 10 === 9) over = overlay(lower, upper)
      expect(contentOf(syncOf(over))).toEqual(contentOf(plain.sync))
    }
    const changes = await over.changes()
    told += changes.length
    checkExplains(before, contentOf(syncOf(over)), changes)
    expect(contentOf(lower.sync)).toEqual(before)
    await over.apply()
    expect(contentOf(lower.sync)).toEqual(contentOf(plain.sync))
    expect(await over.changes()).toEqual([])
    expect(text(bytes('')) + (await upper.list(parsePath('/'))).length).toBe('0')
  })
  expect(told).toBeGreaterThan(seeds({ quick: 40, deep: 1000 }))
})
