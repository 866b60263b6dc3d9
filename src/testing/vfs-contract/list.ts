// Listing the entries of a directory.

import type { VfsBackend } from '../../vfs/backend.ts'
import { bytes, fails, gives, path, row, scene, type VfsCase } from './context.ts'
import { checkEqual } from '../check.ts'

const list = async (fs: VfsBackend, at: string): Promise<string> =>
  (await fs.list(path(at))).map(entry => `${entry.name}:${entry.kind}`).join(' ')

export const listCases: readonly VfsCase[] = [
  row('list.empty', 'd/', fs => list(fs, '/d'), gives('')),
  row('list.kinds', 'd/ f=1 l->f', fs => list(fs, '/'), gives('d:directory f:file l:symlink')),
  row(
    'list.sorted-by-code-unit',
    'b= a= é= B= a.b= 10= 9=',
    fs => list(fs, '/'),
    gives('10:file 9:file B:file a:file a.b:file b:file é:file'),
  ),
  row('list.one-level', 'd/e/f=1', fs => list(fs, '/'), gives('d:directory')),
  row('list.through-a-symlink', 'd/f=1 l->d', fs => list(fs, '/l'), gives('f:file')),
  row('list.missing', '', fs => fs.list(path('/d')), fails('ENOENT')),
  row('list.file', 'f=1', fs => fs.list(path('/f')), fails('ENOTDIR')),
  row('list.dangling-symlink', 'l->d', fs => fs.list(path('/l')), fails('ENOENT')),
  scene('list.five-hundred-entries', async fs => {
    const names = Array.from({ length: 500 }, (_, index) => `f${index}`)
    await fs.mkdir(path('/d'))
    for (const name of names) await fs.write(path(`/d/${name}`), bytes(''))
    checkEqual(
      (await fs.list(path('/d'))).map(entry => entry.name),
      names.toSorted(),
      'all of them, in order',
    )
  }),
]
