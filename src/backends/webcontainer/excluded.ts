// Directories that stay in the container: they are not in the mirror, so they look like missing. Whoever asks for one is told where it is,
// instead of being left to believe that it is not there.

import { pathNames, type VfsPath } from '../../core/path.ts'
import type { VfsTransaction } from '../../vfs/backend.ts'
import { VfsError, type VfsErrorCode } from '../../vfs/error.ts'

/** `fs`, which refuses what lies in a directory of one of `names`: ENOENT to look at it, EACCES to make or change it. */
export function refuseExcluded(fs: VfsTransaction, names: readonly string[]): VfsTransaction {
  if (names.length === 0) return fs
  const excluded = new Set(names)
  const check = (code: VfsErrorCode, syscall: string, ...paths: readonly VfsPath[]): void => {
    for (const path of paths) {
      const name = pathNames(path).find(part => excluded.has(part))
      if (name === undefined) continue
      const hint = `'${name}' stays in the container: look at it with a command, such as ls or cat`
      throw new VfsError(code, syscall, { path, hint })
    }
  }
  const lookAt = (syscall: string, path: VfsPath): void => check('ENOENT', syscall, path)
  const change = (syscall: string, ...paths: readonly VfsPath[]): void => check('EACCES', syscall, ...paths)
  return {
    lookup(path, options) {
      lookAt('stat', path)
      return fs.lookup(path, options)
    },
    list(path) {
      lookAt('scandir', path)
      return fs.list(path)
    },
    read(path, range) {
      lookAt('open', path)
      return fs.read(path, range)
    },
    readlink(path) {
      lookAt('readlink', path)
      return fs.readlink(path)
    },
    realpath(path) {
      lookAt('realpath', path)
      return fs.realpath(path)
    },
    write(path, data, options) {
      change('open', path)
      return fs.write(path, data, options)
    },
    mkdir(path, options) {
      change('mkdir', path)
      fs.mkdir(path, options)
    },
    remove(path, kind) {
      change('unlink', path)
      fs.remove(path, kind)
    },
    rename(from, to, options) {
      change('rename', from, to)
      fs.rename(from, to, options)
    },
    link(existing, path) {
      change('link', existing, path)
      fs.link(existing, path)
    },
    symlink(target, path) {
      change('symlink', path)
      fs.symlink(target, path)
    },
    setattr(path, attributes) {
      change('setattr', path)
      fs.setattr(path, attributes)
    },
  }
}
