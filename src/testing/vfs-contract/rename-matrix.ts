// What a rename may replace: the table in docs/filesystem.md. Several filesystems get it wrong and lose files.

import type { VfsBackend } from '../../vfs/backend.ts'
import { fails, leaves, path, row, type VfsCase } from './context.ts'

const rename =
  (from: string, to: string) =>
  (fs: VfsBackend): Promise<void> =>
    fs.rename(path(from), path(to))

export const renameMatrixCases: readonly VfsCase[] = [
  row('rename-matrix.file-to-new', 'a=1', rename('/a', '/b'), leaves('b=1')),
  row('rename-matrix.file-over-file', 'a=1 b=2', rename('/a', '/b'), leaves('b=1')),
  row('rename-matrix.file-over-symlink', 'a=1 b=2 l->b', rename('/a', '/l'), leaves('b=2 l=1')),
  row('rename-matrix.file-over-empty-directory', 'a=1 d/', rename('/a', '/d'), fails('EISDIR')),
  row('rename-matrix.file-over-full-directory', 'a=1 d/f=2', rename('/a', '/d'), fails('EISDIR')),
  row('rename-matrix.directory-to-new', 'd/f=1', rename('/d', '/e'), leaves('e/f=1')),
  row('rename-matrix.directory-over-file', 'd/f=1 a=1', rename('/d', '/a'), fails('ENOTDIR')),
  row('rename-matrix.directory-over-symlink', 'd/f=1 e/ l->e', rename('/d', '/l'), fails('ENOTDIR')),
  row('rename-matrix.directory-over-empty-directory', 'd/f=1 e/', rename('/d', '/e'), leaves('e/f=1')),
  row('rename-matrix.directory-over-full-directory', 'd/f=1 e/g=2', rename('/d', '/e'), fails('ENOTEMPTY')),
  row('rename-matrix.directory-into-itself', 'd/f=1', rename('/d', '/d/e'), fails('EINVAL')),
  row('rename-matrix.directory-deep-into-itself', 'd/e/f=1', rename('/d', '/d/e/g'), fails('EINVAL')),
  row('rename-matrix.directory-into-itself-by-symlink', 'd/f=1 l->d', rename('/d', '/l/e'), fails('EINVAL')),
  row('rename-matrix.directory-over-its-parent', 'd/e/f=1', rename('/d/e', '/d'), fails('ENOTEMPTY')),
  row('rename-matrix.symlink-to-new', 'f=1 l->f', rename('/l', '/m'), leaves('f=1 m->f')),
  row('rename-matrix.symlink-over-file', 'f=1 l->x', rename('/l', '/f'), leaves('f->x')),
  row('rename-matrix.symlink-over-directory', 'd/ l->x', rename('/l', '/d'), fails('EISDIR')),
  row('rename-matrix.file-to-itself', 'a=1', rename('/a', '/a'), leaves('a=1')),
  row('rename-matrix.directory-to-itself', 'd/f=1', rename('/d', '/d'), leaves('d/f=1')),
  row('rename-matrix.missing-source', 'b=2', rename('/a', '/b'), fails('ENOENT')),
  row('rename-matrix.missing-target-directory', 'a=1', rename('/a', '/d/b'), fails('ENOENT')),
  row('rename-matrix.target-below-a-file', 'a=1 f=2', rename('/a', '/f/b'), fails('ENOTDIR')),
  row('rename-matrix.source-below-a-file', 'f=2', rename('/f/a', '/b'), fails('ENOTDIR')),
  row('rename-matrix.to-another-directory', 'd/f=1 e/', rename('/d/f', '/e/g'), leaves('d/ e/g=1')),
  row('rename-matrix.through-a-symlinked-directory', 'd/f=1 l->d', rename('/l/f', '/g'), leaves('d/ g=1 l->d')),
  row('rename-matrix.prefix-is-not-inside', 'd/f=1', rename('/d', '/dd'), leaves('dd/f=1')),
  row('rename-matrix.root', 'd/', rename('/', '/d/e'), fails('EBUSY')),
  row('rename-matrix.onto-root', 'd/', rename('/d', '/'), fails('EBUSY')),
]
