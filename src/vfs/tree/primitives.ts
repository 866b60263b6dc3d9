// The filesystem's primitives over a tree: each resolves its paths once, checks what is allowed, and makes one edit. Results and errors are
// those of POSIX on Linux (docs/filesystem.md); the cases are in testing/vfs-contract.

import { basename, dirname, isInside, rootPath, type VfsPath } from '../../core/path.ts'
import { taken } from '../../core/taken.ts'
import { targetProblem } from '../link-target.ts'
import type { Attributes, Dirent, ReadRange, Stat, VfsSync, WriteOptions } from '../backend.ts'
import type { Patching } from '../patch-offer.ts'
import { failure, isVfsError, VfsError, type VfsErrorCode } from '../error.ts'
import { maxFileBytes } from './caps.ts'
import { appended, copied, packed, sliced } from './content.ts'
import type { Edit } from './edit.ts'
import type { Journal } from './journal.ts'
import { type FileNode, laterThan, statOf, type TreeNode } from './node.ts'
import { type Place, resolve } from './resolve.ts'
import { stale } from '../stale.ts'
import { areTimes } from '../times.ts'
import { newFacts, type Stamps } from './stamps.ts'
import type { Tree } from './tree.ts'
import { utf8Encoder } from '../../core/utf8-encoder.ts'

const permissionBits = 0o7777

