// Several names for one file.

import type { Stat, VfsBackend } from '../../vfs/backend.ts'
import { check, checkEqual } from '../check.ts'
import { clockTick, bytes, fails, leaves, path, plant, row, scene, show, type VfsCase } from './context.ts'

export const linkCases: readonly VfsCase[] = [
  row('link.second-name', 'a=1', fs => fs.link(path('/a'), path('/b')), leaves('a=1 b=1'), ['hardlinks']),
  row('link.missing', '', fs => fs.link(path('/a'), path('/b')), fails('ENOENT'), ['hardlinks']),
  row('link.there', 'a=1 b=2', fs => fs.link(path('/a'), path('/b')), fails('EEXIST'), ['hardlinks']),
  row('link.directory', 'd/', fs => fs.link(path('/d'), path('/e')), fails('EPERM'), ['hardlinks']),
  row('link.missing-parent', 'a=1', fs => fs.link(path('/a'), path('/d/b')), fails('ENOENT'), ['hardlinks']),
  scene(
    'link.shares-content-both-ways',
    async fs => {
      await plant(fs, 'a=1 d/')
      await fs.link(path('/a'), path('/d/b'))
      await fs.write(path('/d/b'), bytes('2'))
      checkEqual(await show(fs), 'a=2 d/b=2', 'written by the second name')
      await fs.write(path('/a'), bytes('3'), { append: true })
      checkEqual(await show(fs), 'a=23 d/b=23', 'appended by the first')
    },
    ['hardlinks'],
  ),
  row('link.symlink-not-its-target', 'a=1 l->a', fs => fs.link(path('/l'), path('/m')), leaves('a=1 l->a m->a'), ['hardlinks']),
  row('link.dangling-symlink', 'l->x', fs => fs.link(path('/l'), path('/m')), leaves('l->x m->x'), ['hardlinks']),
  scene(
    'link.second-name-of-a-symlink',
    async fs => {
      await plant(fs, 'a=1 b=2 l->a d/')
      checkEqual(await show(fs), 'a=1 b=2 d/ l->a', 'before')
      await fs.link(path('/l'), path('/d/m'))
      const link = async (at: string): Promise<Stat> => fs.lookup(path(at), { follow: false })
      const [first, second] = [await link('/l'), await link('/d/m')]
      checkEqual([first.kind, second.kind, first.nlink, second.nlink], ['symlink', 'symlink', 2, 2], 'kind and nlink')
      checkEqual([second.ino, second.sizeBytes], [first.ino, first.sizeBytes], 'ino and size')
      checkEqual(
        (await fs.list(path('/d'))).map(({ kind }) => kind),
        ['symlink'],
        'kind in a listing',
      )
      await clockTick()
      await fs.rename(path('/l'), path('/n'))
      check((await link('/d/m')).ctimeMs > second.ctimeMs, 'the ctime of the other name must grow with a rename')
      await fs.rename(path('/n'), path('/d/m'))
      checkEqual(await show(fs), 'a=1 b=2 d/m->a n->a', 'a rename onto another name does nothing')
      await fs.symlink('b', path('/x'))
      await fs.rename(path('/x'), path('/n'))
      checkEqual([await show(fs), (await link('/d/m')).nlink], ['a=1 b=2 d/m->a n->b', 1], 'one name was replaced')
      await fs.link(path('/d/m'), path('/o'))
      await fs.remove(path('/d/m'), 'file')
      checkEqual([await show(fs), (await link('/o')).nlink], ['a=1 b=2 d/ n->b o->a', 1], 'one name was removed')
    },
    ['symlinks', 'hardlinks'],
  ),
  scene(
    'link.counts',
    async fs => {
      await plant(fs, 'a=1')
      const count = async (): Promise<number> => (await fs.lookup(path('/a'))).nlink
      const counts = [await count()]
      await fs.link(path('/a'), path('/b'))
      counts.push(await count())
      await fs.link(path('/b'), path('/c'))
      counts.push(await count())
      await fs.remove(path('/b'), 'file')
      counts.push(await count())
      await fs.remove(path('/c'), 'file')
      counts.push(await count())
      checkEqual(counts, [1, 2, 3, 2, 1], 'nlink')
    },
    ['hardlinks'],
  ),
  ...(
    [
      ['link', fs => fs.link(path('/a'), path('/c'))],
      ['unlink', fs => fs.remove(path('/a'), 'file')],
      ['rename', fs => fs.rename(path('/a'), path('/c'))],
      ['rename-over', fs => fs.rename(path('/x'), path('/a'))],
    ] as const satisfies readonly (readonly [string, (fs: VfsBackend) => Promise<void>])[]
  ).map(([how, act]) =>
    scene(
      `link.change-time-moves-with-the-names.${how}`,
      async fs => {
        await plant(fs, 'a=1 x=2')
        await fs.link(path('/a'), path('/b'))
        const before = await fs.lookup(path('/b'))
        await clockTick()
        await act(fs)
        const after = await fs.lookup(path('/b'))
        check(
          after.ctimeMs > before.ctimeMs,
          `the ctime of the other name must grow, and is ${after.ctimeMs} after ${before.ctimeMs}`,
        )
        checkEqual([after.mtimeMs, after.ino], [before.mtimeMs, before.ino], 'mtime and ino')
      },
      ['hardlinks'],
    ),
  ),
  scene(
    'link.survives-a-rename-over-one-name',
    async fs => {
      await plant(fs, 'a=1 x=2')
      await fs.link(path('/a'), path('/b'))
      await fs.rename(path('/x'), path('/a'))
      checkEqual(await show(fs), 'a=2 b=1', 'the other name keeps the file')
      checkEqual((await fs.lookup(path('/b'))).nlink, 1, 'and is its only one')
    },
    ['hardlinks'],
  ),
  scene(
    'link.shares-attributes',
    async fs => {
      await plant(fs, 'a=1')
      await fs.link(path('/a'), path('/b'))
      await fs.setattr(path('/b'), { mode: 0o700 })
      const [a, b] = [await fs.lookup(path('/a')), await fs.lookup(path('/b'))]
      checkEqual([a.mode, a.ino], [0o700, b.ino], 'mode and ino')
    },
    ['hardlinks', 'mode'],
  ),
]
