// Content is returned exactly, and the caller owns it.

import { checkEqual } from '../check.ts'
import { bytes, fails, gives, path, row, scene, text, type VfsCase } from './context.ts'

const invalidUtf8 = Uint8Array.of(0xff, 0, 0x80, 0xed, 0xa0, 0x80, 0x0d, 0x0a)

export const readCases: readonly VfsCase[] = [
  row('read.text', 'f=abc', async fs => text(await fs.read(path('/f'))), gives('abc')),
  row('read.empty', 'f=', async fs => (await fs.read(path('/f'))).length, gives(0)),
  row('read.through-a-symlink', 'f=abc l->f', async fs => text(await fs.read(path('/l'))), gives('abc')),
  row('read.missing', '', fs => fs.read(path('/f')), fails('ENOENT')),
  row('read.directory', 'd/', fs => fs.read(path('/d')), fails('EISDIR')),
  row('read.below-a-file', 'f=abc', fs => fs.read(path('/f/g')), fails('ENOTDIR')),
  row('read.range', 'f=abcdef', async fs => text(await fs.read(path('/f'), { start: 1, end: 3 })), gives('bc'), ['ranges']),
  row('read.range-to-the-end', 'f=abcdef', async fs => text(await fs.read(path('/f'), { start: 4 })), gives('ef'), ['ranges']),
  row('read.range-beyond-the-end', 'f=abc', async fs => text(await fs.read(path('/f'), { start: 2, end: 99 })), gives('c'), [
    'ranges',
  ]),
  row('read.range-after-the-end', 'f=abc', async fs => text(await fs.read(path('/f'), { start: 9, end: 99 })), gives(''), [
    'ranges',
  ]),
  row('read.range-backwards-is-empty', 'f=abc', async fs => text(await fs.read(path('/f'), { start: 2, end: 1 })), gives(''), [
    'ranges',
  ]),
  row('read.range-not-whole', 'f=abc', fs => fs.read(path('/f'), { start: 0.5 }), fails('EINVAL'), ['ranges']),
  row('read.range-negative', 'f=abc', fs => fs.read(path('/f'), { start: -1 }), fails('EINVAL'), ['ranges']),
  scene('read.any-bytes', async fs => {
    await fs.write(path('/f'), invalidUtf8)
    checkEqual(await fs.read(path('/f')), invalidUtf8, 'bytes that are not text')
  }),
  scene('read.a-megabyte', async fs => {
    const content = Uint8Array.from({ length: 1 << 20 }, (_, index) => (index * 31) & 0xff)
    await fs.write(path('/f'), content)
    const read = await fs.read(path('/f'))
    checkEqual(read.length, content.length, 'its size')
    checkEqual(
      read.findIndex((byte, index) => byte !== content[index]),
      -1,
      'the first byte that differs',
    )
  }),
  scene('read.gives-a-copy', async fs => {
    await fs.write(path('/f'), bytes('abc'))
    const first = await fs.read(path('/f'))
    first.fill(0)
    checkEqual(text(await fs.read(path('/f'))), 'abc', 'the file after its reader changed the array')
  }),
]
