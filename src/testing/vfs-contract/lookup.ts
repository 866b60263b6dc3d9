// Looking up the stat of a path.

import { check, checkEqual } from '../check.ts'
import { bytes, fails, gives, path, plant, row, scene, type VfsCase } from './context.ts'

export const lookupCases: readonly VfsCase[] = [
  row('lookup.file', 'f=abc', async fs => (await fs.lookup(path('/f'))).kind, gives('file')),
  row('lookup.size-is-in-bytes', 'f=é', async fs => (await fs.lookup(path('/f'))).sizeBytes, gives(2)),
  row('lookup.directory', 'd/', async fs => (await fs.lookup(path('/d'))).kind, gives('directory')),
  row('lookup.root', '', async fs => (await fs.lookup(path('/'))).kind, gives('directory')),
  row('lookup.follows-a-symlink', 'f=abc l->f', async fs => (await fs.lookup(path('/l'))).kind, gives('file')),
  row(
    'lookup.can-stop-at-a-symlink',
    'f=abc l->f',
    async fs => (await fs.lookup(path('/l'), { follow: false })).kind,
    gives('symlink'),
  ),
  row('lookup.missing', '', fs => fs.lookup(path('/f')), fails('ENOENT')),
  row('lookup.missing-parent', '', fs => fs.lookup(path('/d/f')), fails('ENOENT')),
  row('lookup.below-a-file', 'f=abc', fs => fs.lookup(path('/f/g')), fails('ENOTDIR')),
  row('lookup.dangling-symlink', 'l->f', fs => fs.lookup(path('/l')), fails('ENOENT')),
  row(
    'lookup.times-are-whole-milliseconds',
    'f=abc',
    async fs => Number.isInteger((await fs.lookup(path('/f'))).mtimeMs),
    gives(true),
    ['mtime'],
  ),
  scene(
    'lookup.ino-is-new-when-content-is-replaced',
    async fs => {
      const first = await fs.write(path('/f'), bytes('a'))
      const second = await fs.write(path('/f'), bytes('b'))
      check(first.ino !== second.ino, 'a write of the same size in the same millisecond shows in the stat')
      check(first.mtimeMs < second.mtimeMs, 'time goes on for each node')
      checkEqual(await fs.lookup(path('/f')), second, 'the stat that a write gives')
    },
    ['transactions'],
  ),
  scene(
    'lookup.rev-grows-with-each-change',
    async fs => {
      const revs = [(await fs.write(path('/f'), bytes('a'))).rev, (await fs.write(path('/f'), bytes('a'))).rev]
      await fs.setattr(path('/f'), { mode: 0o600 })
      revs.push((await fs.lookup(path('/f'))).rev)
      check(
        revs.every((rev, index) => index === 0 || rev > (revs[index - 1] ?? rev)),
        `revisions grow: ${revs.join(', ')}`,
      )
      await fs.lookup(path('/f'))
      checkEqual((await fs.lookup(path('/f'))).rev, revs[2], 'looking changes nothing')
    },
    ['transactions'],
  ),
  scene(
    'lookup.directory-time-moves-with-its-entries',
    async fs => {
      await plant(fs, 'd/')
      const before = await fs.lookup(path('/d'))
      await fs.write(path('/d/f'), bytes('a'))
      const after = await fs.lookup(path('/d'))
      check(after.mtimeMs > before.mtimeMs && after.rev > before.rev, 'a new entry changes its directory')
      await fs.write(path('/d/f'), bytes('b'))
      checkEqual(await fs.lookup(path('/d')), after, 'new content of a file does not change its directory')
    },
    ['transactions'],
  ),
]
