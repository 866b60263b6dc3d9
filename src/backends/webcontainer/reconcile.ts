// Makes the mirror equal to the container. Unchanged files are not touched, so their revisions stay and edits based on them remain valid.

import { sameBytes } from '../../core/same-bytes.ts'
import { childPath, rootPath, type VfsPath } from '../../core/path.ts'
import type { VfsTransaction } from '../../vfs/backend.ts'
import type { SnapshotNode } from './snapshot.ts'

/** `isHidden` is called for each name below the root. */
export function reconcile(fs: VfsTransaction, found: SnapshotNode, isHidden: (path: VfsPath) => boolean): void {
  if (found.kind === 'directory') reconcileDirectory(fs, rootPath, found.children, isHidden)
}

function reconcileDirectory(
  fs: VfsTransaction,
  at: VfsPath,
  children: ReadonlyMap<string, SnapshotNode>,
  isHidden: (path: VfsPath) => boolean,
): void {
  const known = new Map(fs.list(at).map(({ name, kind }) => [name, kind]))
  for (const [name, kind] of known) {
    const path = childPath(at, name)
    const child = children.get(name)
    if (child?.kind !== kind || isHidden(path)) removeTree(fs, path)
  }
  for (const [name, child] of children) {
    const path = childPath(at, name)
    if (!isHidden(path)) reconcileEntry(fs, path, child, known.get(name) === child.kind, isHidden)
  }
}

function reconcileEntry(
  fs: VfsTransaction,
  path: VfsPath,
  found: SnapshotNode,
  isThere: boolean,
  isHidden: (path: VfsPath) => boolean,
): void {
  switch (found.kind) {
    case 'directory':
      if (!isThere) fs.mkdir(path)
      reconcileDirectory(fs, path, found.children, isHidden)
      return
    case 'symlink':
      if (isThere && fs.readlink(path) === found.target) return
      if (isThere) fs.remove(path, 'file')
      fs.symlink(found.target, path)
      return
    case 'file':
      if (!isThere || !holds(fs, path, found.bytes)) fs.write(path, found.bytes)
  }
}

/** Whether the content of the file at `path` is `bytes`. */
export function holds(fs: Pick<VfsTransaction, 'lookup' | 'read'>, path: VfsPath, bytes: Uint8Array): boolean {
  if (fs.lookup(path).sizeBytes !== bytes.length) return false
  return sameBytes(fs.read(path), bytes)
}

/** Removes everything below it too; does nothing if it is missing. */
export function removeTree(fs: VfsTransaction, path: VfsPath): void {
  if (fs.lookup(path, { follow: false }).kind !== 'directory') {
    fs.remove(path, 'file')
    return
  }
  for (const { name } of fs.list(path)) removeTree(fs, childPath(path, name))
  fs.remove(path, 'directory')
}
