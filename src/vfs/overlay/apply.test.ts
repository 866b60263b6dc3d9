// Applying the changes of an overlay to the files below it.

import { describe, expect, test } from 'vitest'
import type { VfsBackend, VfsSync } from '../backend.ts'
import { bytes, path, plant, show } from '../../testing/vfs-contract/context.ts'
import { removeAll } from '../../testing/differences.ts'
import { describeAll, syncOf, tree } from '../../testing/overlay-changes.ts'
import { overlay } from '../overlay.ts'
import { readonly } from '../readonly.ts'

describe('apply refuses what was overtaken', () => {
  type Race = readonly [rule: string, lower: string, act: (fs: VfsSync) => void, meanwhile: (lower: VfsSync) => void, at: string]
  const races: readonly Race[] = [
    ['both wrote it', 'f=1', fs => fs.write(path('/f'), bytes('2')), lower => lower.write(path('/f'), bytes('3')), '/f'],
    [
      'written here, removed there',
      'f=1',
      fs => fs.write(path('/f'), bytes('2')),
      lower => lower.remove(path('/f'), 'file'),
      '/f',
    ],
    [
      'removed here, written there',
      'd/f=1',
      fs => fs.remove(path('/d/f'), 'file'),
      lower => lower.write(path('/d/f'), bytes('3')),
      '/d/f',
    ],
    ['both made it', '', fs => fs.write(path('/f'), bytes('2')), lower => lower.write(path('/f'), bytes('3')), '/f'],
    ['both made a directory', '', fs => fs.mkdir(path('/d')), lower => lower.mkdir(path('/d')), '/d'],
    [
      'a mode here, content there',
      'f=1',
      fs => fs.setattr(path('/f'), { mode: 0o700 }),
      lower => lower.write(path('/f'), bytes('3')),
      '/f',
    ],
    [
      'a directory removed here, filled there',
      'd/f=1',
      fs => removeAll(fs, path('/d')),
      lower => lower.write(path('/d/g'), bytes('3')),
      '/d/g',
    ],
    [
      'an empty one removed here, filled there',
      'd/',
      fs => removeAll(fs, path('/d')),
      lower => lower.write(path('/d/g'), bytes('3')),
      '/d/g',
    ],
    [
      'a directory removed here, written in there',
      'd/e/f=1',
      fs => removeAll(fs, path('/d')),
      lower => lower.write(path('/d/e/f'), bytes('3')),
      '/d/e/f',
    ],
    [
      'moved, then removed here, filled there',
      'd/f=1',
      fs => (fs.rename(path('/d'), path('/x')), removeAll(fs, path('/x'))),
      lower => lower.write(path('/d/g'), bytes('3')),
      '/d/g',
    ],
    [
      'moved here, written there',
      'f=1',
      fs => fs.rename(path('/f'), path('/g')),
      lower => lower.write(path('/f'), bytes('3')),
      '/f',
    ],
    [
      'a directory moved here, removed there',
      'd/f=1',
      fs => fs.rename(path('/d'), path('/x')),
      lower => removeAll(lower, path('/d')),
      '/d',
    ],
    [
      'a file written here, replaced by an empty directory there',
      'f=1',
      fs => fs.write(path('/f'), bytes('2')),
      lower => (lower.remove(path('/f'), 'file'), lower.mkdir(path('/f'))),
      '/f',
    ],
    [
      'a file removed here, replaced by an empty directory there',
      'f=1',
      fs => fs.remove(path('/f'), 'file'),
      lower => (lower.remove(path('/f'), 'file'), lower.mkdir(path('/f'))),
      '/f',
    ],
    [
      'an empty directory removed here, replaced by a file there',
      'd/',
      fs => fs.remove(path('/d'), 'directory'),
      lower => (lower.remove(path('/d'), 'directory'), lower.write(path('/d'), bytes('3'))),
      '/d',
    ],
    [
      'written in a directory here, the directory removed there',
      'd/f=1',
      fs => fs.write(path('/d/g'), bytes('2')),
      lower => removeAll(lower, path('/d')),
      '/d',
    ],
    [
      'written deep here, a directory on the way replaced by a file there',
      'd/e/f=1',
      fs => fs.write(path('/d/e/f'), bytes('2')),
      lower => (removeAll(lower, path('/d')), lower.write(path('/d'), bytes('3'))),
      '/d',
    ],
    [
      'a directory moved here, replaced by a file there',
      'd/f=1',
      fs => fs.rename(path('/d'), path('/x')),
      lower => (removeAll(lower, path('/d')), lower.write(path('/d'), bytes('3'))),
      '/d',
    ],
  ]
  test.each(races)('%s', async (_rule, lowerTree, act, meanwhile, at) => {
    const lower = tree()
    await plant(lower, lowerTree)
    const over = overlay(lower)
    act(syncOf(over))
    meanwhile(lower.sync)
    const [below, told] = [await show(lower), await over.changes()]
    await expect(over.apply()).rejects.toMatchObject({ code: 'ESTALE', path: at })
    expect([await show(lower), await over.changes()], 'nothing was changed').toEqual([below, told])
  })

  type Peace = readonly [
    rule: string,
    lower: string,
    act: (fs: VfsSync) => void,
    meanwhile: (lower: VfsSync) => void,
    after: string,
  ]
  const peace: readonly Peace[] = [
    ['another file', 'a=1 b=1', fs => fs.write(path('/a'), bytes('2')), lower => lower.write(path('/b'), bytes('3')), 'a=2 b=3'],
    [
      'another file of the directory',
      'd/a=1',
      fs => fs.write(path('/d/b'), bytes('2')),
      lower => lower.write(path('/d/c'), bytes('3')),
      'd/a=1 d/b=2 d/c=3',
    ],
    [
      'into a directory that was moved here',
      'd/a=1',
      fs => fs.rename(path('/d'), path('/x')),
      lower => lower.write(path('/d/b'), bytes('3')),
      'x/a=1 x/b=3',
    ],
  ]
  test.each(peace)('and nothing else: %s', async (_rule, lowerTree, act, meanwhile, after) => {
    const lower = tree()
    await plant(lower, lowerTree)
    const over = overlay(lower)
    act(syncOf(over))
    meanwhile(lower.sync)
    await over.apply()
    expect(await show(lower)).toBe(after)
  })

  test('a lower that cannot be written', async () => {
    const over = overlay(readonly(tree()))
    await over.write(path('/f'), bytes('1'))
    await expect(over.apply()).rejects.toMatchObject({ code: 'EROFS' })
    expect(await show(over)).toBe('f=1')
  })
})

