// Removing one entry, only of the requested kind.

import { fails, leaves, path, row, type VfsCase } from './context.ts'

export const removeCases: readonly VfsCase[] = [
  row('remove.file', 'f=1 g=2', fs => fs.remove(path('/f'), 'file'), leaves('g=2')),
  row('remove.symlink-not-its-target', 'f=1 l->f', fs => fs.remove(path('/l'), 'file'), leaves('f=1')),
  row('remove.symlink-to-a-directory', 'd/ l->d', fs => fs.remove(path('/l'), 'file'), leaves('d/')),
  row('remove.directory', 'd/ e/', fs => fs.remove(path('/d'), 'directory'), leaves('e/')),
  row('remove.file-missing', '', fs => fs.remove(path('/f'), 'file'), fails('ENOENT')),
  row('remove.directory-missing', '', fs => fs.remove(path('/d'), 'directory'), fails('ENOENT')),
  row('remove.file-but-it-is-a-directory', 'd/', fs => fs.remove(path('/d'), 'file'), fails('EISDIR')),
  row('remove.directory-but-it-is-a-file', 'f=1', fs => fs.remove(path('/f'), 'directory'), fails('ENOTDIR')),
  row('remove.directory-but-it-is-a-symlink', 'd/ l->d', fs => fs.remove(path('/l'), 'directory'), fails('ENOTDIR')),
  row('remove.directory-with-entries', 'd/f=1', fs => fs.remove(path('/d'), 'directory'), fails('ENOTEMPTY')),
  row('remove.below-a-file', 'f=1', fs => fs.remove(path('/f/g'), 'file'), fails('ENOTDIR')),
  row('remove.root', '', fs => fs.remove(path('/'), 'directory'), fails('EBUSY')),
]
