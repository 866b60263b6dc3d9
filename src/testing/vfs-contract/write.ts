// A write replaces the whole content in one step, and affects only its file.

import { checkEqual, checkFails } from '../check.ts'
import { bytes, fails, gives, leaves, path, row, scene, show, text, type VfsCase } from './context.ts'

const x = bytes('x')

export const writeCases: readonly VfsCase[] = [
  row('write.new', '', fs => fs.write(path('/f'), x), leaves('f=x')),
  row('write.replaces-all', 'f=abcdef', fs => fs.write(path('/f'), x), leaves('f=x')),
  row('write.empty', 'f=abc', fs => fs.write(path('/f'), bytes('')), leaves('f=')),
  row('write.append', 'f=abc', fs => fs.write(path('/f'), x, { append: true }), leaves('f=abcx')),
  row('write.append-makes-it', '', fs => fs.write(path('/f'), x, { append: true }), leaves('f=x')),
  row('write.through-a-symlink', 'f=a l->f', fs => fs.write(path('/l'), x), leaves('f=x l->f')),
  row('write.dangling-symlink-makes-the-target', 'd/ l->d/f', fs => fs.write(path('/l'), x), leaves('d/f=x l->d/f')),
  row('write.directory', 'd/', fs => fs.write(path('/d'), x), fails('EISDIR')),
  row('write.root', '', fs => fs.write(path('/'), x), fails('EISDIR')),
  row('write.missing-parent', '', fs => fs.write(path('/d/f'), x), fails('ENOENT')),
  row('write.below-a-file', 'f=a', fs => fs.write(path('/f/g'), x), fails('ENOTDIR')),
  row('write.parents', '', fs => fs.write(path('/d/e/f'), x, { parents: true }), leaves('d/e/f=x')),
  row('write.parents-that-are-there', 'd/g=1', fs => fs.write(path('/d/e/f'), x, { parents: true }), leaves('d/e/f=x d/g=1')),
  row('write.parents-below-a-file', 'f=a', fs => fs.write(path('/f/g/h'), x, { parents: true }), fails('ENOTDIR')),
  row('write.parents-but-never-create', '', fs => fs.write(path('/d/f'), x, { parents: true, create: 'never' }), fails('ENOENT')),
  row('write.exclusive', '', fs => fs.write(path('/f'), x, { create: 'exclusive' }), leaves('f=x')),
  row('write.exclusive-when-there', 'f=a', fs => fs.write(path('/f'), x, { create: 'exclusive' }), fails('EEXIST')),
  row('write.exclusive-on-a-symlink', 'l->f', fs => fs.write(path('/l'), x, { create: 'exclusive' }), fails('EEXIST')),
  row('write.never-create', '', fs => fs.write(path('/f'), x, { create: 'never' }), fails('ENOENT')),
  row('write.never-create-when-there', 'f=a', fs => fs.write(path('/f'), x, { create: 'never' }), leaves('f=x')),
  row('write.gives-the-stat', '', async fs => (await fs.write(path('/f'), bytes('abc'))).sizeBytes, gives(3)),
  row('write.if-rev-missing', '', fs => fs.write(path('/f'), x, { ifRev: 0 }), leaves('f=x'), ['transactions']),
  row('write.if-rev-missing-but-there', 'f=a', fs => fs.write(path('/f'), x, { ifRev: 0 }), fails('ESTALE'), ['transactions']),
  row('write.if-rev-gone', '', fs => fs.write(path('/f'), x, { ifRev: 7 }), fails('ESTALE'), ['transactions']),
  row('write.if-rev-gone-with-its-parent', '', fs => fs.write(path('/d/f'), x, { ifRev: 7, parents: true }), fails('ESTALE'), [
    'transactions',
  ]),
  scene(
    'write.if-rev',
    async fs => {
      const first = await fs.write(path('/f'), bytes('a'))
      const second = await fs.write(path('/f'), bytes('b'), { ifRev: first.rev })
      await checkFails(() => fs.write(path('/f'), bytes('c'), { ifRev: first.rev }), 'ESTALE')
      checkEqual(await show(fs), 'f=b', 'a write on an old revision changes nothing')
      checkEqual((await fs.lookup(path('/f'))).rev, second.rev, 'nor the revision')
    },
    ['transactions'],
  ),
  scene('write.keeps-a-copy', async fs => {
    const data = bytes('abc')
    await fs.write(path('/f'), data)
    data.fill(0)
    checkEqual(text(await fs.read(path('/f'))), 'abc', 'the file after its writer changed the array')
  }),
  scene('write.given-away', async fs => {
    const [made, appended] = [bytes('abc'.repeat(20_000)), bytes('d')]
    await fs.write(path('/f'), made, { transfer: true })
    made[0] = 0
    await fs.write(path('/f'), appended, { transfer: true, append: true })
    appended[0] = 0
    const found = text(await fs.read(path('/f')))
    checkEqual(found, `${'abc'.repeat(20_000)}d`, 'the file after its writer gave the arrays away and then used them')
  }),
  scene('write.part-of-a-larger-array', async fs => {
    await fs.write(path('/f'), bytes('abcdef').subarray(2, 4))
    checkEqual(text(await fs.read(path('/f'))), 'cd', 'a view of a buffer')
  }),
  scene('write.appends-two-hundred-times', async fs => {
    for (let count = 0; count < 200; count++) await fs.write(path('/f'), bytes(`${count % 10}`), { append: true })
    checkEqual(text(await fs.read(path('/f'))), '0123456789'.repeat(20), 'all of it, in order')
  }),
  scene('write.two-hundred-at-once', async fs => {
    await Promise.all(Array.from({ length: 200 }, (_, index) => fs.write(path(`/f${index}`), bytes(`${index}`))))
    checkEqual((await fs.list(path('/'))).length, 200, 'all of them')
    checkEqual(text(await fs.read(path('/f199'))), '199', 'the last')
  }),
  scene(
    'write.mode-of-a-new-file-only',
    async fs => {
      await fs.write(path('/f'), x, { mode: 0o755 })
      await fs.write(path('/f'), x, { mode: 0o600 })
      checkEqual((await fs.lookup(path('/f'))).mode, 0o755, 'the mode after a second write')
    },
    ['mode'],
  ),
]
