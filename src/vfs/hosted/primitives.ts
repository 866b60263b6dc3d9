// The port's primitives over a disk: each resolves its paths once, checks what is allowed, and performs one action. The host receives no
// call that it could interpret differently. The rules are those of the tree (docs/filesystem.md); the cases are in the contract.

import { defined } from '../../core/record.ts'
import { basename, dirname, isInside, rootPath, type VfsPath } from '../../core/path.ts'
import { targetProblem } from '../link-target.ts'
import type { Change, ReadRange, Stat, VfsSync, WriteOptions } from '../backend.ts'
import { VfsError } from '../error.ts'
import type { Patching } from '../patch-offer.ts'
import { stale } from '../stale.ts'
import { areTimes, wantedTimes } from '../times.ts'
import type { Disk, DiskStat } from './disk.ts'
import { fromHost } from './host-errors.ts'
import { type Place, resolve } from './resolve.ts'

export type UnnumberedChange = Omit<Change, 'seq'>

export interface HostedOptions {
  readonly maxFileBytes: number
  /** Runs around each primitive. */
  within<T>(act: () => T): T
  /** Receives every change, after it happened. */
  readonly record: (change: UnnumberedChange) => void
}

// Without the setuid, setgid and sticky bits: on a real disk they would give the host's rights to a program.
const permissionBits = 0o777