/** `record` receives every edit after it was applied, and `admit` before: by default the journal, if there is one, stores it then. */
export function treePrimitives(
  tree: Tree,
  stamps: Stamps,
  record: (edit: Edit) => void,
  journal?: Journal,
  admit = (edit: Edit): void => journal?.admit([edit]),
): VfsSync {
  const commit = (edit: Edit, place: Place): void => {
    admit(edit)
    tree.apply(edit, place)
    record(edit)
  }

  const create = (place: Place, node: (Edit & { kind: 'put' })['node']): void => {
    commit({ kind: 'put', path: place.path, node, change: 'create', atMs: node.mtimeMs, rev: stamps.nextRev() }, place)
  }

  const makeDirectory = (place: Place, mode: number): void =>
    create(place, { kind: 'directory', ...newFacts(stamps, mode & permissionBits) })

  const makeMissing = (directory: VfsPath): void => {
    if (isThere(directory)) return
    makeMissing(dirname(directory))
    const place = resolve(tree, directory, false, 'mkdir')
    if (place.node === undefined) makeDirectory(place, 0o755)
    else if (!isThere(directory)) {
      throw failure('ENOENT', 'mkdir', directory, 'a dangling symlink')
    }
  }

  const isThere = (path: VfsPath): boolean => {
    try {
      return resolve(tree, path, true, 'stat').node !== undefined
    } catch (error) {
      if (isVfsError(error, 'ENOENT')) return false
      throw error
    }
  }

  return {
    lookup(path: VfsPath, options?: { readonly follow?: boolean }): Stat {
      const follow = options?.follow ?? true
      return statOf(nodeAt(tree, path, follow, follow ? 'stat' : 'lstat'))
    },

    list(path: VfsPath): Dirent[] {
      const node = nodeAt(tree, path, true, 'scandir')
      if (node.kind !== 'directory') throw failure('ENOTDIR', 'scandir', path)
      return node.entries.list()
    },

    read(path: VfsPath, range?: ReadRange): Uint8Array {
      return sliced(fileAt(tree, path).bytes, range, path)
    },

    write(path: VfsPath, data: Uint8Array, options: WriteOptions & Partial<Patching> = {}): Stat {
      const mode = options.create
      if (options.parents === true && mode !== 'never') {
        if (options.ifRev && !isThere(dirname(path))) throw stale('open', path, options.ifRev, 0)
        makeMissing(dirname(path))
      }
      const place = resolve(tree, path, mode !== 'exclusive', 'open', mode !== 'never')
      const old = place.node
      if (old === undefined && mode === 'never') throw failure('ENOENT', 'open', path)
      if (old !== undefined && mode === 'exclusive') throw failure('EEXIST', 'open', path)
      if (old !== undefined && old.kind !== 'file') throw failure('EISDIR', 'open', path)
      const oldRev = old?.rev ?? 0
      const { ifRev = oldRev } = options
      if (ifRev !== oldRev) throw stale('open', path, ifRev, oldRev)
      const kept = options.append === true ? old?.bytes : undefined
      if ((kept?.length ?? 0) + data.length > maxFileBytes) throw failure('EFBIG', 'write', path)
      const bytes =
        (old && options.patch && (journal ?? options).patch?.(old.bytes, data, options.at ?? 0)) ??
        journal?.hold(data, old?.bytes, kept !== undefined, options.transfer) ??
        (kept !== undefined
          ? appended(kept, data)
          : options.transfer === true
            ? taken(data)
            : old === undefined
              ? packed(data)
              : copied(data))
      const atMs = stamps.nowMs()
      const written: FileNode = {
        kind: 'file',
        bytes,
        nlink: old?.nlink ?? 1,
        mode: old?.mode ?? (options.mode ?? 0o644) & permissionBits,
        mtimeMs: laterThan(old?.mtimeMs, atMs),
        ctimeMs: laterThan(old?.ctimeMs, atMs),
        // A new inode number, so that a program that compares stats sees the change whatever the clock does.
        ino: stamps.nextIno(),
        rev: stamps.nextRev(),
        extra: old?.extra,
      }
      const rev = old === undefined ? stamps.nextRev() : written.rev
      commit({ kind: 'put', path: place.path, node: written, change: old === undefined ? 'create' : 'modify', atMs, rev }, place)
      return statOf(written)
    },

    mkdir(path: VfsPath, options?: { readonly mode?: number }): void {
      const place = resolve(tree, path, false, 'mkdir')
      if (place.node !== undefined) throw failure('EEXIST', 'mkdir', path)
      makeDirectory(place, options?.mode ?? 0o755)
    },

    remove(path: VfsPath, kind: 'file' | 'directory'): void {
      const isDirectory = kind === 'directory'
      const syscall = isDirectory ? 'rmdir' : 'unlink'
      const place = resolve(tree, path, false, syscall)
      const node = existing(place, path, syscall)
      if (isDirectory !== (node.kind === 'directory')) throw failure(isDirectory ? 'ENOTDIR' : 'EISDIR', syscall, path)
      if (path === rootPath) throw failure('EBUSY', syscall, path)
      // A directory that is named by '..' contains at least the directory that the '..' was resolved in.
      if (node.kind === 'directory' && (node.entries.size > 0 || basename(path) === '..'))
        throw failure('ENOTEMPTY', syscall, path)
      commit({ kind: 'drop', path: place.path, entry: node.kind, atMs: stamps.nowMs(), rev: stamps.nextRev() }, place)
    },

    rename(from: VfsPath, to: VfsPath, options?: { readonly noReplace?: boolean }): void {
      const source = resolve(tree, from, false, 'rename')
      const target = resolve(tree, to, false, 'rename')
      const refuse = refusal('rename', from, to)
      const moved = source.node
      const replaced = target.node
      // In this order, as on Linux: first refuse what can never be renamed, then report what is missing.
      if (isNoName(from)) throw refuse('EBUSY')
      if (isNoName(to)) throw refuse(options?.noReplace === true ? 'EEXIST' : 'EBUSY')
      if (moved === undefined) throw refuse('ENOENT')
      if (replaced !== undefined && options?.noReplace === true) throw refuse('EEXIST')
      // Both are names of one file and stay so: POSIX says that rename does nothing then.
      if (moved === replaced) return
      if (moved.kind === 'directory' && isInside(target.path, source.path)) throw refuse('EINVAL')
      // The parent directory of the moved entry is not empty, whatever the entry is.
      if (isInside(source.path, target.path)) throw refuse('ENOTEMPTY')
      if (replaced?.kind === 'directory') {
        if (moved.kind !== 'directory') throw refuse('EISDIR')
        if (replaced.entries.size > 0) throw refuse('ENOTEMPTY')
      } else if (replaced !== undefined && moved.kind === 'directory') throw refuse('ENOTDIR')
      const facts = { entry: moved.kind, nodeRev: moved.rev, atMs: stamps.nowMs(), rev: stamps.nextRev() }
      commit({ kind: 'move', path: target.path, from: source.path, ...facts }, target)
    },

    link(existingPath: VfsPath, path: VfsPath): void {
      const refuse = refusal('link', existingPath, path)
      const source = resolve(tree, existingPath, false, 'link')
      if (source.node === undefined) throw refuse('ENOENT')
      const target = resolve(tree, path, false, 'link')
      if (target.node !== undefined) throw refuse('EEXIST')
      if (source.node.kind === 'directory') throw refuse('EPERM')
      const facts = { entry: source.node.kind, nodeRev: source.node.rev, atMs: stamps.nowMs(), rev: stamps.nextRev() }
      commit({ kind: 'link', path: target.path, existing: source.path, ...facts }, target)
    },

    symlink(target: string, path: VfsPath): void {
      const refuse = refusal('symlink', target, path)
      const problem = targetProblem(target)
      if (problem !== undefined) throw refuse(problem.code, problem.reason)
      const place = resolve(tree, path, false, 'symlink')
      if (place.node !== undefined) throw refuse('EEXIST')
      create(place, {
        kind: 'symlink',
        target,
        sizeBytes: utf8Encoder.encode(target).length,
        nlink: 1,
        ...newFacts(stamps, 0o777),
      })
    },

    readlink(path: VfsPath): string {
      const node = nodeAt(tree, path, false, 'readlink')
      if (node.kind !== 'symlink') throw failure('EINVAL', 'readlink', path, 'not a symlink')
      return node.target
    },

    realpath(path: VfsPath): VfsPath {
      const place = resolve(tree, path, true, 'realpath')
      existing(place, path, 'realpath')
      return place.path
    },

    setattr(path: VfsPath, attributes: Attributes): void {
      const { mode, mtimeMs, follow = true, ...extra } = attributes
      const syscall = mtimeMs === undefined ? 'chmod' : 'utime'
      const place = resolve(tree, path, follow, syscall)
      const node = existing(place, path, syscall)
      if (!areTimes(mtimeMs, attributes.atimeMs)) throw failure('EINVAL', syscall, path)
      const atMs = stamps.nowMs()
      const facts = {
        mode: (mode ?? node.mode) & permissionBits,
        mtimeMs: mtimeMs ?? node.mtimeMs,
        ctimeMs: laterThan(node.ctimeMs, atMs),
        ino: node.ino,
        rev: stamps.nextRev(),
        extra: Object.keys(extra).length > 0 ? { ...node.extra, ...extra } : node.extra,
      }
      const changed = node.kind === 'directory' ? ({ kind: 'directory', ...facts } as const) : { ...node, ...facts }
      commit({ kind: 'put', path: place.path, node: changed, change: 'attributes', atMs, rev: facts.rev }, place)
    },
  }
}

/** Makes the errors of an operation with two paths. */
function refusal(syscall: string, path: string, dest: string): (code: VfsErrorCode, hint?: string) => VfsError {
  return (code, hint) => new VfsError(code, syscall, { path, dest, hint })
}

/** The root, or a path that ends in '..': neither is a name in a directory. */
function isNoName(path: VfsPath): boolean {
  return path === rootPath || basename(path) === '..'
}

/** The file that `read` reads. */
export function fileAt(tree: Tree, path: VfsPath): FileNode {
  const node = nodeAt(tree, path, true, 'open')
  if (node.kind !== 'file') throw failure('EISDIR', 'read', path)
  return node
}

function nodeAt(tree: Tree, path: VfsPath, follow: boolean, syscall: string): TreeNode {
  return existing(resolve(tree, path, follow, syscall), path, syscall)
}

function existing(place: Place, path: VfsPath, syscall: string): TreeNode {
  if (place.node === undefined) throw failure('ENOENT', syscall, path)
  return place.node
}
