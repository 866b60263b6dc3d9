// The only place where a path is followed. '..' and symlinks are resolved in the order in which they appear, as in POSIX:
// `/link/..` is the parent of the link's target, and not the directory that contains the link.

import { childPath, pathNames, rootPath, type VfsPath } from '../../core/path.ts'
import { failure } from '../error.ts'
import { endingSlash, maxSymlinkHops, targetNames } from '../link-target.ts'
import type { DirectoryNode, TreeNode } from './node.ts'
import { nodeOf, type Version } from './tree.ts'

/** Where a path leads. The parent exists even if the node does not; only the root has no parent. */
export interface Place {
  /** Real: no '..', no symlink before the last name. */
  readonly path: VfsPath
  readonly parent: DirectoryNode | undefined
  readonly name: string
  readonly node: TreeNode | undefined
}

export interface Resolvable extends Version {
  readonly isEnded: boolean
  /** See `Tree.recent`. */
  recent: DirectoryNode | undefined
  recentPath: string
}

/**
 * `follow`: whether to follow a symlink as the last name. `isMaking`: whether a missing file will be created.
 * Throws ENOENT, ENOTDIR or ELOOP for the names before the last one.
 */
export function resolve(tree: Resolvable, path: VfsPath, follow: boolean, syscall: string, isMaking = false): Place {
  if (tree.isEnded) throw failure('EBADF', syscall, path, 'its transaction has ended; await it')
  return resolvePlain(tree, path, follow) ?? resolveFully(tree, path, follow, syscall, isMaking)
}

/** The usual case without allocations: every name before the last is a directory. `undefined` for all other cases. */
function resolvePlain(tree: Resolvable, path: VfsPath, follow: boolean): Place | undefined {
  if (path === rootPath) return rootOf(tree)
  const isRecent = path.startsWith(tree.recentPath) && !path.includes('/', tree.recentPath.length)
  const parent = isRecent ? tree.recent : plainDirectory(tree, path, path.lastIndexOf('/') + 1)
  if (parent === undefined) return undefined
  const name = path.slice(tree.recentPath.length)
  const entry = parent.entries.get(name)
  if (entry === undefined) return name === '..' ? undefined : { path, parent, name, node: undefined }
  if (entry.kind === 'symlink' && follow) return undefined
  return { path, parent, name, node: nodeOf(tree, entry) }
}

interface DirectoryPlace extends Place {
  readonly node: DirectoryNode
}

function rootOf({ root }: Version): DirectoryPlace {
  return { path: rootPath, parent: undefined, name: '', node: root }
}

/** Finds the directory and stores it as the recent one. */
function plainDirectory(tree: Resolvable, path: VfsPath, length: number): DirectoryNode | undefined {
  let directory = tree.root
  for (let start = 1; start < length;) {
    const end = path.indexOf('/', start)
    const child = directory.entries.get(path.slice(start, end))
    if (child?.kind !== 'directory') return undefined
    directory = child
    start = end + 1
  }
  tree.recentPath = path.slice(0, length)
  tree.recent = directory
  return directory
}

function resolveFully(tree: Version, path: VfsPath, follow: boolean, syscall: string, isMaking: boolean): Place {
  /** The directories on the way so far, below the root. */
  let trail: DirectoryPlace[] = []
  const pending = pathNames(path).toReversed()
  let hops = 0
  for (;;) {
    const name = pending.pop()
    const here = trail.at(-1) ?? rootOf(tree)
    if (name === undefined) return here
    if (name === '.' || name === endingSlash) continue
    if (name === '..') {
      trail.pop()
      continue
    }
    // Linux creates no file under a name with a '/' at the end, not even if the name leads to an existing file.
    if (isMaking && pending.length === 1 && pending[0] === endingSlash) throw failure('EISDIR', syscall, path)
    const isLast = pending.length === 0
    const entry = here.node.entries.get(name)
    const node = entry && nodeOf(tree, entry)
    const place = { path: childPath(here.path, name), parent: here.node, name, node }
    if (node?.kind === 'directory') {
      trail.push({ ...place, node })
      continue
    }
    if (node?.kind === 'symlink' && (!isLast || follow)) {
      if (++hops > maxSymlinkHops) throw failure('ELOOP', syscall, path)
      pending.push(...targetNames(node.target).toReversed())
      if (node.target.startsWith('/')) trail = []
      continue
    }
    if (!isLast) throw failure(node === undefined ? 'ENOENT' : 'ENOTDIR', syscall, path)
    return place
  }
}