export function hostedPrimitives(disk: Disk, options: HostedOptions): VfsSync {
  const { record, maxFileBytes } = options

  const perform = <T>(path: string, act: () => T, dest?: string): T => {
    try {
      return options.within(act)
    } catch (error) {
      throw fromHost(error, path, dest)
    }
  }

  const tell = (type: Change['type'], path: VfsPath, { kind, rev }: Stat): void => record({ type, path, kind, rev })

  const makeMissingParents = (path: VfsPath, writeOptions: WriteOptions): void => {
    const missing: VfsPath[] = []
    for (let directory = dirname(path); directory !== rootPath && !isThere(directory); directory = dirname(directory))
      missing.push(directory)
    if (missing.length === 0) return
    if (writeOptions.create === 'never') throw new VfsError('ENOENT', 'open', { path })
    if (writeOptions.ifRev !== undefined && writeOptions.ifRev !== 0) throw stale('open', path, writeOptions.ifRev, 0)
    for (const directory of missing.toReversed()) {
      const place = resolve(disk, directory, false, 'mkdir')
      if (place.node === undefined) tell('create', place.path, disk.mkdir(place.path, 0o755))
      else if (resolve(disk, directory, true, 'mkdir').node === undefined) {
        throw new VfsError('ENOENT', 'mkdir', { path: directory, hint: 'a dangling symlink' })
      }
    }
  }

  const isThere = (path: VfsPath): boolean => {
    try {
      return resolve(disk, path, true, 'stat').node !== undefined
    } catch (error) {
      if (error instanceof VfsError && error.code === 'ENOENT') return false
      throw error
    }
  }

  const write = (path: VfsPath, data: Uint8Array, writeOptions: WriteOptions & Partial<Patching>): Stat => {
    if (writeOptions.parents === true) makeMissingParents(path, writeOptions)
    const { create = 'if-missing', append = false, ifRev, mode = 0o644, at } = writeOptions
    const { path: real, node: old } = resolve(disk, path, create !== 'exclusive', 'open', create !== 'never')
    if (old === undefined && create === 'never') throw new VfsError('ENOENT', 'open', { path })
    if (old !== undefined && create === 'exclusive') throw new VfsError('EEXIST', 'open', { path })
    if (old !== undefined && old.kind !== 'file') throw new VfsError('EISDIR', 'open', { path })
    if (old !== undefined) refuseSpecial(old, path, 'open')
    if (ifRev !== undefined && ifRev !== (old?.rev ?? 0)) throw stale('open', path, ifRev, old?.rev ?? 0)
    if ((append ? (old?.sizeBytes ?? 0) : (at ?? 0)) + data.length > maxFileBytes)
      throw new VfsError('EFBIG', 'write', { path, hint: `a file can have at most ${maxFileBytes} bytes` })
    const stat = disk.write(real, data, { mode: mode & permissionBits, append: append && old !== undefined, at })
    tell(old === undefined ? 'create' : 'modify', real, stat)
    return stat
  }

  const rename = (from: VfsPath, to: VfsPath, noReplace: boolean): void => {
    const refuse = (code: 'EBUSY' | 'EEXIST' | 'EINVAL' | 'EISDIR' | 'ENOTDIR' | 'ENOTEMPTY', hint?: string): VfsError =>
      new VfsError(code, 'rename', { path: from, dest: to, hint })
    const source = resolve(disk, from, false, 'rename')
    const target = resolve(disk, to, false, 'rename')
    const [moved, replaced] = [source.node, target.node]
    // In this order, as on Linux: first refuse what can never be renamed, then report what is missing.
    if (isNoName(from)) throw refuse('EBUSY', noNameHint)
    if (isNoName(to)) throw refuse(noReplace ? 'EEXIST' : 'EBUSY', noNameHint)
    if (moved === undefined) throw new VfsError('ENOENT', 'rename', { path: from, dest: to })
    if (replaced !== undefined && noReplace) throw refuse('EEXIST')
    // Both are names of one file and stay so: POSIX says that rename does nothing then.
    if (source.path === target.path || (moved.kind !== 'directory' && moved.nlink > 1 && moved.ino === replaced?.ino)) return
    if (moved.kind === 'directory' && isInside(target.path, source.path))
      throw refuse('EINVAL', 'a directory cannot move into itself')
    // The parent directory of the moved entry is not empty, whatever the entry is.
    if (isInside(source.path, target.path)) throw refuse('ENOTEMPTY')
    if (replaced?.kind === 'directory') {
      if (moved.kind !== 'directory') throw refuse('EISDIR')
      if (disk.list(target.path).length > 0) throw refuse('ENOTEMPTY')
    } else if (replaced !== undefined && moved.kind === 'directory') throw refuse('ENOTDIR')
    disk.rename(source.path, target.path)
    record({ type: 'move', path: target.path, oldPath: source.path, kind: moved.kind, rev: moved.rev })
  }

  return {
    lookup: (path, { follow = true } = {}) =>
      perform(path, () => {
        const syscall = follow ? 'stat' : 'lstat'
        const { isSpecial: _isSpecial, ...stat } = existing(resolve(disk, path, follow, syscall), path, syscall)
        return stat
      }),

    list: path =>
      perform(path, () => {
        const place = resolve(disk, path, true, 'scandir')
        if (existing(place, path, 'scandir').kind !== 'directory') throw new VfsError('ENOTDIR', 'scandir', { path })
        return disk.list(place.path)
      }),

    read: (path, range) =>
      perform(path, () => {
        const place = resolve(disk, path, true, 'open')
        const node = existing(place, path, 'open')
        if (node.kind !== 'file') throw new VfsError('EISDIR', 'read', { path })
        refuseSpecial(node, path, 'read')
        const [start, end] = checkedRange(range, path)
        return start >= end ? new Uint8Array() : disk.read(place.path, start, end)
      }),

    write: (path, data, writeOptions = {}) => perform(path, () => write(path, data, writeOptions)),

    mkdir: (path, mkdirOptions) =>
      perform(path, () => {
        const place = resolve(disk, path, false, 'mkdir')
        if (place.node !== undefined) throw new VfsError('EEXIST', 'mkdir', { path })
        tell('create', place.path, disk.mkdir(place.path, (mkdirOptions?.mode ?? 0o755) & permissionBits))
      }),

    remove: (path, kind) =>
      perform(path, () => {
        const syscall = kind === 'file' ? 'unlink' : 'rmdir'
        const place = resolve(disk, path, false, syscall)
        const node = existing(place, path, syscall)
        if (kind === 'file' && node.kind === 'directory') throw new VfsError('EISDIR', syscall, { path })
        if (kind === 'directory' && node.kind !== 'directory') throw new VfsError('ENOTDIR', syscall, { path })
        // A directory that is named by '..' contains at least the directory that the '..' was resolved in.
        if (kind === 'directory' && basename(path) === '..') throw new VfsError('ENOTEMPTY', syscall, { path })
        if (place.path === rootPath) throw new VfsError('EBUSY', syscall, { path, hint: 'the root cannot be removed' })
        if (kind === 'file') disk.unlink(place.path)
        else {
          if (disk.list(place.path).length > 0) throw new VfsError('ENOTEMPTY', syscall, { path })
          disk.rmdir(place.path)
        }
        tell('delete', place.path, node)
      }),

    rename: (from, to, renameOptions) => perform(from, () => rename(from, to, renameOptions?.noReplace ?? false), to),

    link: (existingPath, path) =>
      perform(
        existingPath,
        () => {
          const source = resolve(disk, existingPath, false, 'link')
          if (source.node === undefined) throw new VfsError('ENOENT', 'link', { path: existingPath, dest: path })
          const target = resolve(disk, path, false, 'link')
          if (target.node !== undefined) throw new VfsError('EEXIST', 'link', { path: existingPath, dest: path })
          if (source.node.kind === 'directory') throw new VfsError('EPERM', 'link', { path: existingPath, dest: path })
          tell('create', target.path, disk.link(source.path, target.path))
        },
        path,
      ),

    symlink: (target, path) =>
      perform(
        target,
        () => {
          const problem = targetProblem(target)
          if (problem !== undefined)
            throw new VfsError(problem.code, 'symlink', { path: target, dest: path, hint: problem.reason })
          const place = resolve(disk, path, false, 'symlink')
          if (place.node !== undefined) throw new VfsError('EEXIST', 'symlink', { path: target, dest: path })
          tell('create', place.path, disk.symlink(target, place.path))
        },
        path,
      ),

    readlink: path =>
      perform(path, () => {
        const place = resolve(disk, path, false, 'readlink')
        if (existing(place, path, 'readlink').kind !== 'symlink')
          throw new VfsError('EINVAL', 'readlink', { path, hint: 'not a symlink' })
        return disk.readlink(place.path)
      }),

    realpath: path =>
      perform(path, () => {
        const place = resolve(disk, path, true, 'realpath')
        existing(place, path, 'realpath')
        return place.path
      }),

    setattr: (path, { mode, mtimeMs, atimeMs, follow = true }) =>
      perform(path, () => {
        const syscall = mtimeMs === undefined ? 'chmod' : 'utime'
        const place = resolve(disk, path, follow, syscall)
        existing(place, path, syscall)
        if (!areTimes(mtimeMs, atimeMs)) throw new VfsError('EINVAL', syscall, { path, hint: wantedTimes })
        const bits = mode === undefined ? undefined : mode & permissionBits
        const stat = disk.setattr(place.path, defined({ mode: bits, mtimeMs, atimeMs }))
        tell('attributes', place.path, stat)
      }),
  }
}

const noNameHint = "the root cannot be renamed, and a directory only by its name and not by '..'"

/** The root, or a path that ends in '..': neither is a name in a directory. */
function isNoName(path: VfsPath): boolean {
  return path === rootPath || basename(path) === '..'
}

function existing(place: Place, path: VfsPath, syscall: string): DiskStat {
  if (place.node === undefined) throw new VfsError('ENOENT', syscall, { path })
  return place.node
}

function refuseSpecial(node: DiskStat, path: VfsPath, syscall: string): void {
  if (node.isSpecial !== true) return
  throw new VfsError('ENOTSUP', syscall, { path, hint: 'it is a device, a pipe or a socket, not a file' })
}

function checkedRange({ start = 0, end = Infinity }: ReadRange = {}, path: VfsPath): readonly [start: number, end: number] {
  const isOffset = (value: number): boolean => Number.isSafeInteger(value) && value >= 0
  if (isOffset(start) && (end === Infinity || isOffset(end))) return [start, end]
  throw new VfsError('EINVAL', 'read', { path, hint: `a range of bytes must be two integers from 0 up, not ${start} to ${end}` })
}
