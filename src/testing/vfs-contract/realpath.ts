// The path without symlinks and '..'.

import { fails, gives, path, row, type VfsCase } from './context.ts'

export const realpathCases: readonly VfsCase[] = [
  row('realpath.plain', 'd/f=1', fs => fs.realpath(path('/d/f')), gives('/d/f')),
  row('realpath.root', '', fs => fs.realpath(path('/')), gives('/')),
  row('realpath.last-symlink', 'd/f=1 l->d/f', fs => fs.realpath(path('/l')), gives('/d/f')),
  row('realpath.symlink-on-the-way', 'd/e/f=1 l->d/e', fs => fs.realpath(path('/l/f')), gives('/d/e/f')),
  row('realpath.chain', 'd/f=1 a->b b->c c->d', fs => fs.realpath(path('/a/f')), gives('/d/f')),
  row('realpath.dot-dot', 'd/e/ f=1', fs => fs.realpath(path('/d/e/../../f')), gives('/f')),
  row('realpath.missing', '', fs => fs.realpath(path('/f')), fails('ENOENT')),
  row('realpath.dangling', 'l->f', fs => fs.realpath(path('/l')), fails('ENOENT')),
]
