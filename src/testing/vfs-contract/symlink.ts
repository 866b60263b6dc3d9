// Creating and reading symlinks. Following them is covered in symlinks.ts.

import type { VfsBackend } from '../../vfs/backend.ts'
import { fails, gives, leaves, path, row, type VfsCase } from './context.ts'

const symlink =
  (target: string, at: string) =>
  (fs: VfsBackend): Promise<void> =>
    fs.symlink(target, path(at))
const readlink =
  (target: string) =>
  async (fs: VfsBackend): Promise<string> => {
    await fs.symlink(target, path('/l'))
    return fs.readlink(path('/l'))
  }

export const symlinkCases: readonly VfsCase[] = [
  row('symlink.to-nothing', '', symlink('f', '/l'), leaves('l->f'), ['symlinks']),
  row('symlink.there', 'f=1', symlink('x', '/f'), fails('EEXIST'), ['symlinks']),
  row('symlink.on-a-symlink', 'l->f', symlink('x', '/l'), fails('EEXIST')),
  row('symlink.on-the-root', '', symlink('x', '/'), fails('EEXIST'), ['symlinks']),
  row('symlink.missing-parent', '', symlink('f', '/d/l'), fails('ENOENT'), ['symlinks']),
  row('symlink.empty-target', '', symlink('', '/l'), fails('ENOENT'), ['symlinks']),
  row('symlink.target-too-long', '', symlink('x'.repeat(4096), '/l'), fails('ENAMETOOLONG'), ['symlinks']),
  row('symlink.kind', 'l->f', async fs => (await fs.lookup(path('/l'), { follow: false })).kind, gives('symlink')),
]

export const readlinkCases: readonly VfsCase[] = [
  row('readlink.keeps-the-target-as-given', '', readlink('.././/x/'), gives('.././/x/'), ['symlinks']),
  row('readlink.absolute', '', readlink('/a/b'), gives('/a/b'), ['symlinks']),
  row('readlink.unicode', '', readlink('é/💾'), gives('é/💾'), ['symlinks']),
  row('readlink.target-with-a-long-name', '', readlink('x'.repeat(300)), gives('x'.repeat(300)), ['symlinks']),
  row('readlink.missing', '', fs => fs.readlink(path('/l')), fails('ENOENT'), ['symlinks']),
  row('readlink.file', 'f=1', fs => fs.readlink(path('/f')), fails('EINVAL'), ['symlinks']),
  row('readlink.directory', 'd/', fs => fs.readlink(path('/d')), fails('EINVAL'), ['symlinks']),
]
