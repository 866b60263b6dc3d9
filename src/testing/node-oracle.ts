// Node's filesystem in a temporary directory, behind our port: every rule of the contract must hold there too, or the contract is wrong.
// Only for tests: it confines links, but unlike a real backend not all paths.

import { promises as fs, mkdtempSync, rmSync, type Stats, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parsePath, type VfsPath } from '../core/path.ts'
import type { EntryKind, Stat, VfsBackend, VfsCaps } from '../vfs/backend.ts'
import { isVfsErrorCode, VfsError } from '../vfs/error.ts'

const caps: VfsCaps = {
  sync: false,
  persistent: true,
  readonly: false,
  symlinks: 'native',
  hardlinks: true,
  mode: true,
  mtime: 'approximate',
  atomicWrite: false,
  atomicRename: true,
  transactions: false,
  snapshots: false,
  watch: 'none',
  ranges: true,
  caseSensitive: true,
  maxNameBytes: 255,
  maxFileBytes: 2 ** 31 - 1,
}

export function nodeOracle(): VfsBackend {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'vfs-contract-')))
  const inside = (path: string): string => root + path
  const outside = (path: string): string => (path.startsWith(root) ? path.slice(root.length) || '/' : path)

  /** Errors contain our paths, and codes that have another name on Linux are converted to ours. */
  const on = async <T>(path: string, act: () => Promise<T>, dest?: string): Promise<T> => {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || !('syscall' in error) || !isVfsErrorCode(error.code)) throw error
      throw new VfsError(error.code, String(error.syscall), { path, dest, cause: error })
    }
  }
  const refuseRoot = (path: string, code: 'EBUSY' | 'EISDIR' | 'EEXIST', syscall: string): void => {
    if (path === '/') throw new VfsError(code, syscall, { path })
  }

  return {
    caps,
    lookup: (path, options) =>
      on(path, async () => statOf(await (options?.follow === false ? fs.lstat(inside(path)) : fs.stat(inside(path))))),
    list: path =>
      on(path, async () => {
        const entries = await fs.readdir(inside(path), { withFileTypes: true })
        return entries.map(entry => ({ name: entry.name, kind: kindOf(entry) })).sort((a, b) => (a.name < b.name ? -1 : 1))
      }),
    read: (path, range = {}) =>
      on(path, async () => {
        const { start = 0, end = Infinity } = range
        if (![start, end].every(offset => offset === Infinity || (Number.isSafeInteger(offset) && offset >= 0))) {
          throw new VfsError('EINVAL', 'read', { path })
        }
        return new Uint8Array((await fs.readFile(inside(path))).subarray(start, Math.max(start, end)))
      }),
    write: (path, data, options = {}) =>
      on(path, async () => {
        const { create = 'if-missing', append = false, mode = 0o644, parents = false } = options
        if (parents && create !== 'never') await fs.mkdir(inside(path.slice(0, path.lastIndexOf('/'))), { recursive: true })
        const before = append ? 'a' : 'w'
        const flag = create === 'exclusive' ? `${before}x` : create === 'never' ? 'r+' : before
        if (create === 'never') await fs.truncate(inside(path), 0)
        await fs.writeFile(inside(path), data, { flag, mode })
        return statOf(await fs.stat(inside(path)))
      }),
    mkdir: (path, options) => on(path, () => fs.mkdir(inside(path), { mode: options?.mode ?? 0o755 }).then(() => undefined)),
    remove: (path, kind) =>
      on(path, () => {
        refuseRoot(path, 'EBUSY', 'rmdir')
        return kind === 'file' ? fs.unlink(inside(path)) : fs.rmdir(inside(path))
      }),
    rename: (from, to, options) =>
      on(
        from,
        async () => {
          refuseRoot(from, 'EBUSY', 'rename')
          refuseRoot(to, 'EBUSY', 'rename')
          if (options?.noReplace === true && (await fs.lstat(inside(to)).catch(() => undefined)) !== undefined) {
            throw new VfsError('EEXIST', 'rename', { path: from, dest: to })
          }
          await fs.rename(inside(from), inside(to))
        },
        to,
      ),
    link: (existing, path) => on(existing, () => fs.link(inside(existing), inside(path)), path),
    symlink: (target, path) => on(target, () => fs.symlink(target.startsWith('/') ? inside(target) : target, inside(path)), path),
    readlink: path => on(path, async () => outside(await fs.readlink(inside(path)))),
    realpath: path => on(path, async (): Promise<VfsPath> => parsePath(outside(await fs.realpath(inside(path))))),
    setattr: (path, { mode, mtimeMs, follow = true }) =>
      on(path, async () => {
        if (mode !== undefined && follow) await fs.chmod(inside(path), mode)
        if (mtimeMs === undefined) return
        if (follow) await fs.utimes(inside(path), mtimeMs / 1000, mtimeMs / 1000)
        else await fs.lutimes(inside(path), mtimeMs / 1000, mtimeMs / 1000)
      }),
    flush: async () => {},
    close: async () => rmSync(root, { recursive: true, force: true }),
  }
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): EntryKind {
  return entry.isDirectory() ? 'directory' : entry.isFile() ? 'file' : 'symlink'
}

function statOf(stats: Stats): Stat {
  const { size, mode, ino, nlink } = stats
  // Floating-point seconds are slightly inaccurate: an integer millisecond may be returned as a fraction below it.
  const [mtimeMs, ctimeMs] = [Math.floor(stats.mtimeMs + 0.01), Math.floor(stats.ctimeMs)]
  // The nanosecond of the last change is not a revision, but usually differs.
  return {
    kind: kindOf(stats),
    sizeBytes: size,
    mode: mode & 0o777,
    mtimeMs,
    ctimeMs,
    ino,
    rev: Math.floor(stats.ctimeMs * 1000),
    nlink,
  }
}
