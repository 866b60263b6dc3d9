// Following symlinks. A relative target starts in the directory of the link, and '..' after a link is the parent of the link's target.

import { checkEqual } from '../check.ts'
import { bytes, fails, gives, leaves, path, plant, row, scene, text, type VfsCase } from './context.ts'

const chain = (length: number): string =>
  ['f=1', 'l0->f', ...Array.from({ length: length - 1 }, (_, index) => `l${index + 1}->l${index}`)].join(' ')

export const followCases: readonly VfsCase[] = [
  row(
    'symlinks.relative-to-its-own-directory',
    'd/f=in f=out d/l->f',
    async fs => text(await fs.read(path('/d/l'))),
    gives('in'),
  ),
  row('symlinks.up-and-down', 'd/l->../e/f e/f=1', async fs => text(await fs.read(path('/d/l'))), gives('1')),
  row('symlinks.absolute', 'd/l->/e/f e/f=1', async fs => text(await fs.read(path('/d/l'))), gives('1')),
  row(
    'symlinks.dot-dot-after-a-link',
    'a/b/x=1 a/f=right f=wrong l->a/b',
    async fs => text(await fs.read(path('/l/../f'))),
    gives('right'),
  ),
  row('symlinks.to-the-root', 'f=1 d/l->/', async fs => text(await fs.read(path('/d/l/f'))), gives('1')),
  row('symlinks.to-itself', 'l->l', fs => fs.lookup(path('/l')), fails('ELOOP')),
  row('symlinks.in-a-circle', 'a->b b->a', fs => fs.read(path('/a')), fails('ELOOP')),
  row('symlinks.circle-on-the-way', 'a->b b->a', fs => fs.read(path('/a/f')), fails('ELOOP')),
  row('symlinks.circle-when-writing', 'a->b b->a', fs => fs.write(path('/a'), bytes('x')), fails('ELOOP')),
  row('symlinks.circle-can-be-removed', 'a->b b->a', fs => fs.remove(path('/a'), 'file'), leaves('b->a')),
  row('symlinks.forty-in-a-row', chain(40), async fs => text(await fs.read(path('/l39'))), gives('1')),
  row('symlinks.forty-one-in-a-row', chain(41), fs => fs.read(path('/l40')), fails('ELOOP')),
  row('symlinks.slash-at-the-end-of-a-target', 'd/f=1 l->d/', async fs => text(await fs.read(path('/l/f'))), gives('1')),
  row('symlinks.slash-asks-for-a-directory', 'f=1 l->f/', fs => fs.read(path('/l')), fails('ENOTDIR')),
  row('symlinks.dots-in-a-target', 'd/f=1 l->./d/../d/./f', async fs => text(await fs.read(path('/l'))), gives('1')),
  row('symlinks.through-a-file', 'f=1 l->f/x', fs => fs.read(path('/l')), fails('ENOTDIR')),
  row('symlinks.above-the-root', 'f=1 l->../../../f', async fs => text(await fs.read(path('/l'))), gives('1')),
  scene(
    'symlinks.follow-what-comes-later',
    async fs => {
      await plant(fs, 'l->d/f')
      await plant(fs, 'd/f=1')
      checkEqual(text(await fs.read(path('/l'))), '1', 'the content of what was made after the link')
    },
    ['symlinks'],
  ),
]
