// `rm`, of one entry or of a whole tree. Symlinks are removed and never followed, so nothing outside the tree can be reached.

import { childPath, type VfsPath } from '../../core/path.ts'
import { isVfsError, VfsError } from '../error.ts'
import { needOptions } from '../input.ts'
import { call, type Primitives, type Steps } from '../steps.ts'
import type { RemoveOptions } from '../vfs.ts'

/** How often to empty a directory that another writer keeps filling, before failing with ENOTEMPTY. */
const maxPasses = 8

export function* removeTree(on: Primitives, path: VfsPath, options: RemoveOptions = {}): Steps<void> {
  needOptions(options, 'rm', { recursive: 1, force: 1, emptyDirectory: 1 })
  const stat = yield* lookupToRemove(on, path, options.force === true)
  if (stat === undefined) return
  if (path === '/') throw new VfsError('EBUSY', 'rm', { path, hint: 'the root cannot be removed; remove what is in it' })
  if (options.emptyDirectory === true) {
    yield* removeEntry(on, path, 'directory', options.force === true)
    return
  }
  if (stat.kind !== 'directory') {
    yield* removeEntry(on, path, 'file', options.force === true)
    return
  }
  if (options.recursive !== true) throw new VfsError('EISDIR', 'rm', { path, hint: 'use { recursive: true } for a directory' })
  yield* removeDirectory(on, path)
}

function* lookupToRemove(on: Primitives, path: VfsPath, isForced: boolean): Steps<{ readonly kind: string } | undefined> {
  try {
    return yield* call(on, 'lookup', path, { follow: false })
  } catch (error) {
    if (isForced && isVfsError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

/** Children first. Iterative, because a tree may be deeper than the call stack. */
function* removeDirectory(on: Primitives, top: VfsPath): Steps<void> {
  const stack: { readonly path: VfsPath; passes: number }[] = [{ path: top, passes: 0 }]
  for (let current = stack.at(-1); current !== undefined; current = stack.at(-1)) {
    const { path } = current
    if (current.passes++ >= maxPasses)
      throw new VfsError('ENOTEMPTY', 'rm', { path, hint: 'another writer keeps adding entries to it; stop that first' })
    const directories = yield* removeFiles(on, path)
    if (directories.length > 0) for (const directory of directories) stack.push({ path: directory, passes: 0 })
    else if (yield* removeIfEmpty(on, path)) stack.pop()
  }
}

/** Removes everything in `path` except directories, and returns those. */
function* removeFiles(on: Primitives, path: VfsPath): Steps<VfsPath[]> {
  const directories: VfsPath[] = []
  let entries
  try {
    entries = yield* call(on, 'list', path)
  } catch (error) {
    if (isVfsError(error, 'ENOENT')) return []
    throw error
  }
  for (const entry of entries) {
    const child = childPath(path, entry.name)
    if (entry.kind === 'directory') directories.push(child)
    else yield* removeEntry(on, child, 'file', true)
  }
  return directories
}

function* removeEntry(on: Primitives, path: VfsPath, kind: 'file' | 'directory', isMissingFine: boolean): Steps<void> {
  try {
    yield* call(on, 'remove', path, kind)
  } catch (error) {
    if (!isMissingFine || !isVfsError(error, 'ENOENT')) throw error
  }
}

function* removeIfEmpty(on: Primitives, path: VfsPath): Steps<boolean> {
  try {
    yield* removeEntry(on, path, 'directory', true)
    return true
  } catch (error) {
    if (isVfsError(error, 'ENOTEMPTY')) return false
    throw error
  }
}