describe('nothing is lost while it is applied', () => {
  test('changes wait, those at once are refused, and both layers have all in the end', async () => {
    const lower = tree()
    await plant(lower, 'f=1')
    const over = overlay(lower)
    await over.write(path('/f'), bytes('2'))
    const applied = over.apply()
    await Promise.resolve()
    expect(() => syncOf(over).write(path('/g'), bytes('3'))).toThrow('EBUSY')
    const [written, batched] = [over.write(path('/h'), bytes('3')), over.batch?.(fs => fs.write(path('/i'), bytes('4')))]
    await Promise.all([applied, written, batched])
    expect([await show(lower), await show(over), describeAll(await over.changes())]).toEqual([
      'f=2',
      'f=2 h=3 i=4',
      'create /h, create /i',
    ])
    syncOf(over).write(path('/g'), bytes('3'))
  })

  test('an open batch is not cut: apply and drop are refused until it has ended', async () => {
    const lower = tree()
    const over = overlay(lower)
    await over.batch?.(async fs => {
      fs.write(path('/f'), bytes('1'))
      await expect(over.apply()).rejects.toMatchObject({ code: 'EBUSY' })
      await expect(over.drop()).rejects.toMatchObject({ code: 'EBUSY' })
    })
    await over.apply()
    expect(await show(lower)).toBe('f=1')
  })

  test('several names of a file or symlink are several names of one below too', async () => {
    const lower = tree()
    const over = overlay(lower)
    await plant(over, 'f=1 l->f')
    for (const name of ['/f', '/l']) await over.link(path(name), path(`${name}2`))
    await over.apply()
    expect(await show(lower)).toBe('f=1 f2=1 l->f l2->f')
    const counts = ['/f', '/l2'].map(at => lower.sync.lookup(path(at), { follow: false }).nlink)
    expect(counts).toEqual([2, 2])
  })

  test('a lower without transactions is written one by one, and what is cut is said', async () => {
    const lower = tree()
    await plant(lower, 'a=1 b=1')
    let writes = 0
    const { batch: _batch, ...rest } = lower
    const failing: VfsBackend = {
      ...rest,
      caps: { ...rest.caps, transactions: false },
      sync: {
        ...lower.sync,
        write(at, data, options) {
          if (++writes === 2) throw new Error('the disk is gone')
          return lower.sync.write(at, data, options)
        },
      },
    }
    const over = overlay(failing)
    await over.write(path('/a'), bytes('2'))
    await over.write(path('/b'), bytes('2'))
    await expect(over.apply()).rejects.toMatchObject({ code: 'batch-partial' })
    expect([await show(over), await show(lower)]).toEqual(['a=2 b=2', 'a=2 b=1'])
  })
})
