// Creating one directory.

import { checkEqual } from '../check.ts'
import { fails, leaves, path, row, scene, type VfsCase } from './context.ts'

export const mkdirCases: readonly VfsCase[] = [
  row('mkdir.new', '', fs => fs.mkdir(path('/d')), leaves('d/')),
  row('mkdir.in-a-symlinked-directory', 'd/ l->d', fs => fs.mkdir(path('/l/e')), leaves('d/e/ l->d')),
  row('mkdir.there', 'd/', fs => fs.mkdir(path('/d')), fails('EEXIST')),
  row('mkdir.root', '', fs => fs.mkdir(path('/')), fails('EEXIST')),
  row('mkdir.on-a-file', 'f=1', fs => fs.mkdir(path('/f')), fails('EEXIST')),
  row('mkdir.on-a-dangling-symlink', 'l->d', fs => fs.mkdir(path('/l')), fails('EEXIST')),
  row('mkdir.missing-parent', '', fs => fs.mkdir(path('/d/e')), fails('ENOENT')),
  row('mkdir.below-a-file', 'f=1', fs => fs.mkdir(path('/f/d')), fails('ENOTDIR')),
  scene(
    'mkdir.mode',
    async fs => {
      await fs.mkdir(path('/d'), { mode: 0o700 })
      checkEqual((await fs.lookup(path('/d'))).mode, 0o700, 'its mode')
    },
    ['mode'],
  ),
]
